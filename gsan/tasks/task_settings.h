#pragma once
// Everything that a task is made of, as sections of a config: `data`, `split` (tasks that divide items) and
// the one called like the task.

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

/// Section `split`, of tasks that divide items (signals or complexes).
struct SplitSettings {
  double validation = 0.2, test = 0.2;
  int folds = 0, fold = 0;
  std::string file{};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("validation", self.validation,
          "share of the items that chooses the epoch; with folds: of the rest");
    visit("test", self.test, "share of the items for the one look at the end; with folds: not used");
    visit("folds", self.folds, "0: shares; else so many stratified folds, of which one is the test part");
    visit("fold", self.fold, "which fold is the test part, from 0");
    visit("file", self.file, "a split of your own: {\"train\": [0, 4], \"validation\": [], \"test\": []}");
  }
};

/// What a trained model knows of the data that it was made for.
struct TrainedOn {
  std::vector<std::string> classes{};  ///< in the order of its answer
  std::vector<int> in_channels{};
};

struct TaskSettings {
  std::string name{};  ///< tasks/task_kinds.h
  Protocol protocol = Protocol::strict;
  DataSettings data;
  SplitSettings split{};
  AnyOptions options{};  ///< of the task
  /// Given, the data are others than a model was trained on: every item with a known class is in the test
  /// part, labels are numbered by the classes of the model, and orders that no complex has, but the model
  /// reads, are empty. Values and candidates are still divided: some must be given to find others.
  std::optional<TrainedOn> trained{};
  /// Bytes that a structure derived from a complex may take (hodge/operators.h); no key: it belongs to the
  /// machine.
  std::size_t max_memory = Limits{}.max_memory;

  bool is_published() const { return protocol == Protocol::published; }
  Placement placement(torch::Device device) const {
    return {torch::kFloat32, device, data.reorder, max_memory};
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
