// Splits of one's own, the same for every task.

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/text.h"
#include "gsan/tasks/imputation/task.h"
#include "gsan/tasks/simplex_classification/options.h"
#include "gsan/tasks/simplex_prediction/options.h"
#include "gsan/tasks/task_kinds.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"
#include "tasks/task_probes.h"
#include "tasks/task_settings_sample.h"

namespace gsan {
namespace {

constexpr int item_count = 12;
using Columns = std::map<std::string, std::vector<std::string>>;

// What item i has in each column: twelve times and dates, four groups of three, and parts by i % 4.
Columns all_columns() {
  Columns columns;
  for (int i = 0; i < item_count; ++i) {
    columns["time"].push_back(std::to_string(100 - i));
    columns["group"].push_back(std::string(1, static_cast<char>('w' + i % 4)));
    columns["part"].push_back(i % 4 == 0 ? "test" : i % 4 == 1 ? "valid" : "train");
  }
  return columns;
}

/// A folder of own data for a task: twelve items with two labels (or values), and these columns beside them.
class OwnItems {
 public:
  OwnItems(std::string task, const std::vector<std::string>& columns, Columns texts = all_columns())
      : task_(std::move(task)), columns_(columns), texts_(std::move(texts)) {
    // Both labels are in every part of every test.
    for (const char label : std::string("110001011010")) labels_.emplace_back(1, label);
    write();
  }

  void set_label(int item, const std::string& label) {
    labels_[static_cast<std::size_t>(item)] = label;
    write();
  }
  void change_label(int item) { set_label(item, labels_[static_cast<std::size_t>(item)] == "0" ? "1" : "0"); }

  TaskSettings settings() const {
    TaskSettings settings = settings_of(task_, Protocol::strict, "own", folder_.path().string());
    if (task_ == "simplex-prediction")
      settings.options.as<SimplexPredictionOptions>().split = CandidateSplit::random;
    return settings;
  }

  std::filesystem::path write_file(const std::string& name, const std::string& text) const {
    write_file_atomically(folder_ / name, text);
    return folder_ / name;
  }

  /// Begins the row of an item in a table of items: its name, or its vertices.
  std::string key(int item) const {
    if (task_ == "trajectory" || task_ == "graph-classification") return concat("item", item + 10);
    const std::string number = std::to_string(item + 10);
    if (task_ == "simplex-classification") return "s" + number;
    if (task_ == "imputation") return concat("s", number, ",hub");
    return concat("hub,s", number, ",s", (item + 1) % item_count + 10);
  }
  std::string header() const {
    if (task_ == "trajectory" || task_ == "graph-classification") return "name";
    return task_ == "simplex-classification" ? "v0" : task_ == "imputation" ? "v0,v1" : "v0,v1,v2";
  }

 private:
  std::string table() const {
    const std::string label = task_ == "imputation"               ? "value"
                              : task_ == "simplex-classification" ? "class"
                                                                  : "label";
    std::string text = concat(header(), ",", label);
    for (const std::string& column : columns_) text += "," + column;
    text += "\n";
    for (std::size_t i = 0; i < item_count; ++i) {
      text += concat(key(static_cast<int>(i)), ",", labels_[i]);
      for (const std::string& column : columns_) text += "," + texts_.at(column)[i];
      text += "\n";
    }
    return text;
  }

  // A wheel: the hub, twelve spokes, twelve edges of the rim; candidates are its triangles.
  void write() const {
    std::string complex, paths;
    for (int i = 0; i < item_count; ++i) {
      const std::string a = concat("s", i + 10), b = concat("s", (i + 1) % item_count + 10);
      complex += concat("hub ", a, "\n", a, " ", b, "\n");
      paths += concat("hub,", a, ",", b, "\n");
      if (task_ == "graph-classification") {
        std::filesystem::create_directories(folder_ / key(i));
        write_file_atomically(folder_ / key(i) / "complex.txt", i % 2 == 0 ? "a b c\n" : "a b\nb c\n");
      }
    }
    if (task_ != "graph-classification") write_file("complex.txt", complex);
    if (task_ == "trajectory") write_file("paths.csv", paths);
    write_file(task_ == "imputation"               ? "values_1.csv"
               : task_ == "simplex-classification" ? "classes_0.csv"
               : task_ == "simplex-prediction"     ? "candidates.csv"
                                                   : "labels.csv",
               table());
  }

  std::string task_;
  std::vector<std::string> columns_;
  Columns texts_;
  std::vector<std::string> labels_;
  TemporaryFolder folder_;
};

// The part of each of the twelve items, by their order in the tables: t, v, T (test), - (none). Rows of the
// complex are sorted by the vertices, and only the last candidate, of the first and the last spoke, moves.
std::string parts_of(const std::string& task, const Task& made) {
  std::map<std::string, Items> parts;
  for (const auto& [name, items] : made.parts()) parts[name] = items;
  parts["train"].insert(parts["train"].end(), parts["message"].begin(), parts["message"].end());
  std::string all(item_count, '-');
  for (const auto& [name, letter] :
       {std::pair{"train", 't'}, std::pair{"validation", 'v'}, std::pair{"test", 'T'}})
    for (const std::int64_t item : parts[name]) {
      // vertices: hub, s10 ... s21; edges: (hub s) first; triangles: (hub s10 s11), (hub s10 s21), ...
      std::int64_t number = task == "simplex-classification" ? item - 1 : item;
      if (task == "simplex-prediction") number = item == 0 ? 0 : item == 1 ? item_count - 1 : item - 1;
      EXPECT_TRUE(number >= 0 && number < item_count) << task;
      EXPECT_EQ(all.at(static_cast<std::size_t>(number)), '-') << task << ": in two parts";
      all[static_cast<std::size_t>(number)] = letter;
    }
  return all;
}

std::string divided(const TaskSettings& settings, std::uint64_t seed = 0) {
  return parts_of(settings.name, *make_task(settings, seed).task);
}

class OwnSplit : public ::testing::TestWithParam<const char*> {
 protected:
  // Thirds and sixths, wherever the task keeps its shares.
  static TaskSettings with_shares(TaskSettings settings) {
    constexpr double validation = 1.0 / 6, test = 1.0 / 3;
    if (settings.name == "imputation") {
      settings.options.as<ImputationOptions>().missing = 100 * test;
      settings.options.as<ImputationOptions>().validation = validation / (1 - test);
    } else if (settings.name == "simplex-classification") {
      settings.options.as<SimplexClassificationOptions>().validation = validation;
      settings.options.as<SimplexClassificationOptions>().test = test;
    } else if (settings.name == "simplex-prediction") {
      settings.options.as<SimplexPredictionOptions>().validation = validation;
      settings.options.as<SimplexPredictionOptions>().test = test;
    }
    settings.split.validation = validation;
    settings.split.test = test;
    return settings;
  }
};
INSTANTIATE_TEST_SUITE_P(EveryTask, OwnSplit,
                         ::testing::Values("trajectory", "graph-classification", "imputation",
                                           "simplex-classification", "simplex-prediction"),
                         [](const auto& test) {
                           std::string name(test.param);
                           std::erase(name, '-');
                           return name;
                         });

TEST_P(OwnSplit, AColumnPartIsUsedUnlessSplitBySaysOtherwise) {
  const OwnItems items(GetParam(), {"part"});
  TaskSettings settings = with_shares(items.settings());
  const MadeTask made = make_task(settings, 0);
  EXPECT_EQ(parts_of(GetParam(), *made.task), "TvttTvttTvtt");
  EXPECT_NE(made.split.find("by the column part of "), std::string::npos) << made.split;
  settings.split.by = SplitBy::part;
  EXPECT_EQ(divided(settings, 7), "TvttTvttTvtt");
  settings.split.by = SplitBy::random;
  const OwnItems without(GetParam(), {});
  EXPECT_EQ(divided(settings, 3), divided(with_shares(without.settings()), 3));
}

TEST_P(OwnSplit, ItemsWithoutAPartAreInNone) {
  Columns columns = all_columns();
  columns["part"][3] = columns["part"][5] = "";
  const OwnItems items(GetParam(), {"part"}, columns);
  EXPECT_EQ(divided(items.settings()), "Tvt-T-ttTvtt");
}

TEST_P(OwnSplit, TheLatestItemsAreTheTest) {
  const OwnItems items(GetParam(), {"time"});
  TaskSettings settings = with_shares(items.settings());
  settings.split.by = SplitBy::time;
  EXPECT_EQ(divided(settings), "TTTTvvtttttt");
  settings.split.borders = {"90", "94"};
  EXPECT_EQ(divided(settings), "TTTTTTvvvvtt");
  settings.split.borders = {"2020-01-01", "2020-01-02"};
  expect_error(Fault::argument, {"dates", "numbers"}, [&] { make_task(settings, 0); });
}

TEST_P(OwnSplit, GroupsStayTogether) {
  const OwnItems items(GetParam(), {"group"});
  TaskSettings settings = with_shares(items.settings());
  settings.split.by = SplitBy::group;
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const std::string parts = divided(settings, seed);
    EXPECT_EQ(parts, divided(settings, seed));
    for (std::size_t i = 4; i < item_count; ++i) EXPECT_EQ(parts[i], parts[i - 4]) << parts;
    for (const char letter : {'t', 'v', 'T'}) EXPECT_NE(parts.find(letter), parts.npos) << parts;
    seen.insert(parts);
  }
  EXPECT_GT(seen.size(), 1u);
}

TEST_P(OwnSplit, AFileNamesItemsOrNumbersThem) {
  const OwnItems items(GetParam(), {"part"});
  std::string table = items.header() + ",part\n";
  const std::string wanted = "tttt-TTvTTvv";
  for (int i = 0; i < item_count; ++i)
    if (const char letter = wanted[static_cast<std::size_t>(i)]; letter != '-')
      table += concat(items.key(i), ",", letter == 't' ? "train" : letter == 'v' ? "val" : "test", "\n");
  TaskSettings settings = items.settings();
  settings.split.file = items.write_file("parts.csv", table).string();
  const MadeTask made = make_task(settings, 0);
  EXPECT_EQ(parts_of(GetParam(), *made.task), wanted);
  EXPECT_NE(made.split.find("parts.csv"), std::string::npos);
  // The same by numbers, as a run writes it.
  std::string json = "{";
  for (const auto& [name, rows] : made.task->parts()) {
    Items all = rows;
    for (const auto& [other, message] : made.task->parts())
      if (name == "train" && other == "message") all.insert(all.end(), message.begin(), message.end());
    std::sort(all.begin(), all.end());
    json += concat("\"", name, "\": [", joined(all), "], ");
  }
  settings.split.file = items.write_file("parts.json", json + "\"made\": \"by hand\"}").string();
  EXPECT_EQ(divided(settings), wanted);
}

TEST_P(OwnSplit, AMissingColumnIsNamed) {
  const OwnItems items(GetParam(), {"part"});
  TaskSettings settings = items.settings();
  for (const SplitBy by : {SplitBy::time, SplitBy::group}) {
    settings.split.by = by;
    expect_error(Fault::argument,
                 {GetParam(), concat("needs a column ", name_of(by)), ".csv", "docs/splits.md"},
                 [&] { make_task(settings, 0); });
  }
}

TEST_P(OwnSplit, NoTestLabelReachesTheTrainingPartOrAnInput) {
  for (const SplitBy by : {SplitBy::part, SplitBy::time}) {
    OwnItems items(GetParam(), {"part", "time"});
    TaskSettings settings = with_shares(items.settings());
    settings.split.by = by;
    const auto before = make_task(settings, 1).task;
    const std::string parts = parts_of(GetParam(), *before);
    for (int i = 0; i < item_count; ++i)
      if (parts[static_cast<std::size_t>(i)] == 'T') items.change_label(i);
    const auto after = make_task(settings, 1).task;
    EXPECT_EQ(parts_of(GetParam(), *after), parts);
    for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
      expect_same(inputs_of(*before, phase), inputs_of(*after, phase));
    EXPECT_FALSE(before->batch(Phase::test, 0, 0).targets.equal(after->batch(Phase::test, 0, 0).targets));
  }
}

TEST_P(OwnSplit, KeysThatExcludeEachOtherAreNamed) {
  const OwnItems items(GetParam(), {"part"});
  const auto refused = [&](const auto& change, std::initializer_list<std::string> words) {
    TaskSettings settings = items.settings();
    change(settings.split);
    expect_error(Fault::argument, words, [&] { make_task(settings, 0); });
  };
  refused([](SplitSettings& split) { split.borders = {"1", "2"}; }, {"split.borders", "split.by=time"});
  const auto borders = [](std::vector<std::string> texts) {
    return [texts](SplitSettings& split) {
      split.by = SplitBy::time;
      split.borders = texts;
    };
  };
  refused(borders({"2", "1"}), {"split.borders", "[2, 1]"});
  refused(borders({"1"}), {"split.borders", "two"});
  refused(borders({"1", "2020-01-01"}), {"split.borders"});
  refused(borders({"soon", "late"}), {"split.borders", "[soon, late]"});
  refused(
      [](SplitSettings& split) {
        split.by = SplitBy::part;
        split.file = "parts.csv";
      },
      {"split.file", "split.by"});
}

TEST(OwnSplitOfItems, FoldsDoNotOverruleAColumnPart) {
  const OwnItems items("trajectory", {"part", "group"});
  TaskSettings settings = items.settings();
  settings.split.folds = 2;
  expect_error(Fault::argument, {"column part", "split.folds=2", "split.by=random"},
               [&] { make_task(settings, 0); });
  settings.split.by = SplitBy::time;
  expect_error(Fault::argument, {"split.folds", "split.by=time"}, [&] { make_task(settings, 0); });
  settings.split.by = SplitBy::group;
  settings.split.validation = 0;
  std::string tested(item_count, '-');
  for (int fold = 0; fold < 2; ++fold) {
    settings.split.fold = fold;
    const std::string parts = divided(settings);
    for (std::size_t i = 0; i < item_count; ++i)
      if (parts[i] == 'T') tested[i] = 'T';
  }
  EXPECT_EQ(tested, std::string(item_count, 'T'));
}

TEST(OwnSplitOfItems, LabelledItemsNeedATime) {
  Columns columns = all_columns();
  columns["time"][2] = columns["time"][7] = "";
  OwnItems items("trajectory", {"time"}, columns);
  TaskSettings settings = items.settings();
  settings.split.by = SplitBy::time;
  expect_error(Fault::argument, {"2 of the 12 items", "no time", "labels.csv"},
               [&] { make_task(settings, 0); });
  items.set_label(2, "");
  items.set_label(7, "");
  EXPECT_EQ(divided(settings), "TT-vvtt-tttt");
}

TEST(OwnSplitOfItems, DataWithoutTablesHaveNoColumns) {
  TaskSettings settings = settings_of("trajectory", Protocol::strict, "islands");
  settings.split.by = SplitBy::time;
  expect_error(Fault::argument, {"split.by=time", "column time", "your own data", "islands"},
               [&] { make_task(settings, 0); });
}

TEST(OwnSplitOfItems, OnOtherDataATrainedModelIsJudgedByAllLabels) {
  const OwnItems items("trajectory", {"part"});
  TaskSettings settings = items.settings();
  settings.split.file = "/nowhere/of-the-run.csv";
  settings.trained = TrainedOn{.classes = {"0", "1"}};
  EXPECT_EQ(divided(settings), std::string(item_count, 'T'));
  const OwnItems values("imputation", {"part"});
  settings = values.settings();
  settings.split.by = SplitBy::time;  // of the data of the run
  settings.trained = TrainedOn{};
  EXPECT_EQ(divided(settings), "TvttTvttTvtt");
}

TEST(OwnSplitOfItems, ValuesInNoPartAreNeitherGivenNorJudged) {
  Columns columns = all_columns();
  columns["part"][3] = "";
  OwnItems items("imputation", {"part"}, columns);
  const auto before = make_task(items.settings(), 0).task;
  items.set_label(3, "1000");
  const auto after = make_task(items.settings(), 0).task;
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    expect_same(inputs_of(*before, phase), inputs_of(*after, phase));
}

TEST(OwnSplitOfItems, WholeSourcesAndOwnPartsExcludeEachOther) {
  const OwnItems values("imputation", {"part"});
  TaskSettings settings = values.settings();
  settings.split.by = SplitBy::part;
  settings.options.as<ImputationOptions>().choice = MissingChoice::by_source;
  expect_error(Fault::argument, {"imputation.choice=by-group", "split.by"}, [&] { make_task(settings, 0); });
  const OwnItems candidates("simplex-prediction", {"part"});
  settings = candidates.settings();
  settings.split.by = SplitBy::part;
  settings.options.as<SimplexPredictionOptions>().split = CandidateSplit::by_source;
  expect_error(Fault::argument, {"simplex-prediction.split=by-group", "split.by"},
               [&] { make_task(settings, 0); });
}

TEST(OwnSplitOfItems, ThePublishedProtocolTakesThemToo) {
  for (const char* task : {"trajectory", "graph-classification", "imputation", "simplex-prediction"}) {
    const OwnItems items(task, {"part"});
    TaskSettings settings = items.settings();
    settings.protocol = Protocol::published;
    settings.options = find_task(task).options(Protocol::published);
    settings.split.validation = 0;
    const auto made = make_task(settings, 0).task;
    std::map<std::string, Items> parts;
    for (const auto& [name, rows] : made->parts()) parts[name] = rows;
    EXPECT_EQ(parts[task == std::string("imputation") ? "missing" : "test"].size(), 3u) << task;
  }
}

}  // namespace
}  // namespace gsan
