#include "gsan/data/split.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <nlohmann/json.hpp>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/json_number.h"
#include "gsan/core/json_text.h"

namespace gsan {
namespace {

using Json = nlohmann::ordered_json;

// The items of each class in random order, classes by increasing label.
std::map<std::int64_t, Items> shuffled_classes(std::span<const std::int64_t> labels, RandomStream& stream) {
  std::map<std::int64_t, Items> classes;
  for (std::size_t i = 0; i < labels.size(); ++i) classes[labels[i]].push_back(static_cast<std::int64_t>(i));
  for (auto& entry : classes) stream.shuffle(entry.second);
  return classes;
}

void sort_parts(Split& split) {
  for (Items* part : {&split.train, &split.validation, &split.test}) std::sort(part->begin(), part->end());
}

}  // namespace

Split stratified_split(std::span<const std::int64_t> labels, double validation, double test,
                       RandomStream stream) {
  GSAN_CHECK(
      validation >= 0 && test >= 0 && validation + test <= 1,
      "stratified_split: the shares of validation and test must not be negative nor exceed 1 together, got ",
      validation, " and ", test);
  Split split;
  double test_owed = 0, validation_owed = 0;  // fractions of items that rounding left over so far
  for (const auto& [label, items] : shuffled_classes(labels, stream)) {
    const auto count = static_cast<double>(items.size());
    const auto take = [&](double share, double& owed) {
      owed += share * count;
      const double whole = std::floor(owed + 0.5);
      owed -= whole;
      return static_cast<std::size_t>(std::max(whole, 0.0));
    };
    const std::size_t tests = std::min(take(test, test_owed), items.size());
    const std::size_t chosen = std::min(take(validation, validation_owed), items.size() - tests);
    const auto first = items.begin();
    split.test.insert(split.test.end(), first, first + tests);
    split.validation.insert(split.validation.end(), first + tests, first + tests + chosen);
    split.train.insert(split.train.end(), first + tests + chosen, items.end());
  }
  sort_parts(split);
  return split;
}

std::vector<int> stratified_folds(std::span<const std::int64_t> labels, int folds, RandomStream stream) {
  GSAN_CHECK(folds >= 2, "stratified_folds: at least 2 folds are needed, got ", folds);
  GSAN_CHECK(labels.size() >= static_cast<std::size_t>(folds), "stratified_folds: ", folds,
             " folds need as many items, got ", labels.size());
  std::vector<int> fold(labels.size());
  int next = 0;  // goes on over the classes: fold sizes differ by one at most
  for (const auto& entry : shuffled_classes(labels, stream)) {
    for (const std::int64_t item : entry.second) {
      fold[item] = next;
      next = (next + 1) % folds;
    }
  }
  return fold;
}

Split split_of_fold(std::span<const std::int64_t> labels, std::span<const int> folds, int test_fold,
                    double validation, RandomStream stream) {
  GSAN_CHECK(folds.size() == labels.size(), "split_of_fold: one fold per item is needed, got ", folds.size(),
             " for ", labels.size());
  Items rest;
  std::vector<std::int64_t> rest_labels;
  Split split;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    if (folds[i] == test_fold) {
      split.test.push_back(static_cast<std::int64_t>(i));
    } else {
      rest.push_back(static_cast<std::int64_t>(i));
      rest_labels.push_back(labels[i]);
    }
  }
  GSAN_CHECK(!split.test.empty(), "split_of_fold: fold ", test_fold, " has no item");
  const Split inner = stratified_split(rest_labels, validation, 0, stream);
  for (const std::int64_t i : inner.train) split.train.push_back(rest[i]);
  for (const std::int64_t i : inner.validation) split.validation.push_back(rest[i]);
  return split;
}

Split at_items(const Split& places, const Items& items) {
  Split split;
  for (const auto& [from, to] :
       {std::pair{&places.train, &split.train}, std::pair{&places.validation, &split.validation},
        std::pair{&places.test, &split.test}})
    for (const std::int64_t place : *from) to->push_back(items[static_cast<std::size_t>(place)]);
  return split;
}

void write_split(const std::filesystem::path& path, const Split& split) {
  const Json json{{"train", split.train}, {"validation", split.validation}, {"test", split.test}};
  write_file_atomically(path, json.dump() + "\n");
}

Split read_split(const std::filesystem::path& path, std::int64_t count) {
  Split split;
  std::vector<bool> seen(static_cast<std::size_t>(count));
  try {
    const Json json = Json::parse(checked_json(read_file(path), path.string()));
    for (const auto& [name, part] :
         {std::pair{"train", &split.train}, std::pair{"validation", &split.validation},
          std::pair{"test", &split.test}}) {
      const Json& list = json.at(name);
      if (!list.is_array()) fail(Fault::format, path.string(), ": no split file: ", name, " must be a list");
      for (const Json& number : list) {
        const auto item = whole_number<std::int64_t>(number, path.string(), name);
        if (item < 0 || item >= count || (!part->empty() && part->back() >= item) || seen[item])
          fail(Fault::format, path.string(), ": the numbers of ", name, " must increase, lie in 0 ... ",
               count - 1, " and be in one part only, got ", item);
        seen[item] = true;
        part->push_back(item);
      }
    }
  } catch (const Json::exception& error) {
    fail(Fault::format, path.string(), ": no split file: ", json_reason(error.what()));
  }
  return split;
}

}  // namespace gsan
