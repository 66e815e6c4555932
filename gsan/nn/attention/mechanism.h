#pragma once
// What is particular to one attention mechanism (spec 3): its parameters, the scores γ_ij of pairs of
// simplices, what they cost, and the op of a whole filter where it has one. Everything else (softmax, signs,
// dropout, powers) is the same for all.
//
// A new mechanism is one file NAME.cpp that defines `const AttentionMechanism NAME_mechanism`, one line of
// mechanisms.def, and a golden case.

#include <functional>
#include <string>
#include <vector>

#include <torch/types.h>

#include "gsan/hodge/neighborhood/neighborhood.h"
#include "gsan/nn/attention/mechanisms.h"
#include "gsan/ops/attention.h"

namespace gsan {

class AttentionImpl;
struct AttentionOptions;

/// h M for every head: M [H, D, m] → [..., N, H, m]. The layer computes it as X (W M) without
/// touching h, or from |h| where orientation must not matter.
using ProjectFeatures = std::function<Tensor(const Tensor& matrix)>;

struct AttentionParameter {
  std::string name;
  std::vector<std::int64_t> sizes;  ///< [H, ...]
  std::int64_t fan_in, fan_out;     ///< for the first values
};

/// Of one operator and head.
struct MechanismCost {
  double columns;          ///< numbers per simplex that the scores are made of
  double pair_operations;  ///< per pair, up to the score
};

struct AttentionMechanism {
  std::vector<AttentionParameter> (*parameters)(const AttentionOptions&);

  /// γ [..., E, H] for all pairs of the neighbourhood.
  Tensor (*scores)(const AttentionImpl&, const Neighborhood&, const ProjectFeatures&);

  MechanismCost (*cost)(const AttentionOptions&);

  /// The whole filter as one op that stores nothing per pair, for both forms of a structure and any device;
  /// null: filters are composed of scores() and sums over pairs.
  Tensor (*filter)(const AttentionImpl&, const ops::AttentionFilter&) = nullptr;
};

const AttentionMechanism& mechanism_of(Mechanism mechanism);

}  // namespace gsan
