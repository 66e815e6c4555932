#include "gsan/core/base64.h"

#include <gtest/gtest.h>

namespace gsan {
namespace {

// RFC 4648, section 10.
TEST(Base64, VectorsOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, BytesOfEveryKind) {
  using namespace std::string_view_literals;
  EXPECT_EQ(base64("\xff\xfe\xfb"sv), "//77");
  EXPECT_EQ(base64("\0\0"sv), "AAA=");
}

}  // namespace
}  // namespace gsan
