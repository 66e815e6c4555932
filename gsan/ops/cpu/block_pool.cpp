#include "gsan/ops/detail/block_pool.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <ATen/ops/empty.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/accumulate.h>

namespace gsan::ops {
namespace {

constexpr std::size_t large_bytes = std::size_t{4} << 20, huge_page = std::size_t{2} << 20,
                      most_waiting = std::size_t{2} << 30;

void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + huge_page - 1) / huge_page * huge_page,
             end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / huge_page * huge_page;
  if (end > begin) ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // may refuse
#endif
}

struct Block {
  c10::DataPtr memory;
  std::size_t bytes = 0;
};

class Pool {
 public:
  /// Never destroyed: tensors may be freed after everything else.
  static Pool& instance() {
    static Pool* const pool = new Pool;
    return *pool;
  }

  Block take(std::size_t bytes) {
    {
      const std::lock_guard lock(mutex_);
      const auto found = waiting_.find(bytes);
      if (found != waiting_.end()) {
        Block block{std::move(found->second), bytes};
        waiting_.erase(found);
        waiting_bytes_ -= bytes;
        return block;
      }
    }
    release();
    Block block{c10::GetCPUAllocator()->allocate(bytes), bytes};
    ask_for_huge_pages(block.memory.get(), bytes);
    return block;
  }

  void put(Block block) {
    const std::lock_guard lock(mutex_);
    if (waiting_bytes_ + block.bytes > most_waiting) return;
    waiting_bytes_ += block.bytes;
    waiting_.emplace(block.bytes, std::move(block.memory));
  }

  void release() {
    std::multimap<std::size_t, c10::DataPtr> freed;  // outside of the lock
    const std::lock_guard lock(mutex_);
    freed.swap(waiting_);
    waiting_bytes_ = 0;
  }

  std::size_t waiting() {
    const std::lock_guard lock(mutex_);
    return waiting_bytes_;
  }

 private:
  std::mutex mutex_;
  std::multimap<std::size_t, c10::DataPtr> waiting_;
  std::size_t waiting_bytes_ = 0;
};

void put_back(void* block) {
  Pool::instance().put(std::move(*static_cast<Block*>(block)));
  delete static_cast<Block*>(block);
}

}  // namespace

at::Tensor pooled_empty(at::IntArrayRef sizes, const at::TensorOptions& options) {
  const auto bytes = static_cast<std::size_t>(c10::multiply_integers(sizes)) * options.dtype().itemsize();
  if (!options.device().is_cpu() || bytes < large_bytes) return at::empty(sizes, options);
  auto* const block = new Block(Pool::instance().take(bytes));
  c10::DataPtr memory(block->memory.get(), block, put_back, c10::Device(c10::kCPU));
  c10::Storage storage(c10::Storage::use_byte_size_t(), bytes, std::move(memory), c10::GetCPUAllocator(),
                       /*resizable=*/true);
  at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU), options.dtype());
  tensor.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return tensor;
}

std::int64_t waiting_bytes() { return static_cast<std::int64_t>(Pool::instance().waiting()); }

void release_waiting() { Pool::instance().release(); }

}  // namespace gsan::ops
