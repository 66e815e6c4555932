#include "gsan/hodge/tensor_pack.h"

#include <algorithm>
#include <cstring>

#include "gsan/core/check.h"
#include "gsan/ops/device.h"

namespace gsan {
namespace {

constexpr std::int64_t alignment = 256;

std::int64_t aligned(std::int64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace

TensorPack::TensorPack(std::int64_t header) : bytes_(aligned(header)) {}

void TensorPack::add(const Tensor& tensor) {
  if (!tensor.defined()) {
    entries_.emplace_back();
    return;
  }
  Entry entry{tensor.contiguous(), tensor.scalar_type(), tensor.sizes().vec(), bytes_};
  const auto same = std::ranges::find_if(entries_, [&](const Entry& other) {
    return other.tensor.defined() && other.type == entry.type && other.sizes == entry.sizes &&
           other.tensor.const_data_ptr() == entry.tensor.const_data_ptr();
  });
  if (same != entries_.end())
    entry.place = same->place;
  else
    bytes_ += aligned(static_cast<std::int64_t>(entry.tensor.nbytes()));
  entries_.push_back(std::move(entry));
}

std::string TensorPack::shape() const {
  std::string text;
  for (const Entry& entry : entries_) {
    text += concat(entry.place, ":", static_cast<int>(entry.type));
    for (const std::int64_t size : entry.sizes) text += concat(",", size);
    text += ' ';
  }
  return text;
}

Tensor TensorPack::write(torch::Device device) {
  const Tensor buffer = ops::transfer_buffer(bytes_, device);
  auto* to = buffer.mutable_data_ptr<std::uint8_t>();
  for (Entry& entry : entries_) {
    if (entry.tensor.defined() && entry.tensor.nbytes() > 0)
      std::memcpy(to + entry.place, entry.tensor.const_data_ptr(), entry.tensor.nbytes());
    entry.tensor = Tensor();
  }
  return buffer;
}

// Made by hand: a batch has dozens of tensors, and three calls of torch for each would take longer than a
// step.
Tensor TensorPack::Reader::next() {
  GSAN_CHECK(next_ < pack_.entries_.size(), "TensorPack::Reader: all ", next_, " tensors are read");
  const Entry& entry = pack_.entries_[next_++];
  if (entry.place < 0) return {};
  auto view = c10::make_intrusive<c10::TensorImpl>(c10::Storage(buffer_.storage()), buffer_.key_set(),
                                                   c10::scalarTypeToTypeMeta(entry.type));
  view->set_storage_offset((buffer_.storage_offset() + entry.place) /
                           static_cast<std::int64_t>(c10::elementSize(entry.type)));
  view->set_sizes_contiguous(entry.sizes);
  return Tensor(std::move(view));
}

}  // namespace gsan
