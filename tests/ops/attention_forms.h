#pragma once
// One attentional operator in both forms that ops/attention.h takes, pairs and stars, with the same masks and
// signs.

#include <algorithm>
#include <map>

#include "gsan/core/random.h"
#include "gsan/ops/attention.h"
#include "gsan/topology/clique_complex.h"
#include "gsan/topology/random_graph.h"

#include "ops/incidence_reference.h"
#include "ops/pair_reference.h"

namespace gsan {

struct AttentionForm {
  std::vector<torch::Tensor> structure;
  std::vector<torch::Tensor> keys;  ///< of dropout, without those of the signals
  torch::Tensor signs;
};

struct AttentionForms {
  std::int64_t simplices;
  PairTables list;
  AttentionForm pairs, stars;
};

/// The lower neighbours of order k.
inline AttentionForms lower_forms(const SimplicialComplex& complex, int k) {
  const IncidenceTables tables = incidence_tables(complex, k);
  const std::int64_t N = tables.simplices, width = k + 1;
  const auto faces = tables.faces.accessor<std::int32_t, 2>();
  std::map<std::pair<std::int64_t, std::int64_t>, std::array<std::int64_t, 3>>
      common;  // face, columns in i and j
  for (std::int64_t i = 0; i < N; ++i)
    for (std::int64_t j = 0; j < N; ++j)
      for (std::int64_t a = 0; a < width; ++a)
        for (std::int64_t b = 0; b < width; ++b)
          if (i != j && faces[i][a] == faces[j][b]) common[{i, j}] = {faces[i][a], a, b};
  AttentionForms forms{N,
                       pair_tables(N,
                                   [&](auto i, auto j) {
                                     return i == j || common.contains({i, j});
                                   }),
                       {},
                       {}};

  const PairTables& t = forms.list;
  torch::Tensor shared = torch::full({t.count()}, -1, torch::kInt32),
                signs = torch::ones({t.count()}, torch::kInt8);
  for (std::int64_t e = 0; e < t.count(); ++e) {
    const auto found = common.find(t.pairs[e]);
    if (found == common.end()) continue;
    const auto& [face, a, b] = found->second;
    shared[e] = face, signs[e] = (a + b) % 2 == 0 ? 1 : -1;
  }
  const torch::Tensor own = torch::arange(N, torch::kInt32), parts = torch::zeros({N}, torch::kInt32);
  forms.pairs = {{t.offsets, t.sources, t.mirror}, {t.sources, shared, own, parts}, signs};

  const torch::Tensor face_of_entry = torch::repeat_interleave(tables.offsets.diff()).to(torch::kInt32);
  const torch::Tensor star_signs = (1 - 2 * tables.columns.bitwise_and(1).to(torch::kInt8)).to(torch::kInt8);
  forms.stars = {
      {tables.faces, tables.offsets, tables.cofaces, tables.columns},
      {torch::cat({tables.cofaces, own}), torch::cat({face_of_entry, torch::full_like(own, -1)}), own, parts},
      star_signs};
  return forms;
}

inline AttentionForms clique_forms(int order, std::uint64_t seed) {
  RandomStream random(seed, "graph");
  return lower_forms(clique_complex(erdos_renyi(10, 24, random), 10, order), order);
}

}  // namespace gsan
