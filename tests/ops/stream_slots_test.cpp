#include "gsan/ops/detail/stream_slots.h"

#include <array>

#include <gtest/gtest.h>

#include "support/expect_error.h"

namespace gsan::ops {
namespace {

TEST(StreamSlots, AStreamHasOnePlaceWhileWorkIsCaptured) {
  EXPECT_EQ(device_slot(7), nullptr);
  std::array<std::int64_t, 2> table{};
  bool is_capturing = false;
  {
    const StreamSlots slots(table.data(), table.size(), [&] { return is_capturing; });
    EXPECT_EQ(device_slot(7), nullptr);
    is_capturing = true;
    EXPECT_EQ(device_slot(7), table.data());
    EXPECT_EQ(device_slot(-3), table.data() + 1);
    EXPECT_EQ(device_slot(7), table.data());
    expect_error(Fault::resource, {"room for 2"}, [] { device_slot(8); });
    EXPECT_EQ(slots.streams(), (std::vector<std::int64_t>{7, -3}));
    expect_error(Fault::argument, {"another step"},
                 [&] { StreamSlots(table.data(), 2, [] { return true; }); });
  }
  EXPECT_EQ(device_slot(7), nullptr);
}

}  // namespace
}  // namespace gsan::ops
