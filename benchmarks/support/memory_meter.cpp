#include "support/memory_meter.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {
std::atomic<std::size_t> live_bytes{0}, peak_bytes{0};

void* counted(void* memory) {
  if (!memory) throw std::bad_alloc();
  const std::size_t now = live_bytes.fetch_add(malloc_usable_size(memory), std::memory_order_relaxed) +
                          malloc_usable_size(memory);
  if (now > peak_bytes.load(std::memory_order_relaxed)) peak_bytes.store(now, std::memory_order_relaxed);
  return memory;
}

void release(void* memory) {
  if (memory) live_bytes.fetch_sub(malloc_usable_size(memory), std::memory_order_relaxed);
  std::free(memory);
}
}  // namespace

void* operator new(std::size_t size) { return counted(std::malloc(size ? size : 1)); }
void* operator new(std::size_t size, std::align_val_t align) {
  return counted(std::aligned_alloc(static_cast<std::size_t>(align), size));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace gsan {
std::size_t MemoryMeter::live() { return live_bytes.load(); }
std::size_t MemoryMeter::peak() { return peak_bytes.load(); }
void MemoryMeter::reset_peak() { peak_bytes.store(live_bytes.load()); }
}  // namespace gsan
