#include "gsan/train/progress.h"

#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

namespace gsan {
namespace {

struct Fixture {
  explicit Fixture(bool terminal, bool color = false, int columns = 200) {
    options.terminal = terminal;
    options.color = color;
    options.columns = columns;
    options.clock = [this] { return now; };
  }
  double now = 100;
  ProgressOptions options;
  std::ostringstream stream;
};

const Metrics metrics = {{"validation.accuracy", 0.98765}};

TEST(Progress, PlainLinesWithoutATerminal) {
  Fixture f(false);
  Progress progress(f.stream, f.options);
  progress.on_begin(0);
  for (int epoch = 0; epoch < 10; ++epoch) {
    f.now += 1;
    progress.on_step({epoch, 10, 0, 1, 0.5});
    progress.on_epoch({epoch, 10, metrics, epoch == 2});
  }
  progress.on_message("done");
  progress.on_end();
  EXPECT_EQ(f.stream.str(),
            "epoch 1/10  validation.accuracy 0.9877  0:09 left\n"
            "epoch 3/10  validation.accuracy 0.9877  (best)  0:07 left\n"
            "epoch 5/10  validation.accuracy 0.9877  0:05 left\n"
            "epoch 7/10  validation.accuracy 0.9877  0:03 left\n"
            "epoch 9/10  validation.accuracy 0.9877  0:01 left\n"
            "epoch 10/10  validation.accuracy 0.9877\ndone\n");
}

TEST(Progress, ABarWithTimeLeftOnATerminal) {
  Fixture f(true);
  Progress progress(f.stream, f.options);
  progress.on_begin(0);
  progress.on_epoch({0, 4, metrics, true});
  f.now += 30;
  progress.on_step({1, 4, 1, 2, 0.25});  // half done
  const std::string text = f.stream.str();
  EXPECT_NE(text.find("━━━━━━━━━━──────────"), std::string::npos) << text;
  EXPECT_NE(text.find(" 50%  epoch 2/4  loss 0.25  0:30 left  validation.accuracy 0.9877"),
            std::string::npos);
  EXPECT_EQ(text.find("\x1b[32m"), std::string::npos);
  EXPECT_EQ(text.front(), '\r');
  f.now += 0.01;
  progress.on_step({1, 4, 1, 2, 0.25});  // too soon to draw again
  EXPECT_EQ(f.stream.str(), text);
  progress.on_message("hello");
  EXPECT_TRUE(f.stream.str().ends_with("\r\x1b[Khello\n"));
}

// A resumed run did not do the first half in no time.
TEST(Progress, TheTimeLeftCountsThisSessionOnly) {
  Fixture f(true);
  Progress progress(f.stream, f.options);
  progress.on_begin(0.5);
  f.now += 10;
  progress.on_step({2, 4, 0, 1, 0.25});
  EXPECT_NE(f.stream.str().find("75%"), std::string::npos);
  EXPECT_NE(f.stream.str().find("0:10 left"), std::string::npos) << f.stream.str();
}

TEST(Progress, ColoursOnlyWhenAskedFor) {
  Fixture f(true, true);
  Progress progress(f.stream, f.options);
  progress.on_begin(0);
  progress.on_step({0, 2, 0, 1, 0.25});
  EXPECT_NE(f.stream.str().find("\x1b[32m"), std::string::npos);
}

TEST(Progress, ALineNeverWrapsAndNoCharacterIsCut) {
  Fixture f(true, false, 30);
  Progress progress(f.stream, f.options);
  progress.on_begin(0);
  progress.on_epoch({0, 2, {{"μμμμμμμμμμμμμμ", 1}}, true});
  progress.on_step({0, 2, 0, 1, 0.25});
  int characters = 0;
  for (const char c : f.stream.str()) characters += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  EXPECT_EQ(characters, 29 + 1 + 3);  // "\r" and "\x1b[K"
}

TEST(Progress, AFileIsNoTerminal) { EXPECT_FALSE(progress_options(-1).terminal); }

TEST(Progress, Durations) {
  EXPECT_EQ(duration_text(0), "0:00");
  EXPECT_EQ(duration_text(65), "1:05");
  EXPECT_EQ(duration_text(3600 * 3 + 7 * 60 + 12), "3:07:12");
  EXPECT_EQ(duration_text(86400 * 2 + 3 * 3600), "2 d 03 h");
  EXPECT_EQ(duration_text(-1), "?");
  EXPECT_EQ(duration_text(std::nan("")), "?");
}

}  // namespace
}  // namespace gsan
