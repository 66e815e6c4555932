#include "gsan/core/nearest.h"

#include <vector>

#include <gtest/gtest.h>

namespace gsan {
namespace {

TEST(EditDistance, CountsEachKindOfSlip) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
  EXPECT_EQ(edit_distance("haeds", "heads"), 1u);  // a swap
  EXPECT_EQ(edit_distance("ca", "abc"), 3u);       // optimal string alignment, not Damerau's 2
}

TEST(NearestWord, FindsByTheWholeAndByTheLastPart) {
  const std::vector<std::string> known{"model.heads", "model.taps", "seed", "inspect"};
  EXPECT_EQ(nearest_word("model.tpas", known), "model.taps");
  EXPECT_EQ(nearest_word("head", known), "model.heads");
  EXPECT_EQ(nearest_word("inpsect", known), "inspect");
  EXPECT_EQ(nearest_word("x", {}), "");
}

}  // namespace
}  // namespace gsan
