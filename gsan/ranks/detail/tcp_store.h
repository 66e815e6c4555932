#pragma once
// The store of the ranks: torch's TCPStore.

#include <chrono>

#include <torch/csrc/distributed/c10d/Store.hpp>

#include "gsan/ranks/rank_place.h"
#include "gsan/ranks/rank_watch.h"

namespace gsan {

/// A connection of its own to the store; what ranks of an earlier attempt left there is out of sight.
/// `is_server`: this process holds it. Fault::io where it cannot be had within `wait`.
c10::intrusive_ptr<c10d::Store> connected_store(const RankPlace& place, bool is_server,
                                                std::chrono::milliseconds wait);

class TcpRankStore final : public RankStore {
 public:
  explicit TcpRankStore(c10::intrusive_ptr<c10d::Store> store) : store_(std::move(store)) {}
  void set(const std::string& key, const std::string& value) override;
  std::optional<std::string> find(const std::string& key) override;
  std::string set_first(const std::string& key, const std::string& value) override;

 private:
  c10::intrusive_ptr<c10d::Store> store_;
};

}  // namespace gsan
