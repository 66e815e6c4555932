#pragma once
// Which simplices of order k belong to the complex (Table IV): those of a dataset whose value lies above a
// threshold.
//
// strict: the complex that carries messages holds all lower orders and, of order k, a share of the positives
// to train on; the loss is taken on the others. No simplex to choose or to test by is in it, nor any of its
// cofaces.

#include "gsan/data/datasets.h"
#include "gsan/data/split.h"
#include "gsan/tasks/task.h"

namespace gsan {

/// What the simplices of the lower orders carry.
enum class CandidateFeatures {
  counts,                   ///< their values
  counts_without_held_out,  ///< their values without what comes from sources of held-out candidates
  constant,                 ///< 1: topology only
};
/// What a split must not cut through.
enum class CandidateSplit {
  by_source,  ///< candidates that share a source with a held-out one are held out, too
  random,
};

template <>
struct EnumNames<CandidateFeatures> {
  static constexpr std::pair<CandidateFeatures, std::string_view> names[] = {
      {CandidateFeatures::counts, "counts"},
      {CandidateFeatures::counts_without_held_out, "counts-without-held-out-papers"},
      {CandidateFeatures::constant, "constant"}};
};
template <>
struct EnumNames<CandidateSplit> {
  static constexpr std::pair<CandidateSplit, std::string_view> names[] = {
      {CandidateSplit::by_source, "by-paper"}, {CandidateSplit::random, "random"}};
};

struct SimplexPredictionOptions {
  int order = 2;         ///< k of the candidates
  int tuple_order = 1;   ///< whose simplices of a candidate the head reads
  double threshold = 7;  ///< a candidate is positive when its value lies above
  double validation = 0.1, test = 0.1;
  double message = 0.5;  ///< share of the positives to train on that carry messages
  CandidateFeatures features = CandidateFeatures::counts;
  CandidateSplit split = CandidateSplit::by_source;
  torch::ScalarType type = torch::kFloat32;
  torch::Device device = torch::kCPU;
};

class SimplexPrediction final : public Task {
 public:
  SimplexPrediction(const ValueDataset& dataset, const RandomStream& stream,
                    SimplexPredictionOptions options);

  std::string name() const override { return "simplex-prediction"; }
  ModelOptions complete(ModelOptions options) const override;
  std::int64_t batch_count(Phase, std::int64_t) const override { return 1; }
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "loss"; }
  bool more_is_better() const override { return false; }

  /// The complex that carries messages; orders below k have the rows of the dataset.
  const SimplicialComplex& complex() const { return operators_.complex(); }
  const Split& split() const {
    return split_;
  }  ///< rows of order k in the dataset; train without the message part
  const Items& message() const { return message_; }

  // Untrained scores of the candidates of a phase, [n]; labels(phase) tells what they should be.
  Tensor smallest_face_value(Phase phase) const;  ///< minimum over the tuple
  Tensor message_coface_count(
      Phase phase) const;  ///< cofaces in the complex, summed over the faces of order k − 1
  Tensor harmonic_mean_score(Phase phase) const;
  Tensor labels(Phase phase) const;  ///< int64 [n]

 private:
  Tensor tuples(Phase phase, int order) const;  // int64 [n, C(k+1, order+1)]

  SimplexPredictionOptions options_;
  SimplicialComplex candidates_;  // of the dataset, up to order k
  Tensor positive_;               // int64 [N_k]
  Split split_;
  Items message_;
  std::vector<Tensor> values_;  // per order below k, [N] float64: what may be known of them
  ComplexOperators operators_{SimplicialComplex()};
};

/// "auc" in per cent and "loss".
class CandidateMeter final : public Meter {
 public:
  void add(const ModelOutput& output, const Batch& batch) override;
  Metrics value() const override;

 private:
  std::vector<Tensor> scores_, labels_;
};

}  // namespace gsan
