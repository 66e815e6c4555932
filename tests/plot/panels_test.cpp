#include "gsan/plot/panels.h"

#include <array>

#include <gtest/gtest.h>

#include "gsan/core/check.h"
#include "gsan/plot/svg.h"

#include "plot/elements.h"

namespace gsan {
namespace {

std::string picture(double width, double height) { return Svg(width, height, "p").finish(); }

TEST(Panels, ThreePicturesInTwoColumns) {
  const std::array pictures{picture(100, 50), picture(200, 80), picture(150, 60)};
  const std::string all = panels(pictures, 2, "All");
  EXPECT_TRUE(test::is_balanced(all));
  const PictureSize size = picture_size(all);
  EXPECT_EQ(size.width, 150 + 200);
  EXPECT_EQ(size.height, 40 + 80 + 60);
  EXPECT_EQ(test::elements_of_class(all, "gsan-picture").size(), 4u);
  EXPECT_EQ(all.find("<style>"), all.rfind("<style>")) << "one style for all";
}

TEST(Panels, WhatIsNotAPictureIsRefused) {
  EXPECT_THROW(panels({}, 1, ""), Error);
  EXPECT_THROW(panels(std::array{picture(10, 10)}, 0, ""), Error);
  EXPECT_THROW(panels(std::array{std::string("<html>")}, 1, ""), Error);
}

}  // namespace
}  // namespace gsan
