#include "gsan/train/resumed_settings.h"

#include <gtest/gtest.h>

#include "gsan/core/atomic_file.h"

#include "support/expect_error.h"
#include "support/temporary_folder.h"

namespace gsan {
namespace {

class ResumedSettings : public testing::Test {
 protected:
  RunSettings resumed(const std::string& schedule, const std::vector<std::string>& changes) {
    const std::filesystem::path config = folder_ / "config.yaml";
    write_file_atomically(
        config, to_yaml(parse_run_settings("task: trajectory", "test",
                                           {"train.epochs=50", "train.schedule.kind=" + schedule})));
    return resumed_settings("run", config, changes);
  }
  TemporaryFolder folder_;
};

TEST_F(ResumedSettings, OnlyTheLengthMayChange) {
  const RunSettings then = resumed("plateau", {});
  const RunSettings now =
      resumed("plateau", {"train.epochs=100", "train.patience=7", "train.checkpoint_seconds=5"});
  EXPECT_EQ(now.train.epochs, 100);
  EXPECT_EQ(now.train.patience, 7);
  const auto changes = changes_between(then, now);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[1].key, "train.epochs");
  EXPECT_EQ(changes[1].from, "50");
  EXPECT_EQ(changes[1].to, "100");
  EXPECT_TRUE(changes_between(then, resumed("plateau", {"train.epochs=50"})).empty());
  expect_error(Fault::argument, {"model.heads, seed cannot change", "gsan train run/config.yaml --from run"},
               [&] {
                 resumed("plateau", {"model.heads=2", "train.epochs=60", "seed=3"});
               });
  expect_error(Fault::argument, {"'train' is a section"},
               [&] { resumed("plateau", {"train={epochs: 60}"}); });
}

TEST_F(ResumedSettings, ACosineKeepsItsLengthButNotItsPatience) {
  EXPECT_EQ(resumed("cosine", {"train.epochs=50", "train.patience=3"}).train.patience, 3);
  expect_error(Fault::argument, {"from 50 to 60", "cosine", "--from run train.epochs=60"},
               [&] { resumed("cosine", {"train.epochs=60"}); });
}

TEST_F(ResumedSettings, SomethingMustBeLeftToTrain) {
  TrainOptions options;
  options.epochs = 50;
  options.patience = 4;
  TrainState state;
  state.epoch = 49;
  state.patience.waited = 3;
  EXPECT_NO_THROW(require_work(options, state, "run", true));
  state.patience.waited = 4;
  expect_error(Fault::argument, {"stopped early", "train.patience is 4"},
               [&] { require_work(options, state, "run", true); });
  state.epoch = 50;
  expect_error(Fault::argument, {"has done 50 epochs", "train.epochs=50"},
               [&] { require_work(options, state, "run", true); });
  // A run that lost its record while it was trained longer may end where it is.
  state.patience.waited = 0;
  EXPECT_NO_THROW(require_work(options, state, "run", false));
  options.epochs = 40;
  expect_error(Fault::argument, {"has done 50 epochs", "train.epochs=50 to end it there"},
               [&] { require_work(options, state, "run", false); });
}

}  // namespace
}  // namespace gsan
