#pragma once
// Which simplices of order k belong to the complex (Table IV).
//
// The complex that carries messages holds all lower orders and, of order k, a share of the positives of the
// training set; the loss is taken on the others. No simplex of the validation or test set is in it, nor any
// of its cofaces.

#include <optional>

#include "gsan/data/datasets.h"
#include "gsan/data/split.h"
#include "gsan/hodge/operators.h"
#include "gsan/tasks/shared/placement.h"
#include "gsan/tasks/simplex_prediction/candidate_meter.h"
#include "gsan/tasks/simplex_prediction/options.h"
#include "gsan/tasks/task.h"

namespace gsan {

class SimplexPrediction : public Task {
 public:
  /// The candidates of the dataset, divided by the options and the stream. Simplices of order k that are no
  /// candidates are in the complex; candidates of unknown label are in no part. `own`: parts that take the
  /// place of those of the options; the share of the message is still drawn.
  SimplexPrediction(CandidateDataset dataset, const RandomStream& stream,
                    const SimplexPredictionOptions& options, const Placement& placement = {},
                    const std::optional<Split>& own = {});
  /// Divided by the caller; `order`: of the batches.
  SimplexPrediction(CandidateDataset dataset, CandidateParts parts, const SimplexPredictionOptions& options,
                    const Placement& placement = {}, const RandomStream& order = {0, "order"});

  std::string name() const override { return "simplex-prediction"; }
  ModelShape shape() const override;
  std::int64_t batch_count(Phase phase, std::int64_t epoch) const override;
  int item_order() const override { return dataset_.order; }
  Batch batch(Phase phase, std::int64_t epoch, std::int64_t step) const override;
  Tensor loss(const ModelOutput& output, const Batch& batch) const override;
  std::unique_ptr<Meter> meter(Phase phase) const override;
  std::string choosing_metric() const override { return "loss"; }
  bool more_is_better() const override { return false; }
  std::vector<std::pair<std::string, Items>> parts() const override;
  std::string headline_metric() const override { return "auc"; }
  std::vector<RuleResult> rules(Phase phase) const override;
  /// What the complex holds, and what simplices without features carry.
  std::vector<std::string> notes() const override;
  /// A row per candidate: its vertices, its probability to belong to the complex, whether its label is known,
  /// its part, its label.
  /// Of data that are candidates of the user's own all of them; of candidates that were made of values, where
  /// all labels are known, those of the test part.
  Prediction predict(Model& model) const override;
  std::vector<JudgedItem> worst_items(Model& model, Phase phase, std::int64_t count) const override;

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

 protected:
  const SimplexPredictionOptions& options() const { return options_; }

 private:
  Batch batch_of(const Items& items) const;
  Tensor faces_of(const Items& items, int order) const;  // int64 [n, C(k+1, order+1)], lexicographic
  Tensor given_features(int order) const;  // [N, F] float64: what may be known of a lower order; or undefined
  int value_order() const;                 // whose values the rules compare
  bool has_values() const;                 // one number per simplex of that order, none below 0

  CandidateDataset dataset_;
  CandidateParts parts_;
  SimplexPredictionOptions options_;
  Placement placement_;
  RandomStream order_;
  Cochains given_, features_;  // per order below k, [N, F] float64: of the data (or undefined), of the input
  std::vector<Tensor> faces_;  // per order below k: those of every k-simplex, int64 [N_k, C(k+1, order+1)]
  SimplicialComplex message_complex_;
  ComplexOperators operators_{SimplicialComplex()};
};

/// Positives and negatives are split at random; the complex of all phases holds all positives of the training
/// set, and the loss is on all its candidates, those in the complex included.
class PublishedSimplexPrediction final : public SimplexPrediction {
 public:
  PublishedSimplexPrediction(CandidateDataset dataset, const RandomStream& stream,
                             const SimplexPredictionOptions& options, const Placement& placement = {},
                             const std::optional<Split>& own = {});
  std::vector<std::string> remarks() const override;
};

}  // namespace gsan
