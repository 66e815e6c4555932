// c10d is used here, in the sources of its store and of its backends (detail/), and nowhere else.

#include "gsan/ranks/ranks.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <sstream>
#include <thread>
#include <utility>

#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <c10/util/Exception.h>

#include "gsan/core/check.h"
#include "gsan/ranks/detail/groups.h"
#include "gsan/ranks/detail/tcp_store.h"
#include "gsan/ranks/rank_watch.h"

namespace gsan {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto join_time = 120s;
constexpr auto slice = 250ms;  // of a wait, between two looks at the watch
// A rank with a core of its own keeps it at the beginning of a slice: one that sleeps wakes milliseconds
// late, or on the core of another rank, and an exchange is over in less.
constexpr auto awake = 20ms;

// Without the calls that led to it.
std::string text_of(const std::exception& error) {
  const auto* torch_error = dynamic_cast<const c10::Error*>(&error);
  return torch_error != nullptr ? torch_error->what_without_backtrace() : error.what();
}

// What a rank says of itself when it joins, a line each.
std::string introduction(const RankSelf& self) {
  return concat(host_name(), "\n", self.gpu < 0 ? "" : gpu_address(self.gpu), "\n", has_gloo(), "\n",
                has_nccl(), "\n", name_of(self.backend), "\n", self.version);
}

struct Introduced {
  RankMeans means;
  std::string backend, version;
};

Introduced introduced(int rank, const std::string& text) {
  std::istringstream lines(text);
  Introduced found;
  const auto next = [&] {
    std::string line;
    std::getline(lines, line);
    return line;
  };
  found.means.host = next();
  found.means.name = rank_name(rank, found.means.host);
  found.means.gpu = next();
  found.means.has_gloo = next() == "1";
  found.means.has_nccl = next() == "1";
  found.backend = next();
  found.version = next();
  return found;
}

// What every rank says of itself, in the order of ranks. One that is known to have stopped is waited for no
// longer.
std::vector<Introduced> all_introduced(RankStore& store, const RankPlace& place, const std::string& own) {
  const auto key = [](int rank) { return concat("joined/", rank); };
  store.set(key(place.rank), own);
  std::vector<Introduced> found;
  const Clock::time_point end = Clock::now() + join_time;
  while (static_cast<int>(found.size()) < place.size) {
    const auto rank = static_cast<int>(found.size());
    if (const auto text = store.find(key(rank))) {
      found.push_back(introduced(rank, *text));
      continue;
    }
    if (const auto fault = store.find(fault_key))
      fail(Fault::io, rank_name(place.rank, host_name()), " stops before all ranks have joined: ", *fault);
    if (Clock::now() > end)
      fail(Fault::io, "ranks: rank ", rank, " of ", place.size, " did not join within ", join_time.count(),
           " s; look for its own message, or whether it was started");
    std::this_thread::sleep_for(10ms);
  }
  return found;
}

}  // namespace

std::string why_no_ranks() {
  if (has_gloo() || has_nccl()) return "";
  return "this build trains in one process only: the headers of Gloo were missing when it was compiled; "
         "install them (Debian: libgloo-dev, or run ./quickstart.sh) and build again";
}

std::string rank_backends() {
  return concat(has_gloo() ? "Gloo" : "", has_gloo() && has_nccl() ? ", " : "", has_nccl() ? "NCCL" : "");
}

struct Ranks::Group {
  Group(const RankPlace& at, const RankSelf& self) : place(at), gpu(self.gpu) {
    const bool holds_store = place.rank == 0 && !place.has_agent;
    held = connected_store(place, holds_store, join_time);
    TcpRankStore texts(held);
    const std::vector<Introduced> all = all_introduced(texts, place, introduction(self));
    std::vector<RankMeans> means;
    for (const Introduced& one : all) {
      means.push_back(one.means);
      names.push_back(one.means.name);
      GSAN_CHECK(one.version == all[0].version, "ranks: ", names.back(), " runs ", one.version, ", ",
                 names[0], " runs ", all[0].version, "; install the same version everywhere");
      GSAN_CHECK(one.backend == all[0].backend, "ranks: --backend of ", names.back(), " is ", one.backend,
                 ", that of ", names[0], " is ", all[0].backend, "; give all ranks the same words");
    }
    backend = chosen_backend(self.backend, means);
    const auto is_here = [&](const RankMeans& one) {
      return one.host == means[static_cast<std::size_t>(place.rank)].host;
    };
    has_own_core = std::ranges::count_if(means, is_here) <= std::thread::hardware_concurrency();
    watch = std::make_unique<RankWatch>(
        std::make_unique<TcpRankStore>(connected_store(place, false, join_time)), place.rank, names,
        place.has_agent ? concat("the launcher at ", place.address, ":", place.port) : names[0]);
    if (place.size > 1) connect();
  }

  // In another thread: a rank that was lost meanwhile is waited for by c10d, but not by this one.
  void connect() {
    struct Attempt {
      GroupPtr group;
      std::exception_ptr error;
      std::atomic<bool> is_over{false};
    };
    const auto attempt = std::make_shared<Attempt>();
    watch->set_waiting(true);
    std::thread thread([attempt, store = held, place = place, gpu = gpu, backend = backend] {
      try {
        store->setTimeout(join_time);
        if (backend == RankBackend::gloo) {
          attempt->group = gloo_group(store, place);
        } else {
          attempt->group = nccl_group(store, place, gpu);
          attempt->group->barrier()->wait();
        }
      } catch (...) {
        attempt->error = std::current_exception();
      }
      attempt->is_over = true;
    });
    std::string fault;
    while (!attempt->is_over && (fault = watch->fault()).empty()) std::this_thread::sleep_for(1ms);
    if (!fault.empty()) {
      thread.detach();
      stop(fault, "");
    }
    thread.join();
    watch->set_waiting(false);
    try {
      if (attempt->error) std::rethrow_exception(attempt->error);
    } catch (const std::exception& error) {
      stop(watch->wait_for_fault(), text_of(error));
    }
    group = attempt->group;
  }

  [[noreturn]] void stop(const std::string& fault, const std::string& otherwise) {
    has_failed = true;
    fail(Fault::io, names[static_cast<std::size_t>(place.rank)],
         " stops: ", fault.empty() ? concat("a connection to another rank was lost: ", otherwise) : fault,
         "; the last checkpoint is intact");
  }

  // Looks at the watch now and then; false: not done yet.
  bool is_done(c10d::Work& work) const {
    const bool is_gloo = backend == RankBackend::gloo;
    const Clock::time_point end = Clock::now() + (is_gloo ? (has_own_core ? awake : 0ms) : slice);
    while (!work.isCompleted() && Clock::now() < end) std::this_thread::yield();
    if (is_gloo) {
      work.wait(slice);  // throws when the time is over
      return true;
    }
    const bool is_over = work.isCompleted();
    if (is_over && work.exception()) std::rethrow_exception(work.exception());
    return is_over;
  }

  void wait(c10d::Work& work) {
    watch->set_waiting(true);
    while (true) {
      std::string error_text;
      try {
        if (is_done(work)) break;
      } catch (const std::exception& error) {
        error_text = text_of(error);
      }
      // It may have been done right after the time was over.
      const bool is_over = work.isCompleted(), is_lost = is_over && work.exception() != nullptr;
      if (is_over && !is_lost) break;
      const std::string fault = is_lost ? watch->wait_for_fault() : watch->fault();
      if (is_lost || !fault.empty()) stop(fault, error_text);
    }
    watch->set_waiting(false);
  }

  void all_gather(std::span<const std::byte> bytes, std::vector<std::byte>& found) {
    const auto count = static_cast<std::int64_t>(bytes.size());
    const auto view = [](const std::byte* first, std::int64_t n) {
      return at::from_blob(const_cast<std::byte*>(first), {n}, at::TensorOptions(at::kByte));
    };
    const at::Tensor here = view(found.data(), std::ssize(found));
    at::Tensor own = view(bytes.data(), count), all = here;
    if (backend == RankBackend::nccl) {
      const at::Device device(at::kCUDA, static_cast<c10::DeviceIndex>(gpu));
      own = own.to(device);
      all = at::empty({all.size(0)}, own.options());
    }
    std::vector<at::Tensor> inputs{own};
    std::vector<std::vector<at::Tensor>> outputs{all.split(count)};
    wait(*group->allgather(outputs, inputs));
    if (!all.is_same(here)) here.copy_(all);
  }

  RankPlace place;
  int gpu;
  std::vector<std::string> names;
  RankBackend backend = RankBackend::gloo;
  bool has_own_core = false;             // this host has one for each of its ranks
  c10::intrusive_ptr<c10d::Store> held;  // that of rank 0 may serve the others
  GroupPtr group;
  std::unique_ptr<RankWatch> watch;
  bool has_failed = false;
};

Ranks::Ranks(const RankPlace& place, const RankSelf& self) {
  if (const std::string why = why_no_ranks(); !why.empty()) fail(Fault::argument, "ranks: ", why);
  group_ = std::make_unique<Group>(place, self);
}

// Threads that wait for a lost rank would be waited for: what is left of them goes with the process.
Ranks::~Ranks() {
  if (group_ && group_->has_failed) static_cast<void>(group_.release());
}

int Ranks::rank() const { return group_->place.rank; }
int Ranks::size() const { return group_->place.size; }
const std::string& Ranks::name(int rank) const { return group_->names.at(static_cast<std::size_t>(rank)); }
RankBackend Ranks::backend() const { return group_->backend; }

std::vector<std::byte> Ranks::all_gather(std::span<const std::byte> bytes) {
  std::vector<std::byte> found(bytes.size() * static_cast<std::size_t>(size()));
  if (size() == 1 || bytes.empty()) {
    std::copy(bytes.begin(), bytes.end(), found.begin());
    return found;
  }
  try {
    group_->all_gather(bytes, found);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // the call itself saw that a connection is gone
    group_->stop(group_->watch->wait_for_fault(), text_of(error));
  }
  return found;
}

void Ranks::abort(const std::string& why) noexcept {
  if (std::exchange(group_->has_failed, true)) return;  // it stops since another one has
  try {
    group_->watch->stop(why);
  } catch (const std::exception&) {  // the others find it silent
  }
}

void Ranks::leave() {
  barrier();
  group_->watch->leave();
}

SlowWork::SlowWork(Ranks* ranks) : ranks_(ranks) {
  if (ranks_ != nullptr) ranks_->group_->watch->set_slow(true);
}

SlowWork::~SlowWork() {
  if (ranks_ != nullptr) ranks_->group_->watch->set_slow(false);
}

}  // namespace gsan
