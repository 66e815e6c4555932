// c10d is used here and nowhere else.

#include "gsan/ranks/ranks.h"

#include <chrono>
#include <thread>
#include <utility>

#include "gsan/core/check.h"
#include "gsan/ranks/rank_watch.h"

#ifdef GSAN_HAVE_GLOO
#define USE_C10D_GLOO
#define USE_DISTRIBUTED
#include <ATen/ops/from_blob.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#endif

namespace gsan {

std::string why_no_ranks() {
#ifdef GSAN_HAVE_GLOO
  return "";
#else
  return "this build trains in one process only: the headers of Gloo were missing when it was compiled; "
         "install them (Debian: libgloo-dev, or run ./quickstart.sh) and build again";
#endif
}

#ifdef GSAN_HAVE_GLOO
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto join_time = 120s;
constexpr auto slice = 250ms;  // of a wait, between two looks at the watch

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }
std::string text_of(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

class TcpRankStore final : public RankStore {
 public:
  explicit TcpRankStore(c10::intrusive_ptr<c10d::Store> store) : store_(std::move(store)) {}
  void set(const std::string& key, const std::string& value) override { store_->set(key, bytes_of(value)); }
  std::optional<std::string> find(const std::string& key) override {
    if (!store_->check({key})) return std::nullopt;
    return text_of(store_->get(key));
  }
  std::string set_first(const std::string& key, const std::string& value) override {
    return text_of(store_->compareSet(key, {}, bytes_of(value)));
  }

 private:
  c10::intrusive_ptr<c10d::Store> store_;
};

// A connection of its own to the store; what ranks of an earlier attempt left there is out of sight.
c10::intrusive_ptr<c10d::Store> connected(const RankPlace& place, bool is_server) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(place.port);
  options.isServer = is_server;
  options.waitWorkers = false;
  options.timeout = join_time;
  try {
    return c10::make_intrusive<c10d::PrefixStore>(
        concat("gsan/attempt-", place.restarts), c10::make_intrusive<c10d::TCPStore>(place.address, options));
  } catch (const std::exception& error) {
    fail(Fault::io, "ranks: the store at ", place.address, ":", place.port, " cannot be ",
         is_server ? "opened" : "reached", " (MASTER_ADDR, MASTER_PORT): ", error.what());
  }
}

// The address by which other machines reach this one, unless all ranks are here.
std::shared_ptr<gloo::transport::Device> device_for(const RankPlace& place) {
  if (const char* name = std::getenv("GLOO_SOCKET_IFNAME"); name != nullptr && *name != '\0')
    return c10d::ProcessGroupGloo::createDeviceForInterface(name);
  const bool is_here = place.address == "127.0.0.1" || place.address == "localhost" || place.address == "::1";
  return is_here ? c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1")
                 : c10d::ProcessGroupGloo::createDefaultDevice();
}

// What every rank says of itself, in the order of ranks.
std::vector<std::string> introduced(RankStore& store, const RankPlace& place, const std::string& own) {
  const auto key = [](int rank) { return concat("joined/", rank); };
  store.set(key(place.rank), own);
  std::vector<std::string> found;
  const Clock::time_point end = Clock::now() + join_time;
  while (static_cast<int>(found.size()) < place.size) {
    if (auto text = store.find(key(static_cast<int>(found.size())))) {
      found.push_back(std::move(*text));
      continue;
    }
    if (Clock::now() > end)
      fail(Fault::io, "ranks: rank ", found.size(), " of ", place.size, " did not join within ",
           join_time.count(), " s; look for its own message, or whether it was started");
    std::this_thread::sleep_for(10ms);
  }
  return found;
}

}  // namespace

struct Ranks::Group {
  Group(const RankPlace& at, const std::string& version) : place(at) {
    const auto store = connected(place, place.rank == 0 && !place.has_agent);
    TcpRankStore texts(store);
    // Hosts first: what a line break parts is the version.
    for (const std::string& text : introduced(texts, place, concat(host_name(), "\n", version))) {
      const std::size_t end = text.find('\n');
      names.push_back(rank_name(static_cast<int>(names.size()), text.substr(0, end)));
      versions.push_back(text.substr(end + 1));
    }
    for (std::size_t r = 1; r < names.size(); ++r)
      GSAN_CHECK(versions[r] == versions[0], "ranks: ", names[r], " runs ", versions[r], ", ", names[0],
                 " runs ", versions[0], "; install the same version everywhere");
    watch = std::make_unique<RankWatch>(std::make_unique<TcpRankStore>(connected(place, false)), place.rank,
                                        names);
    auto options = c10d::ProcessGroupGloo::Options::create(std::chrono::hours(24));  // the watch decides
    options->devices.push_back(device_for(place));
    if (place.size > 1) {
      store->setTimeout(join_time);
      gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(store, place.rank, place.size, options);
    }
    held = store;
  }

  [[noreturn]] void stop(const std::string& fault, const std::string& otherwise) {
    has_failed = true;
    fail(Fault::io, names[static_cast<std::size_t>(place.rank)],
         " stops: ", fault.empty() ? concat("a connection to another rank was lost: ", otherwise) : fault,
         "; the last checkpoint is intact");
  }

  void wait(c10d::Work& work) {
    watch->set_waiting(true);
    while (true) {
      try {
        work.wait(slice);
        break;
      } catch (const std::exception& error) {
        const bool is_lost = work.isCompleted();
        const std::string fault = is_lost ? watch->wait_for_fault() : watch->fault();
        if (is_lost || !fault.empty()) stop(fault, error.what());
      }
    }
    watch->set_waiting(false);
  }

  RankPlace place;
  std::vector<std::string> names, versions;
  c10::intrusive_ptr<c10d::Store> held;  // that of rank 0 serves the others
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo;
  std::unique_ptr<RankWatch> watch;
  bool has_failed = false;
};

Ranks::Ranks(const RankPlace& place, const std::string& version)
    : group_(std::make_unique<Group>(place, version)) {}

// Threads that wait for a lost rank would be waited for: what is left of them goes with the process.
Ranks::~Ranks() {
  if (group_ && group_->has_failed) static_cast<void>(group_.release());
}

int Ranks::rank() const { return group_->place.rank; }
int Ranks::size() const { return group_->place.size; }
const std::string& Ranks::name(int rank) const { return group_->names.at(static_cast<std::size_t>(rank)); }

std::vector<std::byte> Ranks::all_gather(std::span<const std::byte> bytes) {
  std::vector<std::byte> found(bytes.size() * static_cast<std::size_t>(size()));
  if (size() == 1 || bytes.empty()) {
    std::copy(bytes.begin(), bytes.end(), found.begin());
    return found;
  }
  const auto count = static_cast<std::int64_t>(bytes.size());
  const auto view = [&](const std::byte* first) {
    return at::from_blob(const_cast<std::byte*>(first), {count}, at::TensorOptions(at::kByte));
  };
  std::vector<at::Tensor> own{view(bytes.data())};
  std::vector<std::vector<at::Tensor>> all(1);
  for (int r = 0; r < size(); ++r) all.front().push_back(view(found.data() + r * count));
  try {
    group_->wait(*group_->gloo->allgather(all, own));
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {  // the call itself saw that a connection is gone
    group_->stop(group_->watch->wait_for_fault(), error.what());
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

void tell_ranks(const RankPlace& place, const std::string& fault) {
  TcpRankStore(connected(place, false)).set_first(fault_key, fault);
}

struct RankServer::Store {
  c10::intrusive_ptr<c10d::TCPStore> store;
};

RankServer::RankServer() : store_(std::make_unique<Store>()) {
  c10d::TCPStoreOptions options;
  options.port = 0;
  options.isServer = true;
  options.waitWorkers = false;
  store_->store = c10::make_intrusive<c10d::TCPStore>("127.0.0.1", options);
}

RankServer::~RankServer() = default;
int RankServer::port() const { return store_->store->getPort(); }

#else  // GSAN_HAVE_GLOO

struct Ranks::Group {};
struct RankServer::Store {};

Ranks::Ranks(const RankPlace&, const std::string&) { fail(Fault::argument, "ranks: ", why_no_ranks()); }
Ranks::~Ranks() = default;
int Ranks::rank() const { return 0; }
int Ranks::size() const { return 1; }
const std::string& Ranks::name(int) const { fail(Fault::argument, "ranks: ", why_no_ranks()); }
std::vector<std::byte> Ranks::all_gather(std::span<const std::byte> bytes) {
  return {bytes.begin(), bytes.end()};
}
void Ranks::abort(const std::string&) noexcept {}
void tell_ranks(const RankPlace&, const std::string&) {}
void Ranks::leave() {}
RankServer::RankServer() { fail(Fault::argument, "ranks: ", why_no_ranks()); }
RankServer::~RankServer() = default;
int RankServer::port() const { return 0; }

#endif

}  // namespace gsan
