#pragma once

#include "gsan/core/options.h"
#include "gsan/tasks/shared/structure.h"
#include "gsan/tasks/simplex_prediction/candidate_split.h"

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
      {CandidateFeatures::counts_without_held_out, "counts-without-held-out"},
      {CandidateFeatures::constant, "constant"}};
};
/// What of the answers stands in the complex under the published protocol.
enum class CandidateLeak {
  none,            ///< it holds the positives to train on
  test_positives,  ///< it holds exactly the positives of the test part, as behind some printed numbers
};
template <>
struct EnumNames<CandidateLeak> {
  static constexpr std::pair<CandidateLeak, std::string_view> names[] = {
      {CandidateLeak::none, "none"}, {CandidateLeak::test_positives, "test-positives"}};
};

/// The tuple order by which the head reads every proper face of a candidate.
inline constexpr int all_faces = -1;

struct SimplexPredictionOptions {
  int order = 2;         ///< k of the candidates
  int tuple_order = 1;   ///< whose simplices of a candidate the head reads
  double threshold = 7;  ///< a candidate is positive when its value lies above
  double validation = 0.1, test = 0.1;
  double message = 0.5;  ///< share of the training positives that are in the complex
  CandidateFeatures features = CandidateFeatures::counts;
  CandidateSplit split = CandidateSplit::by_source;
  StructureChoice structure = StructureChoice::none;
  int batch_size = 0;                        ///< candidates of a training step; 0: all
  CandidateLeak leak = CandidateLeak::none;  ///< published only

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("order", self.order, "order of the candidates");
    visit("tuple_order", self.tuple_order,
          "order of the faces of a candidate that the head reads, one after the other; -1: every face, as "
          "sets");
    visit("threshold", self.threshold, "citation: a simplex is positive when its value lies above");
    visit("validation", self.validation, "share of the candidates that chooses the epoch");
    visit("test", self.test, "share of the candidates for the one look at the end");
    visit("message", self.message,
          "share of the training positives that are put into the complex, through which messages pass, and "
          "not into the loss");
    visit("features", self.features, "what the lower simplices carry");
    visit(
        "split", self.split,
        "by-group: no training candidate shares a source (a paper) with a held-out one; random: stratified");
    visit("structure", self.structure, structure_help);
    visit("batch_size", self.batch_size, "candidates of a training step; 0: all");
    visit("leak", self.leak,
          "published protocol: test-positives puts the answers of the test part into the complex, in the "
          "place of the training positives, as behind some printed numbers");
  }
};

}  // namespace gsan
