#include "gsan/ranks/detail/tcp_store.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "gsan/core/check.h"
#include "gsan/ranks/ranks.h"

namespace gsan {
namespace {

std::vector<std::uint8_t> bytes_of(const std::string& text) { return {text.begin(), text.end()}; }
std::string text_of(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

}  // namespace

void TcpRankStore::set(const std::string& key, const std::string& value) {
  store_->set(key, bytes_of(value));
}

std::optional<std::string> TcpRankStore::find(const std::string& key) {
  if (!store_->check({key})) return std::nullopt;
  return text_of(store_->get(key));
}

std::string TcpRankStore::set_first(const std::string& key, const std::string& value) {
  return text_of(store_->compareSet(key, {}, bytes_of(value)));
}

c10::intrusive_ptr<c10d::Store> connected_store(const RankPlace& place, bool is_server,
                                                std::chrono::milliseconds wait) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(place.port);
  options.isServer = is_server;
  options.waitWorkers = false;
  options.timeout = wait;
  try {
    return c10::make_intrusive<c10d::PrefixStore>(
        concat("gsan/attempt-", place.restarts), c10::make_intrusive<c10d::TCPStore>(place.address, options));
  } catch (const std::exception& error) {
    fail(Fault::io, "ranks: the store at ", place.address, ":", place.port, " cannot be ",
         is_server ? "opened" : "reached", " (MASTER_ADDR, MASTER_PORT): ", error.what());
  }
}

void tell_ranks(const RankPlace& place, const std::string& fault) {
  TcpRankStore(connected_store(place, false, std::chrono::seconds(10))).set_first(fault_key, fault);
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

}  // namespace gsan
