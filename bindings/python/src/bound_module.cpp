#include "bindings/python/src/bound_module.h"

#include <algorithm>

#include <torch/csrc/autograd/variable.h>

#include "gsan/core/check.h"
#include "gsan/hodge/kept_tensors.h"
#include "gsan/nn/torch_seed.h"

namespace gsan::python {
namespace {

// Makes `own` read and write the memory of `given` and pass gradients on to it.
void stand_for(const Tensor& own, const Tensor& given, const std::string& name) {
  using namespace torch::autograd;
  own.requires_grad_(false);
  GSAN_CHECK(own.unsafeGetTensorImpl()->has_compatible_shallow_copy_type(given.key_set()), "the tensor '",
             name, "' must be a dense tensor on a device, got one of the kind ", given.key_set(),
             "; wrap the call in torch.compiler.disable, or pass ordinary tensors");
  own.set_data(given.detach());
  if (given.is_inference()) return;
  impl::set_version_counter(own, impl::version_counter(given));
  if (given.requires_grad()) impl::set_gradient_edge(own, impl::gradient_edge(given));
}

}  // namespace

BoundModule::BoundModule(std::shared_ptr<Module> module, std::function<std::shared_ptr<Module>()> make)
    : make_(std::move(make)) {
  for (const auto& entry : module->named_parameters()) parameter_names_.push_back(entry.key());
  for (const auto& entry : module->named_buffers()) buffer_names_.push_back(entry.key());
  const std::vector<Tensor> own = tensors_of(*module);
  last_given_ = own;
  module->train();  // a trainer steps the tensors of the module itself, which are Python's
  bindings_[true] = {std::move(module), own, own};
}

std::vector<Tensor> BoundModule::tensors_of(const Module& module) {
  std::vector<Tensor> all = module.parameters();
  const std::vector<Tensor> buffers = module.buffers();
  all.insert(all.end(), buffers.begin(), buffers.end());
  return all;
}

std::vector<Tensor> BoundModule::tensors() const {
  const std::lock_guard lock(mutex_);
  return last_given_;
}

void BoundModule::check(const std::vector<Tensor>& given) const {
  const auto name = [&](std::size_t i) {
    return i < parameter_names_.size() ? parameter_names_[i] : buffer_names_[i - parameter_names_.size()];
  };
  GSAN_CHECK(given.size() == last_given_.size(), "the module has ", last_given_.size(), " tensors, got ",
             given.size());
  for (std::size_t i = 0; i < given.size(); ++i)
    GSAN_CHECK(given[i].sizes() == last_given_[i].sizes(), "the tensor '", name(i), "' must have the shape ",
               last_given_[i].sizes(), ", got ", given[i].sizes());
}

bool BoundModule::Binding::matches(const std::vector<Tensor>& tensors) const {
  if (!module || tensors.size() != given.size()) return false;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Tensor &now = tensors[i], &held = own[i];
    if (!now.is_same(given[i])) return false;
    if (now.is_same(held)) continue;
    // Another tensor stands for it: has its memory, or whether it is trained, changed since?
    if (now.data_ptr() != held.data_ptr() || now.scalar_type() != held.scalar_type() ||
        now.device() != held.device() || now.strides() != held.strides() ||
        now.requires_grad() != held.requires_grad())
      return false;
  }
  return true;
}

BoundModule::Binding BoundModule::bind(const std::vector<Tensor>& given, bool training) const {
  const KeptTensors ordinary;  // the module is kept, and may be bound in inference mode first
  Binding made;
  {
    const WithoutTorchSeed overwritten;
    made.module = make_();
  }
  made.own = tensors_of(*made.module);
  made.given = given;
  for (std::size_t i = 0; i < made.own.size(); ++i)
    stand_for(made.own[i], given[i], i < parameter_names_.size() ? parameter_names_[i] : "buffer");
  made.module->train(training);
  return made;
}

std::shared_ptr<torch::nn::Module> BoundModule::bound(const std::vector<Tensor>& given, bool training) {
  if (!given.empty())
    GSAN_CHECK(given[0].scalar_type() == at::kFloat || given[0].scalar_type() == at::kDouble,
               "a module computes in float32 or float64, its weights are ", given[0].scalar_type(),
               "; call .float() or .double()");
  const std::lock_guard lock(mutex_);
  Binding& kept = bindings_[training];
  if (kept.matches(given)) return kept.module;
  check(given);
  Binding made = bind(given, training);
  const bool are_leaves =
      std::all_of(given.begin(), given.end(), [](const Tensor& tensor) { return tensor.is_leaf(); });
  if (!are_leaves) return made.module;  // they belong to this one call and its graph
  kept = std::move(made);
  last_given_ = given;
  return kept.module;
}

}  // namespace gsan::python
