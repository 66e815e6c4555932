#include "gsan/ops/cuda/attention/heavy_rows.h"

#include <map>
#include <mutex>

#include <c10/cuda/CUDAGraphsC10Utils.h>

#include "gsan/ops/cuda/attention/pair_attention_kernels.h"

namespace gsan::ops::cuda {
namespace {

struct Known {
  c10::weak_intrusive_ptr<c10::StorageImpl> memory;
  std::int64_t size;
  bool has_heavy;
};

bool look(const at::Tensor& offsets) {
  return offsets.size(0) > 1 && offsets.diff().max().item<std::int64_t>() > heavy_degree;
}

}  // namespace

bool may_have_heavy_rows(const at::Tensor& offsets) {
  // What is captured is replayed with other lists in the same memory.
  if (c10::cuda::currentStreamCaptureStatusMayInitCtx() != c10::cuda::CaptureStatus::None) return true;
  static std::mutex mutex;
  static std::map<const void*, Known> all;
  const std::lock_guard lock(mutex);
  const void* const place = offsets.const_data_ptr();
  const auto found = all.find(place);
  if (found != all.end() && found->second.size == offsets.size(0)) {
    const auto memory = found->second.memory.lock();
    if (memory && memory.get() == offsets.storage().unsafeGetStorageImpl()) return found->second.has_heavy;
  }
  std::erase_if(all, [](const auto& entry) { return entry.second.memory.expired(); });
  const bool has_heavy = look(offsets);
  all.insert_or_assign(
      place, Known{c10::weak_intrusive_ptr<c10::StorageImpl>(offsets.storage().getWeakStorageImpl()),
                   offsets.size(0), has_heavy});
  return has_heavy;
}

}  // namespace gsan::ops::cuda
