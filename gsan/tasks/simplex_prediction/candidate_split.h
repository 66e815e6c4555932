#pragma once
// Candidates of simplex prediction: where they come from and which part each belongs to.

#include <vector>

#include "gsan/core/options.h"
#include "gsan/core/random.h"
#include "gsan/data/datasets.h"
#include "gsan/data/split.h"

namespace gsan {

/// What a split must not cut through.
enum class CandidateSplit {
  by_source,  ///< every candidate with a source of the held-out set is held out
  random,
};

template <>
struct EnumNames<CandidateSplit> {
  static constexpr std::pair<CandidateSplit, std::string_view> names[] = {
      {CandidateSplit::by_source, "by-group"}, {CandidateSplit::random, "random"}};
};

/// Every simplex of order k is a candidate, positive when its value lies above the threshold; the values of
/// the lower orders are their features. A value that is NaN is an unknown label.
CandidateDataset candidates_of(const ValueDataset& dataset, int order, double threshold);

struct CandidateParts {
  Split split;                 ///< rows of order k; train: those with a loss
  Items message;               ///< positives that stand in the complex of all phases
  std::vector<bool> held_out;  ///< per source: of a candidate to choose or to test by
};

/// Candidates of known label only. `message`: share of the positives to train on that go to the message part.
/// by_source: one source may have most candidates of a part, all of one class. So the sources are drawn
/// again, up to 200 times, until every part has both classes; the last draw stands where none has.
CandidateParts divide_candidates(const CandidateDataset& dataset, CandidateSplit how, double validation,
                                 double test, double message, const RandomStream& stream);
/// The same with parts of the caller, rows of known label.
CandidateParts divide_candidates(const CandidateDataset& dataset, Split split, double message,
                                 const RandomStream& stream);

/// To judge a trained model by: every candidate of known label is in the test part, and no label is in the
/// complex. `uses_positives`: those known to belong to the complex are in it, and in no part.
CandidateParts judged_candidates(const CandidateDataset& dataset, bool uses_positives = false);

}  // namespace gsan
