// ComplexOperators with their rows in another order. Pairs of neighbours are those of the relabelled complex;
// the columns of a face table, and with them the signs, stay those of the complex.

#include <algorithm>
#include <numeric>

#include "gsan/core/check.h"
#include "gsan/hodge/detail/operators_state.h"
#include "gsan/hodge/reordered_complex.h"
#include "gsan/topology/inner_order.h"
#include "gsan/topology/relabel.h"

namespace gsan {
namespace {

// Columns of a face are the same ones on both sides, in another order: of the tables of the relabelled
// complex only faces and coface columns change. `places`: where rows of order k − 1 are.
std::vector<Tensor> arranged_tables(const SimplicialComplex& complex, const MappedComplex& relabelled, int k,
                                    std::span<const Index> places) {
  std::vector<Tensor> tables = Incidence(relabelled.complex, k).tables();
  if (k == 0 || k > complex.order()) return tables;
  const Tensor faces = torch::empty_like(tables[0]), columns = torch::empty_like(tables[3]);
  Index* face = faces.mutable_data_ptr<Index>();
  auto* column = columns.mutable_data_ptr<std::uint8_t>();
  const auto offsets = relabelled.complex.coface_offsets(k - 1);
  std::vector<Offset> next(offsets.begin(), offsets.end() - 1);
  for (const Index source : relabelled.source[k]) {
    const std::span<const Index> given = complex.faces(k, source);
    for (int j = 0; j <= k; ++j) {
      *face = places[given[j]];
      column[next[*face++]++] = static_cast<std::uint8_t>(j);  // cofaces come by increasing number
    }
  }
  tables[0] = faces;
  tables[3] = columns;
  return tables;
}

}  // namespace

ComplexOperators ComplexOperators::arranged(const MappedComplex& relabelled) const {
  const KeptTensors ordinary;
  GSAN_CHECK(!is_padded() && !is_arranged(),
             "ComplexOperators::arranged: operators are arranged once, and "
             "without rows of a padding");
  GSAN_CHECK(relabelled.complex.order() == order() && relabelled.complex.count(0) == complex().count(0),
             "ComplexOperators::arranged: expected this complex, of order ", order(), " with ",
             complex().count(0), " vertices, in other names; got one of order ", relabelled.complex.order(),
             " with ", relabelled.complex.count(0));
  ComplexOperators result = *this;
  result.state_ = std::make_shared<State>();
  State& state = *result.state_;
  state.batch = state_->batch;
  state.options = state_->options;
  state.keys = state_->keys;
  state.no_rows = state_->no_rows;
  const State& joined = state_->source.empty() ? *state_ : *state_->source.front().state_;
  for (const ComplexOperators& part : joined.parts) {
    const ReorderedComplex* inner = inner_order(part);
    state.parts.push_back(inner != nullptr ? inner->operators() : part);
  }
  state.relabelled = relabelled.complex;
  std::vector<Index> places;  // of the order below
  for (int k = 0; k <= order() + 1; ++k) {
    std::vector<Tensor> tables = arranged_tables(complex(), relabelled, k, places);
    for (Tensor& table : tables) table = table.to(device());
    state.incidences.emplace_back(k, tables);
    if (k > order()) break;
    const std::vector<Index>& source = relabelled.source[k];
    const std::vector<std::int8_t>& flips = relabelled.sign[k];
    places = inverse_permutation(source);
    state.sources.push_back(
        torch::tensor(at::ArrayRef<Index>(source.data(), source.size()), torch::kInt64).to(device()));
    state.flips.push_back(
        torch::tensor(at::ArrayRef<std::int8_t>(flips.data(), flips.size()), torch::kInt8).to(device()));
    if (is_oriented()) state.signs.push_back(state_->signs[k].index_select(0, state.sources[k]));
  }
  if (!is_oriented()) return result;
  const Tensor none = state.signs.front().narrow(0, 0, 0);
  for (int k = 0; k <= order() + 1; ++k)
    state.incidences[k] =
        state.incidences[k].oriented(k > 0 ? state.signs[k - 1] : none, k <= order() ? state.signs[k] : none);
  return result;
}

bool ComplexOperators::is_arranged() const { return !state_->sources.empty(); }

const Tensor& ComplexOperators::sources(int k) const {
  GSAN_CHECK(k >= 0 && k < static_cast<int>(state_->sources.size()),
             "ComplexOperators::sources: there are rows in another order of ", state_->sources.size(),
             " orders, got k = ", k);
  return state_->sources[k];
}

// The pairs and signs of the relabelled complex; the signs and the shared simplices as they were given.
Neighborhood ComplexOperators::arranged_neighborhood(int k, Side side) const {
  Neighborhood made = make_neighborhood(state_->relabelled, k, side, pair_list(k, side), max_memory());
  if (k > order()) return made;
  const Tensor& flips = state_->flips[k];
  made.signs = made.signs * flips.index_select(0, made.receivers()) * flips.index_select(0, made.sources);
  const int shared = meets_in_faces(k, side) ? k - 1 : k + 1;
  if (shared < 0 || count(shared) == 0) return made;
  const Tensor numbers = local_numbers(shared).index_select(0, made.shared.clamp_min(0));
  made.shared = torch::where(made.shared.lt(0), made.shared, numbers);
  return made;
}

const std::vector<Vertex>& ComplexOperators::inner_names() const {
  return structure<std::vector<Vertex>>({"inner_names"}, [&] { return make_inner_names(); });
}

std::vector<Vertex> ComplexOperators::make_inner_names() const {
  if (is_padded() || is_arranged() || state_->options.order == VertexOrder::given) return {};
  if (!state_->source.empty()) {
    const std::vector<Vertex>& names = state_->source.front().inner_names();
    if (!names.empty()) state_->copies_late = true;  // what arranged() makes of them was not moved
    return names;
  }
  if (state_->parts.empty())
    return gsan::inner_names(complex(), state_->options.order, state_->batch.offsets);
  // The parts know theirs, and keep them for the next batch.
  std::vector<Vertex> all;
  for (std::size_t p = 0; p < state_->parts.size(); ++p) {
    const std::vector<Vertex>& own = state_->parts[p].inner_names();
    if (own.empty()) continue;
    if (all.empty()) {
      all.resize(static_cast<std::size_t>(complex().count(0)));
      std::iota(all.begin(), all.end(), 0);
    }
    const Index first = parts(0)[p];
    std::transform(own.begin(), own.end(), all.begin() + first, [&](Vertex name) { return name + first; });
  }
  return all;
}

}  // namespace gsan
