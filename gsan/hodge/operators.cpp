#include "gsan/hodge/operators.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "gsan/core/check.h"
#include "gsan/hodge/detail/operators_state.h"
#include "gsan/hodge/neighborhood/detail/joined_neighborhoods.h"
#include "gsan/hodge/parts.h"
#include "gsan/hodge/reordered_complex.h"
#include "gsan/hodge/spectral/lambda.h"

namespace gsan {
namespace {

DisjointUnion one_part(SimplicialComplex complex) {
  DisjointUnion result;
  for (int k = 0; k <= complex.order(); ++k) result.offsets.push_back({0, complex.count(k)});
  result.complex = std::move(complex);
  result.part_count = 1;
  return result;
}

// int32 [rows] on the device; fill(part, first row, row after the last) writes the rows of each part.
template <class Fill>
Tensor fill_parts(std::span<const Index> offsets, torch::Device device, const Fill& fill) {
  const Tensor rows = torch::empty({offsets.back()}, torch::kInt32);
  std::int32_t* first = rows.mutable_data_ptr<std::int32_t>();
  for (std::size_t p = 0; p + 1 < offsets.size(); ++p) fill(p, first + offsets[p], first + offsets[p + 1]);
  return rows.to(device);
}

PairList moved_to(torch::Device device, const PairList& pairs) {
  return {pairs.offsets.to(device), pairs.sources.to(device)};
}

Neighborhood moved_to(torch::Device device, const Neighborhood& all) {
  return {all.offsets.to(device), all.sources.to(device), all.mirror.to(device), all.shared.to(device),
          all.signs.to(device)};
}

}  // namespace

ComplexOperators::ComplexOperators(SimplicialComplex complex, torch::Device device)
    : ComplexOperators(std::move(complex), OperatorOptions{.device = device}) {}

ComplexOperators::ComplexOperators(SimplicialComplex complex, const OperatorOptions& options)
    : ComplexOperators(one_part(std::move(complex)), options) {}

ComplexOperators::ComplexOperators(DisjointUnion batch, const OperatorOptions& options,
                                   std::vector<std::int32_t> part_keys) {
  set(std::move(batch), options, std::move(part_keys));
}

void ComplexOperators::set(DisjointUnion batch, const OperatorOptions& options,
                           std::vector<std::int32_t> part_keys) {
  const KeptTensors ordinary;
  state_ = std::make_shared<State>();
  static constexpr const char* who = "ComplexOperators";
  const int K = batch.complex.order();
  const Index parts = batch.part_count;
  GSAN_CHECK(parts >= 0 && static_cast<int>(batch.offsets.size()) == K + 1, who,
             ": a batch needs the offsets of its parts for each of the orders 0 ... ", K, ", got ",
             batch.offsets.size(), " lists for ", parts, " parts; make it by disjoint_union");
  for (int k = 0; k <= K; ++k) {
    GSAN_CHECK(static_cast<std::int64_t>(batch.offsets[k].size()) == std::int64_t{parts} + 1, who, ": order ",
               k, " of a batch of ", parts, " parts needs ", parts + 1, " offsets, got ",
               batch.offsets[k].size());
    check_parts(who, batch.offsets[k], batch.complex.count(k));
  }
  if (part_keys.empty()) {
    part_keys.resize(static_cast<std::size_t>(parts));
    std::iota(part_keys.begin(), part_keys.end(), 0);
  }
  GSAN_CHECK(static_cast<std::int64_t>(part_keys.size()) == parts, who, ": ", parts,
             " parts need as many keys, or none, got ", part_keys.size());
  for (int k = 0; k <= K + 1; ++k) state_->incidences.emplace_back(batch.complex, k, options.device);
  state_->batch = std::move(batch);
  state_->options = options;
  state_->options.device = state_->incidences.front().device();  // with its index
  state_->keys = std::move(part_keys);
  state_->no_rows.resize(static_cast<std::size_t>(parts) + 1, 0);
}

ComplexOperators ComplexOperators::joined(std::vector<ComplexOperators> parts, const OperatorOptions& options,
                                          std::vector<std::int32_t> part_keys) {
  std::vector<SimplicialComplex> complexes;
  for (const ComplexOperators& part : parts) {
    GSAN_CHECK(part.part_count() == 1 && part.device() == torch::Device(torch::kCPU) && !part.is_oriented() &&
                   !part.is_absolute(),
               "ComplexOperators::joined: part ", complexes.size(), " of ", parts.size(),
               " must be one complex, on the CPU, not re-oriented and with its signs, got ",
               part.part_count(), " on ", part.device(),
               part.is_oriented() ? ", re-oriented; re-orient the batch" : "",
               part.is_absolute() ? ", without signs; take absolute() of the batch" : "");
    complexes.push_back(part.complex());
  }
  ComplexOperators result;
  result.set(disjoint_union(complexes, true), options, std::move(part_keys));
  result.state_->parts = std::move(parts);
  return result;
}

ComplexOperators ComplexOperators::oriented(const Orientation& orientation) const {
  const KeptTensors ordinary;
  GSAN_CHECK(
      !is_arranged(),
      "ComplexOperators::oriented: operators are re-oriented first, then arranged; these are arranged");
  ComplexOperators result = *this;
  result.state_ = std::make_shared<State>();
  State& state = *result.state_;
  state.batch = state_->batch;
  state.options = state_->options;
  state.parts = state_->parts;
  state.keys = state_->keys;
  state.no_rows = state_->no_rows;
  const auto empty = torch::empty({0}, torch::TensorOptions().dtype(torch::kInt8).device(device()));
  for (int k = 0; k <= order(); ++k) {
    const std::span<const std::int8_t> signs = orientation.signs(k);
    GSAN_CHECK(static_cast<std::int64_t>(signs.size()) == count(k), "ComplexOperators::oriented: order ", k,
               " has ", count(k), " simplices, but the orientation has ", signs.size(), " signs");
    const Tensor given =
        torch::tensor(at::ArrayRef<std::int8_t>(signs.data(), signs.size()), torch::kInt8).to(device());
    state.signs.push_back(is_oriented() ? state_->signs[k] * given : given);
  }
  for (int k = 0; k <= order() + 1; ++k) {
    const Incidence plain(complex(), k, device());
    state.incidences.push_back(
        plain.oriented(k > 0 ? state.signs[k - 1] : empty, k <= order() ? state.signs[k] : empty));
  }
  return result;
}

std::int64_t ComplexOperators::count(int k) const {
  const auto& rows = state_->padding.rows;
  return k >= 0 && k < static_cast<int>(rows.size()) ? rows[k] : complex().count(k);
}

const ComplexOperators* ComplexOperators::late_source() const {
  if (state_->source.empty()) return nullptr;
  state_->copies_late = true;
  return &state_->source.front();
}

bool ComplexOperators::copies_late() const { return state_->copies_late; }

bool ComplexOperators::is_padded() const { return !state_->padding.rows.empty(); }
torch::Device ComplexOperators::device() const { return state_->options.device; }
std::size_t ComplexOperators::max_memory() const { return state_->options.max_memory; }
std::int64_t ComplexOperators::part_count() const { return state_->batch.part_count; }

const std::any& ComplexOperators::derived_any(const DerivedKey& key,
                                              const std::function<std::any()>& make) const {
  return state_->derived.get(key, make);
}

std::span<const Index> ComplexOperators::parts(int k) const {
  GSAN_CHECK(k >= 0, "ComplexOperators: the order must not be negative, got k = ", k);
  return k <= order() ? state_->batch.offsets[k] : state_->no_rows;
}

const Tensor& ComplexOperators::part_offsets(int k) const {
  return structure<Tensor>({"part_offsets", {k}}, [&] {
    if (const ComplexOperators* source = late_source()) return source->part_offsets(k).to(device());
    return gsan::part_offsets(parts(k), count(k), device());
  });
}

const Tensor& ComplexOperators::part_keys(int k) const {
  return structure<Tensor>({"part_keys", {k}}, [&] {
    if (const ComplexOperators* source = late_source())
      return pad_rows(source->part_keys(k), count(k)).to(device());
    return fill_parts(parts(k), device(), [&](std::size_t p, std::int32_t* first, std::int32_t* last) {
      std::fill(first, last, state_->keys[p]);
    });
  });
}

const Tensor& ComplexOperators::local_numbers(int k) const {
  return structure<Tensor>({"local_numbers", {k}}, [&] {
    if (const ComplexOperators* source = late_source())
      return pad_rows(source->local_numbers(k), count(k)).to(device());
    const Tensor given =
        fill_parts(parts(k), device(),
                   [](std::size_t, std::int32_t* first, std::int32_t* last) { std::iota(first, last, 0); });
    return is_arranged() && k <= order() ? given.index_select(0, sources(k)) : given;
  });
}

const Incidence& ComplexOperators::incidence(int k) const {
  if (is_absolute_) {
    return derived<Incidence>({"incidence", {k}}, [&] {
      ComplexOperators with_signs = *this;
      with_signs.is_absolute_ = false;
      return with_signs.incidence(k).absolute();
    });
  }
  if (k >= 0 && k < static_cast<int>(state_->incidences.size())) return state_->incidences[k];
  return derived<Incidence>({"incidence", {k}}, [&] { return Incidence(complex(), k, device()); });
}

template <class T, class Get>
std::vector<T> ComplexOperators::of_parts(const Get& get) const {
  std::vector<T> all;
  all.reserve(state_->parts.size());
  for (const ComplexOperators& part : state_->parts)
    all.push_back(get(is_absolute_ ? part.absolute() : part));
  return all;
}

// Side::both is one of the sides: one list serves both.
const PairList& ComplexOperators::pair_list(int k, Side side) const {
  GSAN_CHECK(k >= 0, "ComplexOperators::pair_list: the order must not be negative, got k = ", k);
  return structure<PairList>({"pair_list", {k, meets_in_faces(k, side)}}, [&] {
    if (const ComplexOperators* source = late_source())
      return moved_to(device(),
                      pad_pairs(source->pair_list(k, side), state_->padding, k, meets_in_faces(k, side)));
    if (state_->parts.empty())
      return make_pair_list(is_arranged() ? state_->relabelled : complex(), k, side, max_memory(), device());
    const auto lists =
        of_parts<PairList>([&](const ComplexOperators& part) { return part.pair_list(k, side); });
    return join_pair_lists(lists, k, max_memory(), device());
  });
}

const Neighborhood& ComplexOperators::neighborhood(int k, Side side) const {
  GSAN_CHECK(k >= 0, "ComplexOperators::neighborhood: the order must not be negative, got k = ", k);
  const bool through_faces = meets_in_faces(k, side);
  return structure<Neighborhood>({"neighborhood", {k, through_faces}}, [&] {
    Neighborhood made = plain_neighborhood(k, side);
    if (k < static_cast<int>(state_->signs.size())) {
      const Tensor& o = state_->signs[k];
      made.signs = made.signs * o.index_select(0, made.receivers()) * o.index_select(0, made.sources);
    }
    return made;
  });
}

Neighborhood ComplexOperators::plain_neighborhood(int k, Side side) const {
  if (const ComplexOperators* source = late_source())
    return moved_to(device(), pad_neighborhood(source->neighborhood(k, side), pair_list(k, side)));
  if (!state_->parts.empty()) {
    const auto own =
        of_parts<Neighborhood>([&](const ComplexOperators& part) { return part.neighborhood(k, side); });
    return join_neighborhoods(own, pair_list(k, side), k, max_memory());
  }
  if (is_arranged()) return arranged_neighborhood(k, side);
  const int shared = meets_in_faces(k, side) ? k - 1 : k + 1;
  const std::span<const Index> shared_parts = shared >= 0 ? parts(shared) : std::span<const Index>{};
  return make_neighborhood(complex(), k, side, pair_list(k, side), max_memory(), shared_parts);
}

const Tensor& ComplexOperators::lambda_bound(int k) const {
  return structure<Tensor>({"lambda_bound", {k}}, [&] {
    if (const ComplexOperators* source = late_source()) return source->lambda_bound(k).to(device());
    if (state_->parts.empty()) return gsan::lambda_bound(incidence(k), incidence(k + 1), parts(k));
    return join(of_parts<Tensor>([k](const ComplexOperators& part) { return part.lambda_bound(k); }));
  });
}

// No re-orientation changes a spectrum.
const Tensor& ComplexOperators::lambda_max(int k) const {
  return derived<Tensor>({"lambda_max", {k}}, [&] {
    if (const ComplexOperators* source = late_source())
      return (is_absolute_ ? source->absolute() : *source).lambda_max(k).to(device());
    if (!state_->parts.empty())
      return join(of_parts<Tensor>([k](const ComplexOperators& part) { return part.lambda_max(k); }));
    if (!is_arranged()) return gsan::lambda_max(incidence(k), incidence(k + 1), parts(k));
    // In the given order, whose number it is to the last bit: an iteration ends within a tolerance.
    const Incidence lower(complex(), k, device()), upper(complex(), k + 1, device());
    return is_absolute_ ? gsan::lambda_max(lower.absolute(), upper.absolute(), parts(k))
                        : gsan::lambda_max(lower, upper, parts(k));
  });
}

Tensor ComplexOperators::join(const std::vector<Tensor>& of_parts) const {
  return torch::cat(of_parts).to(device());
}

const Tensor& ComplexOperators::coface_counts(int k) const {
  return structure<Tensor>({"coface_counts", {k}},
                           [&] { return incidence(k + 1).coface_offsets().diff().to(torch::kFloat64); });
}

std::vector<DerivedKey> ComplexOperators::derived_keys() const { return state_->derived.keys(); }

void ComplexOperators::derive(std::span<const DerivedKey> keys) const {
  for (const auto& [name, numbers, is_absolute] : keys) {
    const int k = numbers[0];
    const Side side = numbers[1] != 0 ? Side::lower : Side::upper;
    const ComplexOperators view = is_absolute ? absolute() : *this;
    if (name == "part_offsets") part_offsets(k);
    if (name == "part_keys") part_keys(k);
    if (name == "local_numbers") local_numbers(k);
    if (name == "pair_list") pair_list(k, side);
    if (name == "neighborhood") neighborhood(k, side);
    if (name == "lambda_bound") lambda_bound(k);
    if (name == "lambda_max") view.lambda_max(k);
    if (name == "coface_counts") coface_counts(k);
    if (name == "inner_order") inner_order(view);
  }
}

Tensor ComplexOperators::lower_laplacian(int k, const Tensor& x) const {
  const Incidence& B = incidence(k);
  return B.coboundary(B.boundary(x));
}

Tensor ComplexOperators::upper_laplacian(int k, const Tensor& x) const {
  const Incidence& B = incidence(k + 1);
  return B.boundary(B.coboundary(x));
}

Tensor ComplexOperators::laplacian(int k, const Tensor& x) const {
  return lower_laplacian(k, x) + upper_laplacian(k, x);
}

}  // namespace gsan
