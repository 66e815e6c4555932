#include "gsan/tasks/shared/own_split.h"

#include <algorithm>
#include <cmath>

#include "gsan/core/text.h"
#include "gsan/data/marked_split.h"
#include "gsan/tasks/shared/prediction_rows.h"

namespace gsan {
namespace {

// Marks of the known items, by their places in the list.
template <class Value>
std::vector<Value> at_known(const std::vector<Value>& values, const KnownItems& known) {
  std::vector<Value> picked;
  for (const std::int64_t i : known.items) picked.push_back(values[static_cast<std::size_t>(i)]);
  return picked;
}

void require_column(bool is_there, const TaskSettings& settings, SplitBy by, const ItemsToDivide& items) {
  if (is_there) return;
  const std::string& table = items.marks.table;
  fail(Fault::argument, settings.name, ": split.by=", name_of(by), " needs a column ", name_of(by),
       table.empty() ? " in a table of your own data, but " : concat(" in ", table, ", but "), items.data,
       " has none (docs/splits.md)");
}

MadeSplit split_by_file(const std::string& file, const ItemsToDivide& items, const KnownItems& known) {
  const bool is_table = lower_case(file).ends_with(".csv");
  Split split = is_table ? read_split_table(file, items.texts()) : read_split(file, items.labels.numel());
  for (Items* part : {&split.train, &split.validation, &split.test})
    std::erase_if(*part, [&](std::int64_t i) {
      return !std::binary_search(known.items.begin(), known.items.end(), i);
    });
  return {std::move(split), concat("by the file ", file)};
}

MadeSplit split_by_times(const TaskSettings& settings, const ItemsToDivide& items, const KnownItems& known,
                         const SplitShares& shares) {
  const ItemMarks& marks = items.marks;
  const std::vector<double> times = at_known(marks.times, known);
  const auto missing =
      std::count_if(times.begin(), times.end(), [](double time) { return std::isnan(time); });
  GSAN_CHECK(missing == 0, settings.name, ": split.by=time, but ", missing, " of the ", times.size(),
             " items with a label have no time in ", marks.table,
             "; give them one, or leave their label empty");
  const std::vector<std::string>& borders = settings.split.borders;
  std::string how = concat("by the column time of ", marks.table);
  if (borders.empty()) return {split_by_time(times, shares.validation, shares.test), std::move(how)};
  const ItemTime first = parse_time(borders[0]).value(), second = parse_time(borders[1]).value();
  GSAN_CHECK(first.is_date == marks.are_dates, settings.name, ": split.borders are ",
             first.is_date ? "dates" : "numbers", ", but the times of ", marks.table, " are ",
             marks.are_dates ? "dates" : "numbers");
  return {split_at_borders(times, first.value, second.value),
          concat(how, ", borders ", borders[0], " and ", borders[1])};
}

MadeSplit split_by_groups(const ItemsToDivide& items, const KnownItems& known, const SplitShares& shares,
                          const RandomStream& stream) {
  const std::vector<std::int64_t> groups = at_known(items.marks.groups, known);
  std::string how = concat("by the column group of ", items.marks.table);
  if (shares.folds == 0)
    return {split_by_group(known.labels, groups, shares.validation, shares.test, stream), std::move(how)};
  return {split_of_group_fold(known.labels, groups, shares.folds, shares.fold, shares.validation, stream),
          concat(how, ", fold ", shares.fold, " of ", shares.folds)};
}

}  // namespace

std::function<ItemTexts()> item_texts(std::vector<std::string> names, std::int64_t count) {
  return [names = std::move(names), count] {
    ItemTexts texts{{"name"}, {}};
    for (std::int64_t i = 0; i < count; ++i)
      texts.rows.push_back({names.empty() ? std::to_string(i) : names[static_cast<std::size_t>(i)]});
    return texts;
  };
}

std::function<ItemTexts()> simplex_texts(SimplicialComplex complex, int order,
                                         std::vector<std::string> vertex_names) {
  return [complex = std::move(complex), order, names = std::move(vertex_names)] {
    return ItemTexts{vertex_columns(order), named_simplices(complex, order, names)};
  };
}

ItemMarks marks_of(const ValueDataset& dataset, int order) {
  const auto k = static_cast<std::size_t>(order);
  return k < dataset.marks.size() ? dataset.marks[k] : ItemMarks{};
}

KnownItems known_items(const Tensor& labels) {
  const Tensor list = labels.to(torch::kCPU, torch::kInt64).contiguous();
  KnownItems known;
  for (std::int64_t i = 0; i < list.numel(); ++i) {
    const std::int64_t label = list.const_data_ptr<std::int64_t>()[i];
    if (label == unknown_label) continue;
    known.items.push_back(i);
    known.labels.push_back(label);
  }
  return known;
}

void require_training_items(const Split& split, std::size_t known, std::int64_t all) {
  GSAN_CHECK(!split.train.empty(), "the split leaves no item to train on: ", known, " of ", all,
             " items have a known label");
}

std::optional<MadeSplit> own_split(const TaskSettings& settings, const ItemsToDivide& items,
                                   const SplitShares& shares, const RandomStream& stream) {
  const KnownItems known = known_items(items.labels);
  const ItemMarks& marks = items.marks;
  const SplitSettings asked = settings.trained ? SplitSettings{} : settings.split;
  MadeSplit made;
  if (!asked.file.empty()) {
    made = split_by_file(asked.file, items, known);
    require_training_items(made.split, known.items.size(), items.labels.numel());
    return made;
  }
  switch (asked.by) {
    case SplitBy::random:
      return std::nullopt;
    case SplitBy::automatic:
      if (marks.parts.empty()) return std::nullopt;
      GSAN_CHECK(shares.folds == 0, settings.name, ": ", marks.table, " of ", items.data,
                 " has a column part, which split.folds=", shares.folds,
                 " would not follow; set split.by=random, or split.folds=0");
      [[fallthrough]];
    case SplitBy::part:
      require_column(!marks.parts.empty(), settings, asked.by, items);
      made = {split_by_part(at_known(marks.parts, known)), concat("by the column part of ", marks.table)};
      break;
    case SplitBy::time:
      require_column(!marks.times.empty(), settings, asked.by, items);
      made = split_by_times(settings, items, known, shares);
      break;
    case SplitBy::group:
      require_column(!marks.groups.empty(), settings, asked.by, items);
      made = split_by_groups(items, known, shares, stream);
      break;
  }
  made.split = at_items(made.split, known.items);
  if (settings.trained && made.split.train.empty()) return std::nullopt;  // nothing is trained on
  require_training_items(made.split, known.items.size(), items.labels.numel());
  return made;
}

}  // namespace gsan
