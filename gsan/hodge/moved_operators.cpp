// ComplexOperators made of others: with their tables elsewhere, or with rows of a padding.

#include "gsan/core/check.h"
#include "gsan/hodge/detail/operators_state.h"

namespace gsan {
namespace {

// A derived structure with its tensors moved; nothing where it is of another kind.
std::any moved_value(const std::any& value, const std::function<Tensor(const Tensor&)>& move) {
  if (const auto* tensor = std::any_cast<Tensor>(&value)) return move(*tensor);
  if (const auto* list = std::any_cast<PairList>(&value))
    return PairList{.offsets = move(list->offsets), .sources = move(list->sources)};
  if (const auto* all = std::any_cast<Neighborhood>(&value)) {
    Neighborhood there;
    there.offsets = move(all->offsets);
    there.sources = move(all->sources);
    there.mirror = move(all->mirror);
    there.shared = move(all->shared);
    there.signs = move(all->signs);
    return there;
  }
  return std::any_cast<double>(&value) != nullptr ? value : std::any();
}

}  // namespace

// With nothing but what does not depend on tables.
ComplexOperators ComplexOperators::derived_from_this(torch::Device device) const {
  GSAN_CHECK(!is_oriented(),
             "ComplexOperators: re-oriented operators are neither moved nor padded; do that "
             "first, then re-orient them");
  GSAN_CHECK(!is_arranged(),
             "ComplexOperators: arranged operators are neither moved nor padded; do that "
             "first, then arrange them");
  ComplexOperators result = *this;
  result.state_ = std::make_shared<State>();
  State& state = *result.state_;
  state.batch = state_->batch;
  state.options = state_->options;
  state.options.device = device;
  state.keys = state_->keys;
  state.no_rows = state_->no_rows;
  state.padding = state_->padding;
  state.source.push_back(*this);
  state.source[0].is_absolute_ = false;
  return result;
}

ComplexOperators ComplexOperators::moved(torch::Device device,
                                         const std::function<Tensor(const Tensor&)>& move) const {
  const KeptTensors ordinary;
  ComplexOperators result = derived_from_this(device);
  for (const Incidence& B : state_->incidences) {
    std::vector<Tensor> tables;
    for (const Tensor& table : B.tables()) tables.push_back(move(table));
    result.state_->incidences.emplace_back(B.order(), tables);
  }
  for (const DerivedKey& key : state_->derived.keys()) {
    const std::any* value = state_->derived.find(key);
    if (value == nullptr) continue;
    std::any there = moved_value(*value, move);
    if (there.has_value()) result.state_->derived.get(key, [&] { return std::move(there); });
  }
  return result;
}

ComplexOperators ComplexOperators::padded(const PaddedSizes& sizes) const {
  const KeptTensors ordinary;
  check_padding(sizes, complex());
  GSAN_CHECK(!is_padded() && device() == torch::Device(torch::kCPU),
             "ComplexOperators::padded: operators are padded once, on the host; these are on ", device(),
             is_padded() ? " and have rows of a padding" : "");
  ComplexOperators result = derived_from_this(device());
  result.state_->padding = sizes;
  for (int k = 0; k <= order() + 1; ++k)
    result.state_->incidences.emplace_back(
        k, pad_incidence(state_->incidences[k].tables(), k, result.count(k - 1), result.count(k)));
  return result;
}

ComplexOperators ComplexOperators::absolute() const {
  ComplexOperators result = *this;
  result.is_absolute_ = true;
  return result;
}

bool ComplexOperators::is_oriented() const { return !state_->signs.empty(); }

const Tensor& ComplexOperators::signs(int k) const {
  GSAN_CHECK(k >= 0 && k < static_cast<int>(state_->signs.size()),
             "ComplexOperators::signs: there are signs of ", state_->signs.size(), " orders, got k = ", k);
  return state_->signs[k];
}

const SimplicialComplex& ComplexOperators::complex() const { return state_->batch.complex; }

}  // namespace gsan
