#include "gsan/ranks/rank_watch.h"

#include <map>

#include <gtest/gtest.h>

#include "gsan/core/check.h"

namespace gsan {
namespace {

using namespace std::chrono_literals;

struct Table {
  std::mutex mutex;
  std::map<std::string, std::string> texts;
  bool is_lost = false;
};

class TableStore final : public RankStore {
 public:
  explicit TableStore(Table& table) : table_(table) {}
  void set(const std::string& key, const std::string& value) override {
    const std::lock_guard lock(table_.mutex);
    texts()[key] = value;
  }
  std::optional<std::string> find(const std::string& key) override {
    const std::lock_guard lock(table_.mutex);
    const auto found = texts().find(key);
    return found == texts().end() ? std::nullopt : std::optional(found->second);
  }
  std::string set_first(const std::string& key, const std::string& value) override {
    const std::lock_guard lock(table_.mutex);
    return texts().emplace(key, value).first->second;
  }

 private:
  std::map<std::string, std::string>& texts() {
    if (table_.is_lost) fail(Fault::io, "no route to host");
    return table_.texts;
  }
  Table& table_;
};

class RankWatches : public testing::Test {
 protected:
  std::unique_ptr<RankWatch> watch(int rank) {
    auto made = std::make_unique<RankWatch>(std::make_unique<TableStore>(table_), rank,
                                            std::vector<std::string>{"rank 0 on here", "rank 1 on there"},
                                            "rank 0 on here",
                                            WatchTimes{.beat = 10ms, .silence = 2s, .doubt = 500ms});
    made->set_waiting(true);
    return made;
  }
  Table table_;
};

TEST_F(RankWatches, RanksThatBeatHaveNoFault) {
  const auto one = watch(0), other = watch(1);
  std::this_thread::sleep_for(3s);
  EXPECT_EQ(one->fault(), "");
  EXPECT_EQ(other->fault(), "");
}

TEST_F(RankWatches, ASilentRankIsNamed) {
  const auto one = watch(0);
  EXPECT_NE(one->wait_for_fault().find("rank 1 on there has not answered"), std::string::npos);
}

TEST_F(RankWatches, ARankSaysWhyItStops) {
  const auto one = watch(0);
  watch(1)->stop("the disk is full");
  EXPECT_EQ(one->wait_for_fault(), "rank 1 on there: the disk is full");
}

TEST_F(RankWatches, ARankThatHasLeftIsNotMissed) {
  const auto one = watch(0);
  watch(1)->leave();
  std::this_thread::sleep_for(3s);
  EXPECT_EQ(one->fault(), "");
}

TEST_F(RankWatches, AStoreThatIsGoneIsReported) {
  const auto one = watch(0), other = watch(1);
  {
    const std::lock_guard lock(table_.mutex);
    table_.is_lost = true;
  }
  const std::string fault = one->wait_for_fault();
  EXPECT_NE(fault.find("no route to host"), std::string::npos);
  EXPECT_NE(fault.find("held by rank 0 on here"), std::string::npos) << fault;
}

TEST_F(RankWatches, AWriteThatTakesLongIsNotSilence) {
  const auto one = watch(0), other = watch(1);
  other->set_slow(true);
  other->set_waiting(false);
  std::this_thread::sleep_for(3s);  // longer than silence
  EXPECT_EQ(one->fault(), "");
}

}  // namespace
}  // namespace gsan
