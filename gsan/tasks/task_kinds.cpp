#include "gsan/tasks/task_kinds.h"

#include <algorithm>

#include "gsan/core/nearest.h"
#include "gsan/data/item_marks.h"

namespace gsan {

#define GSAN_TASK(name) extern const TaskKind name##_task;
#include "gsan/tasks/tasks.def"
#undef GSAN_TASK

namespace {

const TaskKind* const table[] = {
#define GSAN_TASK(name) &name##_task,
#include "gsan/tasks/tasks.def"
#undef GSAN_TASK
};

void check_own_split(const SplitSettings& split, Faults& faults) {
  const std::string by(name_of(split.by));
  faults.require(split.by == SplitBy::time || split.borders.empty(),
                 "split.borders are times, so they need split.by=time, got split.by=", by);
  if (split.by == SplitBy::time && !split.borders.empty()) {
    const auto first = parse_time(split.borders.front()), second = parse_time(split.borders.back());
    faults.require(
        split.borders.size() == 2 && first && second && first->is_date == second->is_date &&
            first->value <= second->value,
        "split.borders must be two numbers or two dates, the earlier one first, such as [10, 20] or "
        "[2023-12-31, 2024-06-30], got ",
        options::to_text(split.borders));
  }
  faults.require(split.file.empty() || split.by == SplitBy::automatic,
                 "split.file and split.by exclude each other: set split.by=automatic, got split.by=", by);
  faults.require(split.folds == 0 || (split.by != SplitBy::part && split.by != SplitBy::time),
                 "split.folds are for split.by=random or group, got split.by=", by, ": set split.folds=0");
}

void check_shares(const TaskSettings& settings, Faults& faults) {
  const SplitSettings& split = settings.split;
  faults.require(split.folds == 0 || split.folds >= 2, "split.folds must be 0 or at least 2, got ",
                 split.folds);
  if (split.folds >= 2) {
    faults.require(split.fold >= 0 && split.fold < split.folds, "split.fold must lie in 0 ... ",
                   split.folds - 1, ", got ", split.fold);
    faults.require(split.validation >= 0 && split.validation < 1, "split.validation must lie in [0, 1), got ",
                   split.validation);
    faults.require(split.file.empty(), "split.file and split.folds exclude each other: set split.folds=0");
  } else {
    faults.require_shares("split", split.validation, split.test);
  }
  faults.require(!settings.is_published() || split.validation == 0,
                 "split.validation must be 0 under the published protocol, where the test part chooses the "
                 "epoch, got ",
                 split.validation);
}

}  // namespace

void Faults::require_shares(const std::string& section, double validation, double test) {
  require(validation >= 0 && test >= 0 && validation + test < 1, section, ".validation and ", section,
          ".test must not be negative and leave something to train on, got ", validation, " and ", test);
}

std::span<const TaskKind* const> task_kinds() { return table; }

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const TaskKind* kind : table) names.emplace_back(kind->name);
  return names;
}

const TaskKind& find_task(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  for (const TaskKind* kind : table)
    if (kind->name == wanted) return *kind;
  fail(Fault::argument, "unknown task '", name, "'; did you mean '", nearest_word(wanted, task_names()),
       "'?");
}

std::vector<std::string> TaskSettings::faults() const {
  const TaskKind& kind = find_task(name);
  Faults faults;
  faults.require(!is_published() || kind.has_published, kind.name, " has no published protocol");
  faults.require(
      data.reorder == VertexOrder::given || data.reorder == VertexOrder::automatic || !is_published(),
      "data.reorder must be none or automatic under the published protocol, whose runs keep the "
      "order of the data");
  data.options.add_faults(faults.all(), "data.");
  check_own_split(split, faults);
  if (kind.divides_items) check_shares(*this, faults);
  kind.check(*this, faults);
  return std::move(faults.all());
}

MadeTask make_task(const TaskSettings& settings, std::uint64_t seed, torch::Device device) {
  options::report("the settings of the task", settings.faults());
  GSAN_CHECK(
      !settings.trained || !settings.trained->uses_positives || find_task(settings.name).takes_positives,
      settings.name,
      " has no candidates: known positives (--known-positives) are of tasks that ask which "
      "simplices belong to a complex");
  return find_task(settings.name).make(settings, seed, device);
}

}  // namespace gsan
