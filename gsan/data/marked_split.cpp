#include "gsan/data/marked_split.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "gsan/core/check.h"

namespace gsan {
namespace {

// Of the places in the order of time, where a part may begin: at the nearest change of time to `wanted`.
std::size_t nearest_change(const std::vector<double>& sorted, std::size_t wanted) {
  const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(wanted, sorted.size()));
  if (at == sorted.begin() || at == sorted.end()) return static_cast<std::size_t>(at - sorted.begin());
  const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), *at);
  return static_cast<std::size_t>((at - first <= last - at ? first : last) - sorted.begin());
}

struct Group {
  std::vector<std::int64_t> items{};
  std::vector<double> counts{};  // items of each class, then all of them
};

// Largest first; sizes within a factor of two count as similar, and these are in random order.
std::vector<Group> groups_in_turn(std::span<const std::int64_t> classes, std::size_t class_count,
                                  std::span<const std::int64_t> groups, RandomStream stream) {
  std::map<std::int64_t, std::size_t> numbers;
  std::vector<Group> all;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const std::size_t number =
        groups[i] == no_group ? all.size() : numbers.emplace(groups[i], all.size()).first->second;
    if (number == all.size()) all.push_back({{}, std::vector<double>(class_count + 1)});
    all[number].items.push_back(static_cast<std::int64_t>(i));
    ++all[number].counts[static_cast<std::size_t>(classes[i])];
    ++all[number].counts.back();
  }
  stream.shuffle(all);
  std::stable_sort(all.begin(), all.end(), [](const Group& a, const Group& b) {
    return std::bit_width(a.items.size()) > std::bit_width(b.items.size());
  });
  return all;
}

}  // namespace

Split split_by_part(std::span<const Part> parts) {
  Split split;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i);
    if (parts[i] == Part::train) split.train.push_back(place);
    if (parts[i] == Part::validation) split.validation.push_back(place);
    if (parts[i] == Part::test) split.test.push_back(place);
  }
  return split;
}

Split split_by_time(std::span<const double> times, double validation, double test) {
  GSAN_CHECK(validation >= 0 && test >= 0 && validation + test < 1,
             "split_by_time: the shares of validation and test must not be negative and leave something to "
             "train on, got ",
             validation, " and ", test);
  std::vector<double> sorted(times.begin(), times.end());
  std::sort(sorted.begin(), sorted.end());
  const auto size_of = [&](double share) {
    return static_cast<std::size_t>(std::llround(share * static_cast<double>(sorted.size())));
  };
  const auto begin_of = [&](double share) { return nearest_change(sorted, sorted.size() - size_of(share)); };
  const std::size_t tests = begin_of(test), chosen = std::min(begin_of(validation + test), tests);
  const char* lost = chosen == 0                                   ? "nothing to train on"
                     : chosen == tests && size_of(validation) > 0  ? "no validation part"
                     : tests == sorted.size() && size_of(test) > 0 ? "no test part"
                                                                   : nullptr;
  if (!sorted.empty() && lost != nullptr)
    fail(Fault::argument, "split by time: shares of ", validation, " and ", test, " leave ", lost, " of ",
         sorted.size(), " items with ", std::unique(sorted.begin(), sorted.end()) - sorted.begin(),
         " different times, as items of one time stay together; change the shares, or say where to cut with "
         "split.borders");
  Split split;
  for (std::size_t i = 0; i < times.size(); ++i) {
    Items& part = tests < sorted.size() && times[i] >= sorted[tests]     ? split.test
                  : chosen < sorted.size() && times[i] >= sorted[chosen] ? split.validation
                                                                         : split.train;
    part.push_back(static_cast<std::int64_t>(i));
  }
  return split;
}

Split split_at_borders(std::span<const double> times, double first, double second) {
  GSAN_CHECK(first <= second, "split_at_borders: the first border must not be later than the second, got ",
             first, " and ", second);
  Split split;
  for (std::size_t i = 0; i < times.size(); ++i) {
    Items& part = times[i] <= first ? split.train : times[i] <= second ? split.validation : split.test;
    part.push_back(static_cast<std::int64_t>(i));
  }
  return split;
}

std::vector<int> divide_groups(std::span<const std::int64_t> labels, std::span<const std::int64_t> groups,
                               const std::vector<double>& shares, RandomStream stream) {
  GSAN_CHECK(labels.size() == groups.size(), "divide_groups: one group per item is needed, got ",
             groups.size(), " for ", labels.size());
  std::map<std::int64_t, std::int64_t> numbers;
  for (const std::int64_t label : labels) numbers.emplace(label, std::ssize(numbers));
  std::vector<std::int64_t> classes;
  for (const std::int64_t label : labels) classes.push_back(numbers.at(label));
  const std::vector<Group> in_turn = groups_in_turn(classes, numbers.size(), groups, std::move(stream));
  std::vector<double> counts(numbers.size() + 1);
  for (const Group& group : in_turn)
    for (std::size_t c = 0; c < counts.size(); ++c) counts[c] += group.counts[c];
  std::vector<std::vector<double>> lacks;  // of each part: items that it still lacks, like Group::counts
  std::vector<bool> waits;                 // parts with a share that have no group yet
  for (const double share : shares) {
    lacks.push_back(counts);
    for (double& items : lacks.back()) items *= share;
    waits.push_back(share > 0);
  }
  auto waiting = static_cast<std::size_t>(std::count(waits.begin(), waits.end(), true));
  GSAN_CHECK(in_turn.size() >= waiting, "split by group: ", waiting,
             " parts need as many groups, but the items have ", in_turn.size());
  std::vector<int> part_of(labels.size());
  for (std::size_t g = 0; g < in_turn.size(); ++g) {
    const Group& group = in_turn[g];
    const bool must_fill = in_turn.size() - g <= waiting;
    // The part where the group lessens Σ (lack / count)² most, over the classes and all items.
    std::size_t best = shares.size();
    double most = 0;
    for (std::size_t p = 0; p < shares.size(); ++p) {
      if (shares[p] <= 0 || (must_fill && !waits[p])) continue;
      double gain = 0;
      for (std::size_t c = 0; c < counts.size(); ++c)
        gain += group.counts[c] * lacks[p][c] / (counts[c] * counts[c]);
      if (best < shares.size() && gain <= most) continue;
      best = p;
      most = gain;
    }
    for (std::size_t c = 0; c < counts.size(); ++c) lacks[best][c] -= group.counts[c];
    for (const std::int64_t i : group.items) part_of[static_cast<std::size_t>(i)] = static_cast<int>(best);
    if (waits[best]) --waiting;
    waits[best] = false;
  }
  return part_of;
}

Split split_by_group(std::span<const std::int64_t> labels, std::span<const std::int64_t> groups,
                     double validation, double test, const RandomStream& stream) {
  GSAN_CHECK(validation >= 0 && test >= 0 && validation + test < 1,
             "split_by_group: the shares of validation and test must not be negative and leave something to "
             "train on, got ",
             validation, " and ", test);
  Split split;
  Items* const parts[] = {&split.train, &split.validation, &split.test};
  const std::vector<int> part_of =
      divide_groups(labels, groups, {1 - validation - test, validation, test}, stream);
  for (std::size_t i = 0; i < part_of.size(); ++i) parts[part_of[i]]->push_back(static_cast<std::int64_t>(i));
  return split;
}

Split split_of_group_fold(std::span<const std::int64_t> labels, std::span<const std::int64_t> groups,
                          int folds, int fold, double validation, const RandomStream& stream) {
  GSAN_CHECK(folds >= 2 && fold >= 0 && fold < folds, "split_of_group_fold: the fold must lie in 0 ... ",
             folds - 1, " of at least 2, got ", fold, " of ", folds);
  const std::vector<int> fold_of =
      divide_groups(labels, groups, std::vector<double>(static_cast<std::size_t>(folds), 1.0 / folds),
                    stream.substream("folds"));
  Items rest;
  std::vector<std::int64_t> rest_labels, rest_groups;
  Split split;
  for (std::size_t i = 0; i < fold_of.size(); ++i) {
    const auto place = static_cast<std::int64_t>(i);
    if (fold_of[i] == fold) {
      split.test.push_back(place);
      continue;
    }
    rest.push_back(place);
    rest_labels.push_back(labels[i]);
    rest_groups.push_back(groups[i]);
  }
  const Split inner = at_items(split_by_group(rest_labels, rest_groups, validation, 0,
                                              stream.substream(static_cast<std::uint64_t>(fold))),
                               rest);
  split.train = inner.train;
  split.validation = inner.validation;
  return split;
}

}  // namespace gsan
