#pragma once
// Which simplices of order k belong to the complex (Table IV).
//
// strict: the complex that carries messages holds all lower orders and, of order k, a share of the positives
// to train on; the loss is taken on the others. No simplex to choose or to test by is in it, nor any of its
// cofaces.
//
// published: positives and negatives are split at random; the complex of all phases holds all positives to
// train on, and the loss is on all candidates to train on, those in the complex included.

#include "gsan/data/datasets.h"
#include "gsan/data/split.h"
#include "gsan/tasks/candidate_split.h"
#include "gsan/tasks/classification.h"
#include "gsan/tasks/task.h"

namespace gsan {

/// What the simplices of the lower orders carry.
enum class CandidateFeatures {
  counts,                   ///< their values
  counts_without_held_out,  ///< their values without what comes from sources of held-out candidates
  constant,                 ///< 1: topology only
};
template <>
struct EnumNames<CandidateFeatures> {
  static constexpr std::pair<CandidateFeatures, std::string_view> names[] = {
      {CandidateFeatures::counts, "counts"},
      {CandidateFeatures::counts_without_held_out, "counts-without-held-out-papers"},
      {CandidateFeatures::constant, "constant"}};
};
struct SimplexPredictionOptions {
  int order = 2;         ///< k of the candidates
  int tuple_order = 1;   ///< whose simplices of a candidate the head reads
  double threshold = 7;  ///< a candidate is positive when its value lies above
  double validation = 0.1, test = 0.1;
  double message = 0.5;  ///< share of the positives to train on that carry messages
  CandidateFeatures features = CandidateFeatures::counts;
  CandidateSplit split = CandidateSplit::by_source;
  Protocol protocol = Protocol::strict;
  Placement placement{};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order, "order of the candidates");
    visit("tuple_order", self.tuple_order, "order of the faces of a candidate that the head reads");
    visit("threshold", self.threshold, "citation: a simplex is positive when its value lies above");
    visit("validation", self.validation, "share of the candidates that chooses the epoch");
    visit("test", self.test, "share of the candidates for the one look at the end");
    visit("message", self.message, "share of the positives to train on that stand in the complex");
    visit("features", self.features, "what the lower simplices carry");
    visit("split", self.split,
          "by-paper: no candidate to train on has a paper of the held-out set; random: stratified");
  }
};

class SimplexPrediction final : public Task {
 public:
  /// The candidates of the dataset, divided by the options and the stream. Simplices of order k that are no
  /// candidates stand in the complex; candidates of unknown label are in no part.
  SimplexPrediction(CandidateDataset dataset, const RandomStream& stream, SimplexPredictionOptions options);
  /// With candidates_of(dataset, options.order, options.threshold).
  SimplexPrediction(const ValueDataset& dataset, const RandomStream& stream,
                    SimplexPredictionOptions options);
  /// Divided by the caller.
  SimplexPrediction(CandidateDataset dataset, CandidateParts parts, SimplexPredictionOptions options);

  std::string name() const override { return "simplex-prediction"; }
  ModelOptions complete(ModelOptions options) const override;
  std::int64_t batch_count(Phase, std::int64_t) const override { return 1; }
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "loss"; }
  bool more_is_better() const override { return false; }
  std::vector<std::pair<std::string, Items>> parts() const override;
  std::string headline_metric() const override { return "auc"; }
  std::vector<std::string> remarks() const override;
  std::vector<BaselineResult> baselines(Phase phase) const override;

  /// The complex that carries messages; orders below k have the rows of the dataset.
  const SimplicialComplex& complex() const { return message_complex_; }
  const Split& split() const { return parts_.split; }  ///< rows of order k; train: those with a loss
  const Items& message() const { return parts_.message; }
  const CandidateDataset& dataset() const { return dataset_; }

  // Untrained scores of the candidates of a phase, [n]; labels(phase) tells what they should be.
  Tensor smallest_face_value(Phase phase) const;  ///< minimum over the tuple
  /// k-simplices of the complex on each edge of the candidate (k = 1: on each vertex), summed; a candidate
  /// that is in it does not count itself.
  Tensor message_coface_count(Phase phase) const;
  Tensor harmonic_mean_score(Phase phase) const;
  Tensor labels(Phase phase) const;  ///< int64 [n], 1, 0 or unknown_label

 private:
  Tensor tuples(Phase phase, int order) const;  // int64 [n, C(k+1, order+1)]
  Tensor feature_table(int order) const;        // [N, F] float64: what may be known of a lower order
  bool has_values() const;                      // one number per simplex that the head reads

  CandidateDataset dataset_;
  CandidateParts parts_;
  SimplexPredictionOptions options_;
  Cochains features_;  // per order below k, [N, F] float64
  SimplicialComplex message_complex_;
  ReorderedComplex reordered_{SimplicialComplex(), VertexOrder::given};
};

/// "auc" in per cent, where both classes occur, and "loss"; unknown labels do not count.
class CandidateMeter final : public Meter {
 public:
  void add(const ModelOutput& output, const Batch& batch) override;
  void add(const Tensor& scores, const Tensor& labels);  ///< [n] each
  Metrics value() const override;

 private:
  std::vector<Tensor> scores_, labels_;
};

}  // namespace gsan
