#pragma once
// Processes that train together, on one machine or several: torch's own c10d, with Gloo or NCCL between them.
//
// A rank that stops, for whatever reason, ends every call below on the other ranks within half a minute:
// Fault::io with its number and host (gsan/ranks/rank_watch.h).

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gsan/ranks/rank_backend.h"
#include "gsan/ranks/rank_place.h"

namespace gsan {

/// Why this build cannot join ranks, and what to install; empty: it can.
std::string why_no_ranks();
std::string rank_backends();  ///< of this build: "Gloo, NCCL"

/// This process, as it joins the others.
struct RankSelf {
  std::string version;  ///< of the program, which must be the same everywhere
  RankBackend backend = RankBackend::automatic;
  int gpu = -1;  ///< the number of the one that it computes on; −1: it computes on the CPU
};

class Ranks {
 public:
  /// Waits until all ranks are here; one that does not come within two minutes, or is known to have stopped
  /// (tell_ranks), is Fault::io with its number.
  Ranks(const RankPlace& place, const RankSelf& self);
  ~Ranks();
  Ranks(const Ranks&) = delete;

  int rank() const;
  int size() const;
  bool is_first() const { return rank() == 0; }
  const std::string& name(int rank) const;  ///< "rank 2 on node7"
  RankBackend backend() const;              ///< gloo or nccl

  // All ranks make the same calls in the same order, each from one thread.

  /// The bytes of every rank in the order of ranks; all give as many.
  std::vector<std::byte> all_gather(std::span<const std::byte> bytes);
  /// The texts of every rank, of any length.
  std::vector<std::string> all_gather_texts(const std::string& text);
  /// That of rank 0.
  std::string broadcast(const std::string& text);
  /// Whether any rank says so.
  bool any(bool one);
  void barrier();
  /// An error on every rank that names those whose text is not that of rank 0. `what`: "the config".
  void require_same(const std::string& what, const std::string& text);

  /// Tells the others why this rank stops, an error of its own; nothing else may be called after it.
  void abort(const std::string& why) noexcept;
  /// This rank is done, when all of them are.
  void leave();

 private:
  friend class SlowWork;
  struct Group;
  std::unique_ptr<Group> group_;
};

/// Around work for which this rank may need no processor for a long time: a write to a slow disk. The others
/// wait for it, ten minutes at most. Nothing where there are no ranks.
class SlowWork {
 public:
  explicit SlowWork(Ranks* ranks);
  ~SlowWork();
  SlowWork(const SlowWork&) = delete;

 private:
  Ranks* ranks_;
};

/// The store of ranks that this process starts on its machine, as long as it lives.
class RankServer {
 public:
  RankServer();
  ~RankServer();
  int port() const;

 private:
  struct Store;
  std::unique_ptr<Store> store_;
};

}  // namespace gsan
