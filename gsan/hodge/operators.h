#pragma once
// All boundary operators of one complex, or of a batch of complexes, on one device: what every
// layer, filter and solver is given; and what is derived from the complex alone, made once.

#include <any>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "gsan/hodge/incidence.h"
#include "gsan/hodge/neighborhood/neighborhood.h"
#include "gsan/hodge/padding.h"
#include "gsan/topology/disjoint_union.h"
#include "gsan/topology/limits.h"
#include "gsan/topology/mapped_complex.h"
#include "gsan/topology/orientation.h"
#include "gsan/topology/reorder.h"

namespace gsan {

/// One tensor [..., N_k, F_k] per order k = 0 … K. An undefined tensor means "no signal
/// on this order" and counts as zero.
using Cochains = std::vector<Tensor>;

struct OperatorOptions {
  torch::Device device = torch::kCPU;
  /// Bytes that a structure derived from the complex (neighbour pairs), or one forward pass over it
  /// (attention weights), may take; more is Fault::resource before anything is allocated.
  std::size_t max_memory = Limits{}.max_memory;
  /// In which order models compute on the complex (reordered_complex.h). Rows keep their numbers outside of
  /// models, and layers by themselves compute in the given order.
  VertexOrder order = VertexOrder::automatic;
};

/// What a derived structure is (a literal), and the numbers that select it.
struct DerivedKey {
  std::string_view name;
  std::array<int, 6> numbers{};
  bool is_absolute = false;  ///< of ComplexOperators::absolute(); set by derived()
  friend auto operator<=>(const DerivedKey&, const DerivedKey&) = default;
};

/// Copies are cheap and share everything. Every k ≥ 0 is allowed: orders beyond the complex are empty.
class ComplexOperators {
 public:
  explicit ComplexOperators(SimplicialComplex complex, torch::Device device = torch::kCPU);
  ComplexOperators(SimplicialComplex complex, const OperatorOptions& options);

  /// A batch: what belongs to one complex (ε, λ_max, softmax over an order, dropout keys) belongs to each
  /// part. `part_keys` distinguish the parts in dropout masks, e.g. their numbers in a dataset, so that a
  /// part draws the same mask in any batch; 0 … P − 1 when empty.
  explicit ComplexOperators(DisjointUnion batch, const OperatorOptions& options = {},
                            std::vector<std::int32_t> part_keys = {});

  /// A batch of complexes whose own operators exist already, on the CPU and not re-oriented: what it derives
  /// is put together from what they derive, which they keep for the next batch. Equal to the operators of the
  /// disjoint union, lambda_max() to its tolerance.
  static ComplexOperators joined(std::vector<ComplexOperators> parts, const OperatorOptions& options = {},
                                 std::vector<std::int32_t> part_keys = {});

  /// The operators of the re-oriented complex, B_k → diag(o_{k−1}) B_k diag(o_k), with nothing derived yet.
  /// Signals must be re-oriented with them. complex() and its tables keep their signs, and so does what is
  /// computed from these alone: HodgeSolver and harmonic_basis refuse such operators.
  ComplexOperators oriented(const Orientation& orientation) const;
  bool is_oriented() const;
  /// int8 [N_k], of re-oriented operators.
  const Tensor& signs(int k) const;

  /// The same operators with |B_k| in the place of B_k, for data without orientation (spec 9): incidences,
  /// Laplacians and what derives from them. Neighbourhoods are the same sets; their signs, and those of
  /// oriented(), mean nothing here. Shares everything that does not depend on signs. |B| |B| is not 0: there
  /// is no harmonic part, and what computes one refuses these operators.
  ComplexOperators absolute() const;
  bool is_absolute() const { return is_absolute_; }

  /// The same operators on another device. `move` gives every tensor of theirs there: the tables, and the
  /// structures derived so far that are tensors, pairs of neighbours or numbers, in an order that depends on
  /// which these are alone. What is derived later is derived here, once, and copied. Not of re-oriented ones.
  ComplexOperators moved(torch::Device device, const std::function<Tensor(const Tensor&)>& move) const;
  /// Of moved ones: whether anything was derived later and copied by itself.
  bool copies_late() const;

  /// The same operators, on the host, with rows of no part behind the others (padding.h): count(), tables and
  /// what is derived have them, complex() and parts() do not. Nothing flows between them and the rows of
  /// parts. Not of re-oriented ones.
  ComplexOperators padded(const PaddedSizes& sizes) const;
  bool is_padded() const;

  /// The same operators with their rows in the order of `relabelled`, which is relabel() of complex() by
  /// names that stay within their parts: B'_k = G_{k−1} B_k G_kᵀ with G_k the gather of rows, so that signs
  /// and re-orientations stay as they are. Masks stay, too: local_numbers() and the shared numbers of
  /// neighbourhoods are those of the given order, as complex() is. Not of padded ones.
  ComplexOperators arranged(const MappedComplex& relabelled) const;
  bool is_arranged() const;
  /// Of arranged ones, int64 [N_k] on the device: row i is row sources(k)[i] of the given order.
  const Tensor& sources(int k) const;

  const SimplicialComplex& complex() const;
  int order() const { return complex().order(); }
  std::int64_t count(int k) const;  ///< rows of order k
  torch::Device device() const;
  std::size_t max_memory() const;

  // --- the parts of a batch; a single complex is one part
  std::int64_t part_count() const;
  std::span<const Index> parts(int k) const;  ///< offsets (parts.h): P + 1 numbers, also for one part; they
                                              ///< end before the rows of a padding
  const Tensor& part_offsets(int k) const;    ///< the same, int64 on the device
  const Tensor& part_keys(int k) const;       ///< int32 [N_k] on the device, key of the part of each row
  const Tensor& local_numbers(int k) const;   ///< int32 [N_k] on the device, row within its part as given

  /// B_k; beyond order() it has no columns.
  const Incidence& incidence(int k) const;

  // --- derived once, on first use, from any thread
  const PairList& pair_list(int k, Side side) const;
  const Neighborhood& neighborhood(int k, Side side) const;  ///< around the tables of pair_list
  const Tensor& lambda_bound(int k) const;                   ///< λ̄_k per part, [P] float64
  const Tensor& lambda_max(int k) const;     ///< λ_max(L_k) per part, [P] float64; 0 where L_k = 0
  const Tensor& coface_counts(int k) const;  ///< diagonal of L_k^u, [N_k] float64
  /// New names of the vertices for the order of the options (topology/inner_order.h), each part by itself;
  /// none where all keep theirs, as those of padded and arranged operators do.
  const std::vector<Vertex>& inner_names() const;

  /// Anything else that depends on the complex alone: made by `make` on first use and kept
  /// as long as any copy of these operators. `make` may use other derived structures.
  template <class T>
  const T& derived(DerivedKey key, const std::function<T()>& make) const {
    key.is_absolute = is_absolute_;
    return structure<T>(key, make);
  }

  /// The derived structures that were asked for so far.
  std::vector<DerivedKey> derived_keys() const;
  /// Makes ahead of use those of the keys that stand above; what others derive is left to its first use.
  void derive(std::span<const DerivedKey> keys) const;

  Tensor lower_laplacian(int k, const Tensor& x) const;  ///< L_k^d x = B_kᵀ B_k x
  Tensor upper_laplacian(int k, const Tensor& x) const;  ///< L_k^u x = B_{k+1} B_{k+1}ᵀ x
  Tensor laplacian(int k, const Tensor& x) const;        ///< L_k x

 private:
  struct State;
  ComplexOperators() = default;
  // As derived(), for what does not depend on signs.
  template <class T>
  const T& structure(const DerivedKey& key, const std::function<T()>& make) const {
    return *std::any_cast<T>(&derived_any(key, [&] { return std::any(make()); }));
  }
  template <class T, class Get>
  std::vector<T> of_parts(const Get& get) const;
  const ComplexOperators* late_source() const;  // of moved() and padded() operators, to derive from
  ComplexOperators derived_from_this(torch::Device device) const;
  Neighborhood plain_neighborhood(int k, Side side) const;  // with the signs of the complex
  Neighborhood arranged_neighborhood(int k, Side side) const;
  std::vector<Vertex> make_inner_names() const;
  Tensor join(const std::vector<Tensor>& of_parts) const;
  void set(DisjointUnion batch, const OperatorOptions& options, std::vector<std::int32_t> part_keys);
  const std::any& derived_any(const DerivedKey& key, const std::function<std::any()>& make) const;
  std::shared_ptr<State> state_;
  bool is_absolute_ = false;
};

}  // namespace gsan
