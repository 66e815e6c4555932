#include "apps/gsan/reproduce_page.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <sstream>

#include "gsan/core/atomic_file.h"

#include "apps/gsan/reproduce_estimate.h"
#include "apps/gsan/reproduce_flaws.h"
#include "apps/gsan/reproduce_report.h"
#include "apps/gsan/reproduce_runs.h"
#include "apps/gsan/reproduce_targets.h"

namespace gsan::app {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  if (!text.empty() && text.back() == at) parts.emplace_back();
  return parts;
}

class Page {
 public:
  Page(const fs::path& experiments, const fs::path& results, const RecordStore& store)
      : experiments_(experiments), results_(results), store_(store) {
    for (const Protocol protocol : {Protocol::published, Protocol::strict}) {
      PlanChoice choice;
      choice.protocol = protocol;
      reports_.emplace(std::string(name_of(protocol)), tables_json(make_plan(experiments, choice), store));
    }
  }

  std::string value_of(const std::string& placeholder) const {
    const std::size_t blank = placeholder.find(' ');
    const std::string what = placeholder.substr(0, blank);
    const std::string rest = blank == placeholder.npos ? "" : placeholder.substr(blank + 1);
    if (what == "table") return table(split(rest, ' '));
    if (what == "targets") return targets();
    if (what == "records") return rest.empty() ? records() : records_of(split(rest, ' '));
    if (what == "estimate") return estimate(rest);
    if (what == "within") return within(split(rest, ' '));
    if (what == "flaws") return flaws_markdown(results_, rest);
    if (what == "cell" || what == "last" || what == "own-best") return cell(what, split(rest, '|'));
    fail(Fault::format, "the page has no {{", placeholder, "}}");
  }

 private:
  const Json& report(const std::string& protocol) const {
    const auto found = reports_.find(protocol);
    if (found == reports_.end()) fail(Fault::format, "the page asks for the protocol '", protocol, "'");
    return found->second;
  }

  const Json& table_json(const std::string& name, const std::string& protocol) const {
    for (const Json& one : report(protocol)["tables"])
      if (one["name"] == name) return one;
    fail(Fault::format, "the page asks for the table '", name, "'");
  }

  std::string table(const std::vector<std::string>& words) const {
    if (words.size() != 2) fail(Fault::format, "the page: {{table NAME PROTOCOL}}");
    return table_markdown(measured(table_json(words[0], words[1])));
  }

  // Rows and blocks of which nothing is measured are named; shown only where the paper has a number of the
  // same protocol, or quotes it.
  static Json measured(Json table) {
    const bool is_published = table["protocol"] == "published";
    const auto is_empty = [](const Json& row) {
      return std::none_of(row["cells"].begin(), row["cells"].end(),
                          [](const Json& cell) { return cell["mean"].is_number(); });
    };
    const auto is_printed = [&](const Json& row) {
      return is_published && std::any_of(row["cells"].begin(), row["cells"].end(),
                                         [](const Json& cell) { return cell["printed"].is_object(); });
    };
    Json blocks = Json::array();
    std::map<std::string, std::vector<std::string>> missing;  // row → blocks
    const std::size_t all_blocks = table["blocks"].size();
    for (Json& block : table["blocks"]) {
      Json rows = Json::array();
      for (Json& row : block["rows"]) {
        const bool is_missing = row["kind"] != "quoted" && is_empty(row);
        if (is_missing) missing[row["name"].get<std::string>()].push_back(block["name"].get<std::string>());
        if (!is_missing || is_printed(row)) rows.push_back(std::move(row));
      }
      block["rows"] = std::move(rows);
      const bool has_own = std::any_of(block["rows"].begin(), block["rows"].end(),
                                       [](const Json& row) { return row["kind"] != "quoted"; });
      if (has_own) blocks.push_back(std::move(block));
    }
    table["blocks"] = std::move(blocks);
    std::string text;
    for (const auto& [row, where] : missing) {
      text += concat(text.empty() ? "" : "; ", row);
      for (std::size_t i = 0; i < where.size() && where.size() < all_blocks; ++i)
        text += concat(i == 0 ? " (" : ", ", where[i], i + 1 == where.size() ? ")" : "");
    }
    if (!text.empty())
      table["says"] = concat(table["says"].get<std::string>(), " Not measured yet: ", text, ".");
    return table;
  }

  std::string targets() const {
    const Json file = Json::parse(read_file(experiments_ / "tables.json"));
    Json all = Json::array();
    for (const auto& [protocol, one] : reports_)
      for (Json& target : judge_targets(file.value("targets", Json::array()), one))
        all.push_back(std::move(target));
    return targets_markdown(all);
  }

  std::string records() const {
    const Origin origin = origin_of("");
    if (origin.runs == 0) return "There are no records yet.\n";
    const std::string others = origin.changed > 0 ? concat("; beside them ", origin.changed,
                                                           " with changed settings (--set, --time)")
                                                  : "";
    return concat("- ", origin.summary(), others, "\n- machine: ", list(origin.machines),
                  "\n- built: ", list(origin.builds), "\n- commit: ", list(origin.commits), "\n");
  }

  // One line about the records of a table.
  std::string records_of(const std::vector<std::string>& words) const {
    if (words.size() != 2) fail(Fault::format, "the page: {{records NAME PROTOCOL}}");
    table_json(words[0], words[1]);  // which must exist
    const Origin origin = origin_of(concat(words[0], "/", words[1], "/"));
    const std::string command = concat("`gsan reproduce ", words[0], " --protocol ", words[1], "`: ");
    if (origin.runs == 0) return command + "no run yet";
    std::map<std::string, int> commits;
    for (const auto& [name, count] : origin.commits)
      commits[name.substr(0, 7) + (name.ends_with("-dirty") ? "-dirty" : "")] += count;
    return concat(command, origin.summary(), "; ", list(origin.machines), "; commits ", list(commits));
  }

  // Where records come from: names with their number of runs.
  struct Origin {
    std::map<std::string, int> commits, machines, builds;
    std::string first, last;
    double seconds = 0;
    int runs = 0, changed = 0;

    std::string summary() const {
      char hours[32];
      std::snprintf(hours, sizeof hours, "%.1f h", seconds / 3600);
      return concat(runs, " runs, ", first, " to ", last, ", ", hours, " of computing");
    }
  };

  // Of the records whose files begin so.
  Origin origin_of(const std::string& folder) const {
    Origin origin;
    for (const auto& [file, record] : store_.all()) {
      if (!file.generic_string().starts_with(folder)) continue;
      if (!record.foreign.empty()) {
        ++origin.changed;
        continue;
      }
      ++origin.runs;
      origin.seconds += record.result.seconds;
      ++origin.commits[record.commit.empty() ? "unknown" : record.commit];
      const bool is_cpu = record.device == "cpu";
      ++origin.machines[is_cpu ? record.machine : concat(record.machine, ", ", record.device)];
      ++origin.builds[concat("gsan ", record.version, ", torch ", record.torch, ", ", record.compiler)];
      if (origin.first.empty() || record.started < origin.first) origin.first = record.started;
      if (record.ended > origin.last) origin.last = record.ended;
    }
    return origin;
  }

  static std::string list(const std::map<std::string, int>& entries) {
    std::string text;
    for (const auto& [name, number] : entries)
      text += concat(text.empty() ? "" : "; ", name, " (", number, ")");
    return text;
  }

  // Of one seed of every cell.
  ExpectedTime time_of(const std::string& protocol) const {
    PlanChoice choice;
    choice.protocol = parse_enum<Protocol>(protocol, "the protocol of the page");
    choice.seeds = 1;
    return expected_time(make_plan(experiments_, choice), TimeEstimate(store_));
  }

  std::string estimate(const std::string& protocol) const { return expected_text(time_of(protocol), jobs); }

  // Whether that takes at most so many hours.
  std::string within(const std::vector<std::string>& words) const {
    if (words.size() != 2) fail(Fault::format, "the page: {{within PROTOCOL HOURS}}");
    const ExpectedTime time = time_of(words[0]);
    double hours = 0;
    options::from_text(words[1], hours);
    return time.seconds > 3600 * jobs * hours ? "missed" : time.unknown > 0 ? "not known yet" : "met";
  }

  std::string cell(const std::string& what, const std::vector<std::string>& words) const {
    if (words.size() != 5) fail(Fault::format, "the page: {{", what, " NAME|PROTOCOL|BLOCK|ROW|COLUMN}}");
    for (const Json& block : table_json(words[0], words[1])["blocks"]) {
      if (block["name"] != words[2]) continue;
      for (const Json& row : block["rows"]) {
        if (row["name"] != words[3]) continue;
        for (const Json& one : row["cells"])
          if (one["column"] == words[4]) return shown(what, one);
      }
    }
    fail(Fault::format, "the page asks for a cell that no table has: ", words[3], ", ", words[4]);
  }

  static std::string shown(const std::string& what, const Json& cell) {
    if (!cell["mean"].is_number()) return "(not measured yet)";
    if (what == "last") return shown_number(cell["last_epoch"], nullptr, "±");
    if (what == "own-best") return shown_number(cell.value("own_best", Json()), nullptr, "±");
    return concat(shown_number(cell["mean"], cell["sd"], "±"), " (", cell["runs"].get<std::string>(), ")");
  }

  static constexpr int jobs = 2;  // of the machine that the target speaks of
  fs::path experiments_, results_;
  const RecordStore& store_;
  std::map<std::string, Json> reports_;
};

}  // namespace

std::string results_page(const fs::path& experiments, const fs::path& results, const fs::path& page_template,
                         const RecordStore& store) {
  const Page page(experiments, results, store);
  std::string text = read_file(page_template);
  for (std::size_t open = text.find("{{"); open != text.npos; open = text.find("{{", open)) {
    const std::size_t close = text.find("}}", open);
    if (close == text.npos) fail(Fault::format, page_template.string(), ": a {{ without its }}");
    const std::string value = page.value_of(text.substr(open + 2, close - open - 2));
    text.replace(open, close + 2 - open, value);
    open += value.size();
  }
  return text;
}

}  // namespace gsan::app
