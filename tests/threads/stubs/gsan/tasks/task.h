#pragma once
// In the place of the real one, which needs torch: what gsan/train/batch_prefetcher.cpp asks of a task. Steps
// of some epochs cannot be made.

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

namespace gsan {

struct DerivedKey {
  int number = 0;
};
enum class Phase { train };

struct Operators {
  std::shared_ptr<std::vector<long>> made;  // written by whoever has the batch
  void derive(const std::vector<DerivedKey>& keys) const { made->push_back(static_cast<long>(keys.size())); }
};

struct Batch {
  Operators operators;
  std::int64_t epoch = 0, step = 0;
};

struct Task {
  static constexpr std::int64_t steps = 5;
  static bool fails(std::int64_t epoch, std::int64_t step) { return (epoch * 7 + step) % 13 == 12; }

  std::int64_t batch_count(Phase, std::int64_t) const { return steps; }
  Batch batch(Phase, std::int64_t epoch, std::int64_t step) const {
    if (fails(epoch, step)) throw std::runtime_error("asked for");
    return {{std::make_shared<std::vector<long>>(100, epoch)}, epoch, step};
  }
  std::optional<Batch> host_batch(Phase phase, std::int64_t epoch, std::int64_t step) const {
    return batch(phase, epoch, step);
  }
};

}  // namespace gsan
