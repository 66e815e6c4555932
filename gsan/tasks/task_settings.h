#pragma once
// Everything that a task is made of, as sections of a config: `data`, `split` and the one called like the
// task.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gsan/core/any_options.h"
#include "gsan/core/random.h"
#include "gsan/data/data_settings.h"
#include "gsan/tasks/shared/placement.h"
#include "gsan/tasks/task.h"

namespace gsan {

/// What decides which item is in which part.
enum class SplitBy {
  automatic,  ///< part, where the data have such a column; else random
  random,     ///< shares or folds, stratified; of values and candidates as the section of the task says
  part,
  time,
  group,  ///< shares or folds of whole groups, stratified as far as they allow
};

template <>
struct EnumNames<SplitBy> {
  static constexpr std::pair<SplitBy, std::string_view> names[] = {{SplitBy::automatic, "automatic"},
                                                                   {SplitBy::random, "random"},
                                                                   {SplitBy::part, "part"},
                                                                   {SplitBy::time, "time"},
                                                                   {SplitBy::group, "group"}};
};

/// Section `split` (docs/splits.md). Tasks whose own section has the shares do not have validation, test and
/// folds here.
struct SplitSettings {
  SplitBy by = SplitBy::automatic;
  std::vector<std::string> borders{};  ///< none, or two times: numbers or dates
  double validation = 0.2, test = 0.2;
  int folds = 0, fold = 0;
  std::string file{};

  /// Whether the settings themselves ask for more than shares or folds drawn at random.
  bool is_own() const {
    return !file.empty() || by == SplitBy::part || by == SplitBy::time || by == SplitBy::group;
  }

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("by", self.by,
          "what divides the items: the column part, time or group beside their labels (docs/splits.md), or "
          "chance (random); automatic: part where there is such a column, else random");
    visit("borders", self.borders,
          "by time: [a, b], numbers or dates; up to a is for training, up to b for validation, later for the "
          "test; empty: by shares");
    visit("validation", self.validation,
          "share of the items that chooses the epoch; with folds: of the rest");
    visit("test", self.test, "share of the items for the one look at the end; with folds: not used");
    visit("folds", self.folds, "0: shares; else so many stratified folds, of which one is the test part");
    visit("fold", self.fold, "which fold is the test part, from 0");
    visit("file", self.file,
          "a split of your own: a table name,part (simplices: v0 ... vk,part) as .csv, or JSON "
          "{\"train\": [0, 4], \"validation\": [], \"test\": []}");
  }
};

/// What a trained model knows of the data that it was made for.
struct TrainedOn {
  std::vector<std::string> classes{};  ///< in the order of its answer
  std::vector<int> in_channels{};
  bool uses_positives = false;  ///< candidates known to belong to the complex are in it; else no label is
  std::optional<TargetScale> targets{};  ///< units of its answer, of tasks with Task::target_scale()
};

struct TaskSettings {
  std::string name{};  ///< tasks/task_kinds.h
  Protocol protocol = Protocol::strict;
  DataSettings data;
  SplitSettings split{};
  AnyOptions options{};  ///< of the task
  /// Given, the data are others than a model was trained on: every item with a known class is in the test
  /// part, labels are numbered by the classes of the model, and orders that no complex has, but the model
  /// reads, are empty. No candidate is in the complex. Values are still divided: some must be given to find
  /// others.
  std::optional<TrainedOn> trained{};
  /// Bytes that a structure derived from a complex may take (hodge/operators.h); no key: it belongs to the
  /// machine.
  std::size_t max_memory = Limits{}.max_memory;
  torch::ScalarType type = torch::kFloat32;  ///< of signals; no key: it follows train.precision

  bool is_published() const { return protocol == Protocol::published; }
  /// Published runs keep the order of the data.
  Placement placement(torch::Device device) const {
    return {type, device, is_published() ? VertexOrder::given : data.reorder, max_memory};
  }
  std::vector<std::string> faults() const;  ///< by the names of the keys
};

/// What a task draws by itself: the order of its batches, random orientations, what a step hides.
inline RandomStream task_stream(std::uint64_t seed) { return {seed, "task"}; }
/// What divides its items.
inline RandomStream split_stream(std::uint64_t seed) { return {seed, "split"}; }

/// Collects faults of settings.
class Faults {
 public:
  template <class... Parts>
  void require(bool holds, const Parts&... parts) {
    if (!holds) all_.push_back(concat(parts...));
  }
  /// Two shares of `section` that must leave a training set.
  void require_shares(const std::string& section, double validation, double test);
  std::vector<std::string>& all() { return all_; }

 private:
  std::vector<std::string> all_;
};

}  // namespace gsan
