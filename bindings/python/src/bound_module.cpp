#include "bindings/python/src/bound_module.h"

#include <torch/csrc/autograd/variable.h>

#include "gsan/core/check.h"
#include "gsan/hodge/kept_tensors.h"

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

// New modules draw first values; they are overwritten, and nobody's random numbers shall notice.
class KeepRandomState {
 public:
  KeepRandomState() : generator_(at::globalContext().defaultGenerator(at::kCPU)) {
    const std::lock_guard lock(generator_.mutex());
    state_ = generator_.get_state();
  }
  ~KeepRandomState() {
    const std::lock_guard lock(generator_.mutex());
    generator_.set_state(state_);
  }

 private:
  at::Generator generator_;
  Tensor state_;
};

}  // namespace

BoundModule::BoundModule(std::shared_ptr<Module> module, std::function<std::shared_ptr<Module>()> make)
    : make_(std::move(make)), module_(std::move(module)) {
  for (const auto& entry : module_->named_parameters()) parameter_names_.push_back(entry.key());
  for (const auto& entry : module_->named_buffers()) buffer_names_.push_back(entry.key());
  given_ = own_ = tensors_of(*module_);
}

std::vector<Tensor> BoundModule::tensors_of(const Module& module) {
  std::vector<Tensor> all = module.parameters();
  const std::vector<Tensor> buffers = module.buffers();
  all.insert(all.end(), buffers.begin(), buffers.end());
  return all;
}

std::vector<Tensor> BoundModule::tensors() const {
  const std::lock_guard lock(mutex_);
  return given_;
}

void BoundModule::check(const std::vector<Tensor>& given) const {
  const auto name = [&](std::size_t i) {
    return i < parameter_names_.size() ? parameter_names_[i] : buffer_names_[i - parameter_names_.size()];
  };
  GSAN_CHECK(given.size() == own_.size(), "the module has ", own_.size(), " tensors, got ", given.size());
  for (std::size_t i = 0; i < given.size(); ++i)
    GSAN_CHECK(given[i].sizes() == own_[i].sizes(), "the tensor '", name(i), "' must have the shape ",
               own_[i].sizes(), ", got ", given[i].sizes());
}

bool BoundModule::matches(const std::vector<Tensor>& given) const {
  if (given.size() != given_.size()) return false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Tensor &now = given[i], &own = own_[i];
    if (!now.is_same(given_[i])) return false;
    if (now.is_same(own)) continue;
    // Another tensor stands for it: has its memory, or whether it is trained, changed since?
    if (now.data_ptr() != own.data_ptr() || now.scalar_type() != own.scalar_type() ||
        now.device() != own.device() || now.strides() != own.strides() ||
        now.requires_grad() != own.requires_grad())
      return false;
  }
  return true;
}

std::shared_ptr<torch::nn::Module> BoundModule::bound(const std::vector<Tensor>& given, bool training) {
  if (!given.empty())
    GSAN_CHECK(given[0].scalar_type() == at::kFloat || given[0].scalar_type() == at::kDouble,
               "a module computes in float32 or float64, its weights are ", given[0].scalar_type(),
               "; call .float() or .double()");
  const std::lock_guard lock(mutex_);
  std::shared_ptr<Module> module = module_;
  if (!matches(given)) {
    check(given);
    const KeptTensors ordinary;  // the module is kept, and may be bound in inference mode first
    {
      const KeepRandomState keep;
      module = make_();
    }
    const std::vector<Tensor> own = tensors_of(*module);
    bool are_leaves = true;
    for (std::size_t i = 0; i < own.size(); ++i) {
      stand_for(own[i], given[i], i < parameter_names_.size() ? parameter_names_[i] : "buffer");
      are_leaves = are_leaves && given[i].is_leaf();
    }
    if (are_leaves) {  // else they belong to this one call and its graph
      module_ = module;
      own_ = own;
      given_ = given;
    }
  }
  if (module->is_training() != training) module->train(training);
  return module;
}

}  // namespace gsan::python
