#include "gsan/ranks/rank_place.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include "gsan/core/check.h"

namespace gsan {
namespace {

constexpr const char *rank_variable = "RANK", *local_rank_variable = "LOCAL_RANK",
                     *size_variable = "WORLD_SIZE", *address_variable = "MASTER_ADDR",
                     *port_variable = "MASTER_PORT", *agent_variable = "TORCHELASTIC_USE_AGENT_STORE",
                     *restarts_variable = "TORCHELASTIC_RESTART_COUNT";

constexpr std::array all_variables{rank_variable, local_rank_variable, size_variable,    address_variable,
                                   port_variable, agent_variable,      restarts_variable};

std::string value_of(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

int number_of(const char* name, int least, int most) {
  const std::string text = value_of(name);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  GSAN_CHECK(error == std::errc() && end == text.data() + text.size() && number >= least && number <= most,
             "ranks: with ", size_variable, "=", value_of(size_variable), " the environment variable ", name,
             " must be a number from ", least, " to ", most, ", got '", text,
             "'; start with torchrun or gsan train --processes N, which set it, or unset ", size_variable,
             " to train in one process");
  return number;
}

int number_or(const char* name, int otherwise, int most) {
  return value_of(name).empty() ? otherwise : number_of(name, 0, most);
}

}  // namespace

std::optional<RankPlace> rank_place() {
  if (value_of(size_variable).empty() || value_of(rank_variable).empty()) return std::nullopt;
  constexpr int most = 1 << 16;
  RankPlace place;
  place.size = number_of(size_variable, 1, most);
  place.rank = number_of(rank_variable, 0, place.size - 1);
  place.local_rank = number_or(local_rank_variable, place.rank, most);
  place.port = number_of(port_variable, 1, 65535);
  place.address = value_of(address_variable);
  GSAN_CHECK(!place.address.empty(), "ranks: with ", size_variable, "=", place.size,
             " the environment variable ", address_variable,
             " must name the machine of the store; start with torchrun or gsan train --processes N");
  place.has_agent = value_of(agent_variable) == "True";
  place.restarts = number_or(restarts_variable, 0, most);
  return place;
}

std::vector<std::pair<std::string, std::string>> environment_of(const RankPlace& place) {
  return {{rank_variable, std::to_string(place.rank)},
          {local_rank_variable, std::to_string(place.local_rank)},
          {size_variable, std::to_string(place.size)},
          {address_variable, place.address},
          {port_variable, std::to_string(place.port)},
          {agent_variable, place.has_agent ? "True" : "False"},
          {restarts_variable, std::to_string(place.restarts)}};
}

bool says_rank(const std::string& variable) {
  const std::string_view name = std::string_view(variable).substr(0, variable.find('='));
  return std::find(all_variables.begin(), all_variables.end(), name) != all_variables.end();
}

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "an unnamed host";
}

std::string rank_name(int rank, const std::string& host) { return concat("rank ", rank, " on ", host); }

}  // namespace gsan
