#include "apps/gsan/runner/sweep_ranking.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

#include "gsan/core/text.h"
#include "gsan/report/metric_values.h"
#include "gsan/report/statistics.h"

#include "apps/gsan/console/table.h"

namespace gsan::app {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Without a metric that chooses, validation is judged by what is shown first.
std::string validation_metric(const RunRecord& record) {
  return record.choosing_metric.empty() ? record.headline_metric : record.choosing_metric;
}

// {"mean": …, "sd": …, "values": [...]}; sd (of a sample) from two values on.
Json spread_json(const std::vector<double>& values) {
  Json object{{"mean", nullptr}, {"sd", nullptr}, {"values", values}};
  if (values.empty()) return object;
  const report::Spread spread = report::spread_of(values);
  object["mean"] = spread.mean;
  if (values.size() > 1) object["sd"] = spread.sd;
  return object;
}

std::string shown(const Json& number) {
  if (!number.is_number()) return "-";
  std::ostringstream text;
  text.precision(4);
  text << number.get<double>();
  return text.str();
}

std::string shown_spread(const Json& spread) {
  return spread["sd"].is_number() ? concat(shown(spread["mean"]), " +- ", shown(spread["sd"]))
                                  : shown(spread["mean"]);
}

Json trial_json(const SweepTrial& trial) {
  std::vector<double> validation, test;
  Json errors = Json::array(), runs = Json::array();
  for (const SweepOutcome& run : trial.runs) {
    Json entry{{"seed", run.seed}, {"folder", run.folder}};
    if (run.record) {
      validation.push_back(report::metric_value(run.record->validation, validation_metric(*run.record)));
      test.push_back(report::metric_value(run.record->test, run.record->headline_metric));
      entry["chosen_epoch"] = run.record->best_epoch + 1;
      entry["parameters"] = run.record->parameters;
      entry["seconds"] = run.record->seconds;
    } else {
      entry["error"] = run.error;
      errors.push_back(concat("seed ", run.seed, ": ", run.error));
    }
    runs.push_back(std::move(entry));
  }
  Json keys = Json::object();
  for (const auto& [key, value] : trial.keys) keys[key] = value;
  return {{"rank", nullptr},
          {"trial", trial.name},
          {"keys", keys},
          {"validation", spread_json(validation)},
          {"test", spread_json(test)},
          {"complete", trial.is_complete()},
          {"runs", runs},
          {"errors", errors}};
}

std::string plain(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "" : value.dump();
}

std::string values_text(const Json& values) { return joined(values, " ", plain); }

std::vector<std::string> keys_of(const Json& ranking) {
  std::vector<std::string> keys;
  if (!ranking["trials"].empty())
    for (const auto& [key, value] : ranking["trials"][0]["keys"].items()) keys.push_back(key);
  return keys;
}

std::string run_count(const Json& trial) {
  const std::size_t done = trial["validation"]["values"].size(), all = trial["runs"].size();
  return done == all ? std::to_string(all) : concat(done, " of ", all);
}

}  // namespace

bool SweepTrial::is_complete() const {
  return std::all_of(runs.begin(), runs.end(),
                     [](const SweepOutcome& run) { return run.record.has_value(); });
}

Json ranking_json(std::vector<SweepTrial> trials) {
  Json ranking{{"validation_metric", ""}, {"test_metric", ""}, {"more_is_better", true}};
  bool more_is_better = true;
  for (const SweepTrial& trial : trials) {
    for (const SweepOutcome& run : trial.runs) {
      if (!run.record) continue;
      ranking["validation_metric"] = validation_metric(*run.record);
      ranking["test_metric"] = run.record->headline_metric;
      ranking["more_is_better"] = more_is_better = run.record->more_is_better;
    }
  }
  std::vector<Json> rows;
  for (const SweepTrial& trial : trials) rows.push_back(trial_json(trial));
  // A smaller key stands before; a mean that is no number, like an incomplete trial, behind all others.
  const auto key = [&](const Json& row) {
    const double mean = row["validation"]["mean"].is_number() ? row["validation"]["mean"].get<double>() : nan;
    if (!row["complete"] || std::isnan(mean)) return std::numeric_limits<double>::infinity();
    return more_is_better ? -mean : mean;
  };
  std::stable_sort(rows.begin(), rows.end(), [&](const Json& a, const Json& b) { return key(a) < key(b); });
  int rank = 0;
  for (Json& row : rows)
    if (std::isfinite(key(row))) row["rank"] = ++rank;
  ranking["trials"] = std::move(rows);
  return ranking;
}

std::string ranking_text(const Json& ranking) {
  const std::vector<std::string> keys = keys_of(ranking);
  std::vector<std::string> header{"rank", "trial"};
  header.insert(header.end(), keys.begin(), keys.end());
  const std::string validation = plain(ranking["validation_metric"]), test = plain(ranking["test_metric"]);
  header.insert(header.end(), {concat("validation ", validation), concat("test ", test), "runs"});
  Table table(header);
  std::string errors;
  for (const Json& trial : ranking["trials"]) {
    std::vector<std::string> row{trial["rank"].is_null() ? "-" : trial["rank"].dump(), plain(trial["trial"])};
    for (const std::string& key : keys) row.push_back(plain(trial["keys"][key]));
    row.insert(row.end(), {shown_spread(trial["validation"]), shown_spread(trial["test"]), run_count(trial)});
    table.add(std::move(row));
    for (const Json& error : trial["errors"])
      errors += concat(plain(trial["trial"]), ", ", plain(error), "\n");
  }
  return concat(table.text(), "ranked by validation ", validation, ", ",
                ranking["more_is_better"] ? "more" : "less",
                " is better; the test part takes no part in the ranking\n", errors);
}

std::string ranking_csv(const Json& ranking) {
  const std::vector<std::string> keys = keys_of(ranking);
  std::string text = "rank,trial";
  for (const std::string& key : keys) text += concat(",", csv_field(key));
  text +=
      ",validation_mean,validation_sd,validation_values,test_mean,test_sd,test_values,runs_done,runs,error\n";
  for (const Json& trial : ranking["trials"]) {
    text += concat(plain(trial["rank"]), ",", plain(trial["trial"]));
    for (const std::string& key : keys) text += concat(",", csv_field(plain(trial["keys"][key])));
    for (const char* part : {"validation", "test"}) {
      const Json& spread = trial[part];
      text +=
          concat(",", plain(spread["mean"]), ",", plain(spread["sd"]), ",", values_text(spread["values"]));
    }
    text += concat(",", trial["validation"]["values"].size(), ",", trial["runs"].size(), ",",
                   csv_field(trial["errors"].empty() ? "" : plain(trial["errors"][0])), "\n");
  }
  return text;
}

}  // namespace gsan::app
