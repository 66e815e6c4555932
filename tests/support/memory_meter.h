#pragma once
// How many bytes of CPU tensors live while something runs.
//
//   MemoryMeter meter;
//   step();
//   EXPECT_LT(meter.peak(), bound);
//
// Counts what torch's CPU allocator hands out for tensor storage after the first meter of the process was
// made; tensors that exist before are not counted, also when they go.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

#include "gsan/ops/block_pool.h"

namespace gsan {

class CountingAllocator final : public c10::Allocator {
 public:
  /// Takes torch's place on the first call and stays: storage outlives any scope.
  static CountingAllocator& installed() {
    static CountingAllocator* allocator = new CountingAllocator;
    return *allocator;
  }

  /// The pointer is its own context, which torch's raw allocations need; its size stands in front of it.
  c10::DataPtr allocate(std::size_t bytes) override {
    const std::size_t whole = (front + bytes + front - 1) / front * front;
    auto* memory = static_cast<char*>(std::aligned_alloc(front, whole));
    if (memory == nullptr) throw std::bad_alloc();
    *reinterpret_cast<std::int64_t*>(memory) = static_cast<std::int64_t>(bytes);
    const std::int64_t now = current_ += static_cast<std::int64_t>(bytes);
    std::int64_t peak = peak_;
    while (peak < now && !peak_.compare_exchange_weak(peak, now)) {
    }
    return {memory + front, memory + front, &release, c10::Device(c10::DeviceType::CPU)};
  }

  c10::DeleterFnPtr raw_deleter() const override { return &release; }

  void copy_data(void* to, const void* from, std::size_t count) const override {
    std::memcpy(to, from, count);
  }

  std::int64_t current() const { return current_; }
  std::int64_t peak() const { return peak_; }
  void forget_peak() { peak_ = current_.load(); }

 private:
  static constexpr std::size_t front = 64;  // alignment that torch's own storage has, and room for the size

  CountingAllocator() { c10::SetCPUAllocator(this, /*priority=*/100); }

  static void release(void* context) {
    char* memory = static_cast<char*>(context) - front;
    installed().current_ -= *reinterpret_cast<std::int64_t*>(memory);
    std::free(memory);
  }

  std::atomic<std::int64_t> current_ = 0, peak_ = 0;
};

/// Bytes since it was made. One at a time: the peak belongs to the process.
class MemoryMeter {
 public:
  MemoryMeter() : allocator_(CountingAllocator::installed()) {
    ops::release_waiting();  // or their tensors would not be counted
    allocator_.forget_peak();
    start_ = allocator_.current();
  }
  std::int64_t current() const { return allocator_.current() - start_; }
  std::int64_t peak() const { return allocator_.peak() - start_; }

 private:
  CountingAllocator& allocator_;
  std::int64_t start_ = 0;
};

}  // namespace gsan
