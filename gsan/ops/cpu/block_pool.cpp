#include "gsan/ops/block_pool.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <deque>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif
#include <pthread.h>
#include <unistd.h>

#include <ATen/ops/empty.h>
#include <c10/core/Allocator.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/Storage.h>
#include <c10/core/TensorImpl.h>
#include <c10/util/accumulate.h>

namespace gsan::ops {
namespace {

constexpr std::size_t large_bytes = std::size_t{4} << 20, least_bytes = std::size_t{4} << 10,
                      huge_page = std::size_t{2} << 20, least_mapped = std::size_t{1} << 20, line = 64;

// So many blocks are taken, the steps of a training among them, before one that waits is given up.
constexpr std::uint64_t patience = 4096;

// Equal for sizes that may have the same block: at most a sixteenth is left unused.
std::size_t rounded(std::size_t bytes) {
  const std::size_t step = std::max(line, std::bit_floor(bytes) / 16);
  return (bytes + step - 1) / step * step;
}

char* align(void* memory, std::size_t to) {
  const auto beyond = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(memory) % to);
  return static_cast<char*>(memory) + (to - beyond) % to;
}

void ask_for_huge_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__)
  char *const begin = align(memory, huge_page), *const end = static_cast<char*>(memory) + bytes;
  if (end < begin + huge_page) return;
  const auto whole = static_cast<std::size_t>(end - begin) / huge_page * huge_page;
  ::madvise(begin, whole, MADV_HUGEPAGE);  // may refuse
#endif
}

// Bytes that may wait in a library, and in a program: an eighth of the machine, or of what its container may
// use.
constexpr std::size_t waiting_of_library = std::size_t{2} << 30;
std::size_t waiting_of_program() {
  auto memory = static_cast<std::size_t>(std::max(::sysconf(_SC_PHYS_PAGES), 0L)) *
                static_cast<std::size_t>(std::max(::sysconf(_SC_PAGESIZE), 0L));
  std::size_t of_container = 0;
  for (const char* file : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (std::ifstream(file) >> of_container && of_container > 0) memory = std::min(memory, of_container);
  return memory / 8;
}

// Since pool_all_tensors().
std::atomic<bool> pools_all = false;

// A block: this, then the bytes of a tensor from the next line on.
struct Block {
  std::size_t bytes;        // for a tensor, rounded
  c10::DataPtr memory;      // of torch's allocator, or
  void* mapping = nullptr;  // of the system,
  std::size_t mapped = 0;   // so many bytes
  std::uint64_t taken = 0;  // blocks that were taken before it began to wait

  char* data() { return reinterpret_cast<char*>(this) + line; }
  static Block* of(void* data) { return reinterpret_cast<Block*>(static_cast<char*>(data) - line); }
};
static_assert(sizeof(Block) <= line);

// Large blocks begin at one of 16 places, each a page and a line after the one before. `number` tells blocks
// apart.
constexpr std::size_t places = 16, apart = 4096 + line;
std::size_t place_of(std::uint64_t number, std::size_t bytes) {
  return bytes < large_bytes ? 0 : number % places * apart;
}

// Null: there is no room, or the system has no such calls. A very large block begins with a huge page: others
// would take twice their size, which a limit for the process counts.
Block* map_block([[maybe_unused]] std::size_t bytes, [[maybe_unused]] std::uint64_t number) {
#if defined(__linux__)
  const std::size_t place = place_of(number, bytes), before = bytes < 16 * huge_page ? 0 : huge_page;
  const std::size_t size = before + place + line + bytes;
  void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  ask_for_huge_pages(memory, size);
  char* const first = before > 0 ? align(memory, huge_page) : static_cast<char*>(memory);
  return new (first + place) Block{bytes, {}, memory, size};
#else
  return nullptr;
#endif
}

// Of torch's allocator, which throws where there is no room.
Block* allocate_block(std::size_t bytes, std::uint64_t number, c10::Allocator& allocator) {
  const std::size_t place = place_of(number, bytes), size = place + 2 * line + bytes;
  c10::DataPtr memory = allocator.allocate(size);
  if (bytes >= large_bytes) ask_for_huge_pages(memory.get(), size);
  void* const at = align(memory.get(), line) + place;
  return new (at) Block{bytes, std::move(memory)};
}

void free_block(Block* block) {
#if defined(__linux__)
  if (block->mapping) {
    ::munmap(block->mapping, block->mapped);
    return;
  }
#endif
  const c10::DataPtr memory = std::move(block->memory);
  block->~Block();
}

class Pool {
 public:
  /// Never destroyed: tensors may be freed after everything else.
  static Pool& instance() {
    static Pool* const pool = [] {
      auto* const made = new Pool;
      // A forked process must not inherit a lock held by a thread that it does not have.
      ::pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                       [] { instance().mutex_.unlock(); });
      return made;
    }();
    return *pool;
  }

  Block* take(std::size_t bytes) {
    const std::size_t wanted = rounded(bytes);
    if (wanted < least_bytes) return fresh_block(wanted, 0);  // not worth keeping
    std::uint64_t number = 0;
    {
      const std::lock_guard lock(mutex_);
      ++taken_;
      const auto found = waiting_.find(wanted);
      if (found != waiting_.end() && !found->second.empty()) {
        Block* const block = found->second.back();  // what is left of it in a cache is there
        found->second.pop_back();
        waiting_bytes_ -= wanted;
        return block;
      }
      give_up_old();
      number = fresh_++;
    }
    try {
      return fresh_block(wanted, number);
    } catch (const std::exception&) {  // no room: try again without the waiting blocks
      release();
    }
    try {
      return fresh_block(wanted, number);
    } catch (const std::exception&) {
      c10::GetDefaultCPUAllocator()->allocate(bytes);  // says so with the number that was asked for
      throw;
    }
  }

  // Tensors that end while memory is short give their blocks back here.
  void put(Block* block) noexcept {
    if (block->bytes < least_bytes) return free_block(block);
    const std::lock_guard lock(mutex_);
    if (block->bytes > most_waiting_) return free_block(block);
    block->taken = taken_;
    try {
      waiting_[block->bytes].push_back(block);
    } catch (const std::bad_alloc&) {
      return free_block(block);
    }
    waiting_bytes_ += block->bytes;
    while (waiting_bytes_ > most_waiting_) free_oldest();
  }

  void release() {
    const std::lock_guard lock(mutex_);
    while (waiting_bytes_ > 0) free_oldest();
    waiting_.clear();
  }

  void let_wait(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    most_waiting_ = bytes;
    while (waiting_bytes_ > most_waiting_) free_oldest();
  }

  std::size_t waiting() {
    const std::lock_guard lock(mutex_);
    return waiting_bytes_;
  }
  std::uint64_t fresh() {
    const std::lock_guard lock(mutex_);
    return fresh_;
  }

 private:
  static Block* fresh_block(std::size_t bytes, std::uint64_t number) {
    if (!pools_all) return allocate_block(bytes, number, *c10::GetCPUAllocator());
    Block* const block = bytes >= least_mapped ? map_block(bytes, number) : nullptr;
    return block ? block : allocate_block(bytes, number, *c10::GetDefaultCPUAllocator());
  }

  using Row = std::deque<Block*>;  // of one size, the first has waited longest

  void free_first(Row& row) {
    waiting_bytes_ -= row.front()->bytes;
    free_block(row.front());
    row.pop_front();
  }

  void give_up_old() {
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      while (!at->second.empty() && at->second.front()->taken + patience < taken_) free_first(at->second);
      at = at->second.empty() ? waiting_.erase(at) : std::next(at);
    }
  }

  void free_oldest() {
    Row* oldest = nullptr;
    for (auto& [bytes, row] : waiting_)
      if (!row.empty() && (!oldest || row.front()->taken < oldest->front()->taken)) oldest = &row;
    free_first(*oldest);
  }

  std::mutex mutex_;
  std::map<std::size_t, Row> waiting_;
  std::size_t waiting_bytes_ = 0, most_waiting_ = waiting_of_library;
  std::uint64_t taken_ = 0, fresh_ = 0;
};

void put_back(void* data) {
  if (data) Pool::instance().put(Block::of(data));
}

c10::DataPtr pooled(std::size_t bytes) {
  void* const data = Pool::instance().take(bytes)->data();
  return {data, data, put_back, c10::Device(c10::kCPU)};
}

class PoolAllocator final : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t bytes) override {
    return bytes > 0 ? pooled(bytes) : c10::DataPtr(nullptr, nullptr, put_back, c10::Device(c10::kCPU));
  }
  c10::DeleterFnPtr raw_deleter() const override { return put_back; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }
};

}  // namespace

at::Tensor pooled_empty(at::IntArrayRef sizes, const at::TensorOptions& options) {
  const auto bytes = static_cast<std::size_t>(c10::multiply_integers(sizes)) * options.dtype().itemsize();
  if (!options.device().is_cpu() || bytes < large_bytes) return at::empty(sizes, options);
  c10::Storage storage(c10::Storage::use_byte_size_t(), bytes, pooled(bytes), c10::GetCPUAllocator(),
                       /*resizable=*/true);
  at::Tensor tensor = at::detail::make_tensor<c10::TensorImpl>(
      std::move(storage), c10::DispatchKeySet(c10::DispatchKey::CPU), options.dtype());
  tensor.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  return tensor;
}

void pool_all_tensors() {
  static auto* const allocator = new PoolAllocator;  // tensors may outlive everything else
  pools_all = true;
  Pool::instance().let_wait(waiting_of_program());
  c10::SetCPUAllocator(allocator, /*priority=*/1);
}

void let_wait(std::size_t bytes) { Pool::instance().let_wait(bytes); }

std::int64_t waiting_bytes() { return static_cast<std::int64_t>(Pool::instance().waiting()); }

std::int64_t fresh_blocks() { return static_cast<std::int64_t>(Pool::instance().fresh()); }

void release_waiting() { Pool::instance().release(); }

}  // namespace gsan::ops
