#include "gsan/core/long_work.h"

#include <algorithm>
#include <utility>

namespace gsan {
namespace {

thread_local LongWorkListener* the_listener = nullptr;

}  // namespace

LongWork::LongWork(std::string name, double total) : name_(std::move(name)), total_(total) {
  if (the_listener != nullptr) the_listener->on_begin(*this);
}

LongWork::~LongWork() {
  if (the_listener != nullptr) the_listener->on_end(*this);
}

double LongWork::share() const {
  return total_ > 0 ? std::clamp(done_.load(std::memory_order_relaxed) / total_, 0.0, 1.0) : -1;
}

void listen_to_long_work(LongWorkListener* listener) { the_listener = listener; }

}  // namespace gsan
