#include "gsan/report/html/run_page.h"

#include <algorithm>
#include <iterator>

#include "gsan/core/check.h"
#include "gsan/core/text.h"
#include "gsan/report/html/cards.h"

namespace gsan::report::html {
namespace fs = std::filesystem;
namespace {

void add(std::vector<Card>& cards, std::optional<Card> card) {
  if (card) cards.push_back(std::move(*card));
}

// Runs whose folders have the same name, as those of several sweeps, are called by their paths.
void tell_apart(std::vector<ReportedRun>& runs) {
  for (ReportedRun& run : runs) {
    const auto is_same = [&](const ReportedRun& other) {
      return &other != &run && other.facts.path.filename() == run.facts.path.filename();
    };
    if (std::any_of(runs.begin(), runs.end(), is_same)) run.facts.name = run.facts.path.string();
  }
}

std::string title_of(const RunFacts& facts) {
  if (!facts.settings) return facts.name;
  return concat(facts.settings->task.name, " on ", facts.settings->task.data.name);
}

std::string lead_of(const RunFacts& facts) {
  if (!facts.settings) return concat("run ", facts.name);
  return concat(facts.settings->model.name, ", protocol ", name_of(facts.settings->task.protocol), ", seed ",
                facts.settings->seed, " · run ", facts.name, " · ", facts.manifest.status);
}

// Signals are those of the data: pictures that an earlier run of the page shows are not repeated.
void leave_out_repeated_pictures(std::vector<ReportedRun>& runs) {
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    const auto is_same = [&](const ReportedRun& other) {
      return other.evaluation.decompositions == run->evaluation.decompositions;
    };
    if (std::any_of(std::next(run), runs.rend(), is_same)) run->evaluation.decompositions.clear();
  }
}

// Cards that belong to a run alone; their ids begin with `prefix`.
std::vector<Card> own_cards(const ReportedRun& run, const std::string& prefix, std::vector<Card> first) {
  std::vector<Card> cards = std::move(first);
  add(cards, details_card(run));
  add(cards, confusion_card(run));
  add(cards, worst_items_card(run));
  add(cards, decomposition_card(run));
  add(cards, attention_card(run));
  add(cards, repeat_card(run));
  cards.push_back(environment_card(run));
  for (Card& card : cards) card.id = prefix + card.id;
  return cards;
}

std::vector<Card> opening_cards(const ReportedRun& run) {
  std::vector<Card> cards;
  add(cards, warnings_card(run));
  add(cards, missing_card(run));
  cards.push_back(result_card(run));
  return cards;
}

Page page_of(const std::vector<ReportedRun>& runs) {
  Page page;
  page.kind = "gsan report";
  page.footer = concat("Written by gsan ", make_manifest(0).gsan,
                       ". The page is complete by itself: it loads nothing from anywhere.");
  if (runs.size() == 1) {
    const ReportedRun& run = runs.front();
    page.title = title_of(run.facts), page.lead = lead_of(run.facts);
    std::vector<Card> first = opening_cards(run);
    add(first, metrics_card(run));
    add(first, curves_card(runs));
    page.parts.push_back({"", own_cards(run, "", std::move(first))});
    return page;
  }
  page.title = concat(runs.size(), " runs side by side");
  page.lead = joined(runs, " · ", [](const ReportedRun& run) { return run.facts.name; });
  Part together{"", {comparison_card(runs)}};
  add(together.cards, differences_card(runs));
  add(together.cards, curves_card(runs));
  page.parts.push_back(std::move(together));
  for (std::size_t i = 0; i < runs.size(); ++i)
    page.parts.push_back(
        {runs[i].facts.name, own_cards(runs[i], concat("run", i + 1, "-"), opening_cards(runs[i]))});
  return page;
}

}  // namespace

std::string run_page(const std::vector<fs::path>& runs, const RunPageOptions& options) {
  GSAN_CHECK(!runs.empty(), "report: no runs; give at least one run folder");
  std::vector<ReportedRun> reported;
  for (const fs::path& run : runs) reported.push_back({read_run_facts(run), {}});
  tell_apart(reported);
  for (ReportedRun& run : reported) {
    if (options.opens_data) {
      run.evaluation = evaluate_run(run.facts, options.device);
    } else {
      run.evaluation.missing.push_back(
          "Worst items and pictures were not asked for: they need the data and the weights.");
    }
  }
  leave_out_repeated_pictures(reported);
  return page_text(page_of(reported));
}

}  // namespace gsan::report::html
