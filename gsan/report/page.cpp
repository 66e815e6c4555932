#include "gsan/report/page.h"

#include <map>
#include <sstream>

#include "gsan/core/atomic_file.h"
#include "gsan/core/options.h"
#include "gsan/report/agreement.h"
#include "gsan/report/estimate.h"
#include "gsan/report/forms.h"
#include "gsan/report/script_numbers.h"
#include "gsan/report/sources.h"
#include "gsan/report/targets.h"

namespace gsan::report {
namespace fs = std::filesystem;
namespace {

// Of exactly so many words, which `form` shows.
Texts split(const std::string& text, char at, std::size_t count, const char* form) {
  Texts parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  if (!text.empty() && text.back() == at) parts.emplace_back();
  if (parts.size() != count) fail(Fault::format, "the page: {{", form, "}}, not {{… ", text, "}}");
  return parts;
}

class Page {
 public:
  Page(const fs::path& experiments, const fs::path& results, const RecordStore& store)
      : experiments_(experiments), results_(results), store_(store), file_(read_tables(experiments)) {
    for (const Protocol protocol : {Protocol::strict, Protocol::published}) {
      PlanChoice choice;
      choice.protocol = protocol;
      tables_.emplace(protocol, measure_tables(make_plan(experiments, choice), store));
    }
  }

  std::string value_of(const std::string& placeholder) const {
    const std::size_t blank = placeholder.find(' ');
    const std::string what = placeholder.substr(0, blank);
    const std::string rest = blank == placeholder.npos ? "" : placeholder.substr(blank + 1);
    if (what == "table") return table_markdown(table(split(rest, ' ', 2, "table NAME PROTOCOL")), true);
    if (what == "targets") return targets();
    if (what == "agreement") return markdown_table(shown_agreement(tables_.at(Protocol::published)));
    if (what == "misses") return markdown_table(shown_misses(tables_.at(Protocol::published)));
    if (what == "records") return rest.empty() ? records() : records_of(rest);
    if (what == "estimate") return expected_text(time_of(rest), jobs);
    if (what == "within") return within(split(rest, ' ', 2, "within PROTOCOL HOURS"));
    if (what == "script") {
      const Texts words = split(rest, ' ', 2, "script FILE TABLE");
      return script_numbers_markdown(results_, words[0], words[1]);
    }
    if (what == "cell" || what == "last" || what == "own-best") return number(what, cell(rest));
    fail(Fault::format, "the page has no {{", placeholder, "}}");
  }

 private:
  // By the first two words.
  const MeasuredTable& table(const Texts& words) const {
    for (const MeasuredTable& one : tables_.at(parse_enum<Protocol>(words[1], "the protocol of the page")))
      if (one.name == words[0]) return one;
    fail(Fault::format, "the page asks for the table '", words[0], "'");
  }

  std::string targets() const {
    std::vector<JudgedTarget> all;
    for (const auto& [protocol, tables] : tables_)
      for (JudgedTarget& target : judge_targets(file_.targets, tables)) all.push_back(std::move(target));
    return markdown_table(shown_targets(all));
  }

  std::string records() const {
    const Sources sources = sources_of(store_);
    if (sources.models + sources.rules == 0) return "There are no records yet.\n";
    std::string text = "- " + sources.summary();
    if (sources.by_hand > 0)
      text += concat("; beside them ", sources.by_hand, " with changed settings (--set, --time)");
    return concat(text, "\n- machine: ", counted(sources.machines), "\n- built: ", counted(sources.builds),
                  "\n- commit: ", counted(sources.commits), "\n");
  }

  std::string records_of(const std::string& rest) const {
    const Texts words = split(rest, ' ', 2, "records NAME PROTOCOL");
    const MeasuredTable& one = table(words);
    const Sources sources = sources_of(store_, one.name, one.protocol);
    const std::string command = concat("`gsan reproduce ", words[0], " --protocol ", words[1], "`: ");
    if (sources.models + sources.rules == 0) return command + "no run yet";
    return concat(command, sources.summary(), "; ", counted(sources.machines), "; commits ",
                  counted(sources.commits));
  }

  // Of one seed of every cell.
  ExpectedTime time_of(const std::string& protocol) const {
    PlanChoice choice;
    choice.protocol = parse_enum<Protocol>(protocol, "the protocol of the page");
    choice.seeds = 1;
    return expected_time(make_plan(experiments_, choice), TimeEstimate(store_, file_.same_work));
  }

  std::string within(const Texts& words) const {
    const ExpectedTime time = time_of(words[0]);
    double hours = 0;
    options::from_text(words[1], hours);
    return time.seconds > 3600 * jobs * hours ? "missed" : time.unknown > 0 ? "not known yet" : "met";
  }

  const MeasuredCell& cell(const std::string& rest) const {
    const Texts words = split(rest, '|', 5, "cell NAME|PROTOCOL|BLOCK|ROW|COLUMN");
    if (const MeasuredBlock* block = table(words).block(words[2]))
      for (const MeasuredRow& row : block->rows)
        if (const MeasuredCell* found = row.cell(words[4]); found != nullptr && row.name == words[3])
          return *found;
    fail(Fault::format, "the page asks for a cell that no table has: ", words[3], ", ", words[4]);
  }

  static std::string number(const std::string& what, const MeasuredCell& cell) {
    if (!cell.is_measured()) return "(not measured yet)";
    if (what == "cell") return shown_cell(cell, "±");
    const std::optional<double>& value = what == "last" ? cell.last : cell.own_best;
    return value ? shown_number(*value, std::nullopt, "±") : "-";
  }

  static constexpr int jobs = 2;  // of the machine that the estimate speaks of
  fs::path experiments_, results_;
  const RecordStore& store_;
  TablesFile file_;
  std::map<Protocol, std::vector<MeasuredTable>> tables_;
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

}  // namespace gsan::report
