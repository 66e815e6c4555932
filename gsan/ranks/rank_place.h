#pragma once
// Where this process is among those that train together, as torchrun and `gsan train --processes` say it in
// the environment: RANK, LOCAL_RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT, TORCHELASTIC_USE_AGENT_STORE and
// TORCHELASTIC_RESTART_COUNT.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gsan {

struct RankPlace {
  int rank = 0, local_rank = 0;  ///< among all processes; among those of this machine
  int size = 1;
  std::string address = "127.0.0.1";  ///< of the store by which they find each other
  int port = 0;
  bool has_agent = false;  ///< the launcher holds the store; else rank 0 does
  int restarts = 0;        ///< so far
};

/// Nothing where WORLD_SIZE is not set: a process by itself. A variable that is missing beside it, or holds
/// no number that fits, is Fault::argument with its name and value.
std::optional<RankPlace> rank_place();

/// The variables that say so to a child, NAME and value.
std::vector<std::pair<std::string, std::string>> environment_of(const RankPlace& place);

/// Whether a variable (NAME=value) is one of those above: a child that trains by itself must not have them.
bool says_rank(const std::string& variable);

std::string host_name();

/// "rank 2 on node7"
std::string rank_name(int rank, const std::string& host);

}  // namespace gsan
