#pragma once
// The cards of a report on runs. A card without content is left out: each function gives nothing then.

#include <optional>
#include <span>

#include "gsan/report/html/page.h"
#include "gsan/report/html/run_evaluation.h"
#include "gsan/report/html/run_facts.h"

namespace gsan::report::html {

/// A run as the page shows it.
struct ReportedRun {
  RunFacts facts{};
  RunEvaluation evaluation{};
};

// Of one run.
std::optional<Card> missing_card(const ReportedRun& run);   ///< what is not there, and why
std::optional<Card> warnings_card(const ReportedRun& run);  ///< what the run shows that one should know
Card result_card(const ReportedRun& run);                   ///< task, data, model, protocol; the headline
std::optional<Card> metrics_card(const ReportedRun& run);   ///< beside the rules and the paper
std::optional<Card> details_card(const ReportedRun& run);   ///< every metric; scores of the classes
std::optional<Card> confusion_card(const ReportedRun& run);
std::optional<Card> worst_items_card(const ReportedRun& run);
std::optional<Card> attention_card(const ReportedRun& run);
std::optional<Card> decomposition_card(const ReportedRun& run);
std::optional<Card> repeat_card(const ReportedRun& run);  ///< command and complete config
Card environment_card(const ReportedRun& run);

// Of one run or several.
std::optional<Card> curves_card(std::span<const ReportedRun> runs);

// Of several.
Card comparison_card(std::span<const ReportedRun> runs);  ///< metrics, a column per run
std::optional<Card> differences_card(std::span<const ReportedRun> runs);

}  // namespace gsan::report::html
