#include "apps/gsan/bench/allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>

namespace {

std::atomic<bool> is_counting{false};
std::atomic<std::int64_t> object_count{0};

void* counted(void* memory) noexcept {
  if (is_counting.load(std::memory_order_relaxed)) object_count.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

void* checked(void* memory) {
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

// As in the C++ library, and counted on demand; its array forms call these. The forms that do not throw are
// here, too, so that all of them fit the same delete.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(std::malloc(size ? size : 1));
}
void* operator new(std::size_t size, std::align_val_t align, const std::nothrow_t&) noexcept {
  const auto step = static_cast<std::size_t>(align);
  return counted(std::aligned_alloc(step, (size + step - 1) / step * step));
}
void* operator new(std::size_t size) { return checked(operator new(size, std::nothrow)); }
void* operator new(std::size_t size, std::align_val_t align) {
  return checked(operator new(size, align, std::nothrow));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { std::free(memory); }

namespace gsan::app {
namespace {

// The allocator of torch's CPU tensors, with a count.
class CountingAllocator final : public c10::Allocator {
 public:
  explicit CountingAllocator(c10::Allocator* inner) : inner_(inner) {}

  c10::DataPtr allocate(std::size_t size) override {
    if (size > 0) tensors.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(static_cast<std::int64_t>(size), std::memory_order_relaxed);
    return inner_->allocate(size);
  }
  c10::DeleterFnPtr raw_deleter() const override { return inner_->raw_deleter(); }
  void copy_data(void* to, const void* from, std::size_t size) const override {
    inner_->copy_data(to, from, size);
  }

  std::atomic<std::int64_t> tensors{0}, bytes{0};

 private:
  c10::Allocator* inner_;
};

// In the place of torch's allocator as long as it lives. Storages remember their allocator, so that the
// counter itself stays for good.
class CountingScope {
 public:
  CountingScope() : before_(c10::GetCPUAllocator()) {
    counter().tensors = counter().bytes = object_count = 0;
    c10::SetCPUAllocator(&counter(), priority);
    is_counting = true;
  }
  ~CountingScope() {
    is_counting = false;
    c10::SetCPUAllocator(before_, priority);
  }
  CountingScope(const CountingScope&) = delete;

  AllocationCount count() const { return {object_count, counter().tensors, counter().bytes}; }

 private:
  static CountingAllocator& counter() {
    static CountingAllocator allocator(c10::GetCPUAllocator());
    return allocator;
  }
  static constexpr std::uint8_t priority = 255;  // torch takes an allocator only over one of at most its own
  c10::Allocator* before_;
};

}  // namespace

AllocationCount count_allocations(const std::function<void()>& work) {
  const CountingScope scope;
  work();
  return scope.count();
}

}  // namespace gsan::app
