#include "gsan/data/formats/text/labels.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "gsan/core/check.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

std::optional<std::int64_t> plain_integer(std::string_view text) {
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || digits[0] < '0' || digits[0] > '9') return std::nullopt;
  if (digits[0] == '0' && text.size() > 1) return std::nullopt;
  return parse_integer(text);
}

template <class T, class Key>
std::optional<Index> find_sorted(const std::vector<T>& sorted, const Key& key) {
  const auto at = std::lower_bound(sorted.begin(), sorted.end(), key);
  if (at == sorted.end() || *at != key) return std::nullopt;
  return static_cast<Index>(at - sorted.begin());
}

void check_count(std::size_t count) {
  if (count >= static_cast<std::size_t>(std::numeric_limits<Index>::max())) {
    fail(Fault::resource, "at most 2^31 - 2 vertices, got ", count, " different labels");
  }
}

// ranks[i]: how many of the keys, which all differ, are smaller than keys[i].
template <class Key>
std::vector<Vertex> ranks_of(const std::vector<Key>& keys) {
  std::vector<Vertex> order(keys.size()), ranks(keys.size());
  std::iota(order.begin(), order.end(), 0);
  const auto at = [](Vertex i) { return static_cast<std::size_t>(i); };
  std::sort(order.begin(), order.end(), [&](Vertex a, Vertex b) { return keys[at(a)] < keys[at(b)]; });
  for (std::size_t i = 0; i < order.size(); ++i) ranks[at(order[i])] = static_cast<Vertex>(i);
  return ranks;
}

// Ranks of the values among their set, which is returned in increasing order.
std::vector<std::int64_t> rank(const std::vector<std::int64_t>& values, std::vector<Vertex>& ranks) {
  ranks.resize(values.size());
  if (values.empty()) return {};
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const std::uint64_t base = static_cast<std::uint64_t>(*low);
  const std::uint64_t range = static_cast<std::uint64_t>(*high) - base;
  std::vector<std::int64_t> sorted;
  if (range / 4 < values.size()) {  // few gaps: a table finds a label in one step
    std::vector<Vertex> table(range + 1, -1);
    for (const std::int64_t value : values) table[static_cast<std::uint64_t>(value) - base] = 0;
    for (std::uint64_t i = 0; i <= range; ++i) {
      if (table[i] < 0) continue;
      table[i] = static_cast<Vertex>(sorted.size());
      sorted.push_back(static_cast<std::int64_t>(base + i));
    }
    check_count(sorted.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      ranks[i] = table[static_cast<std::uint64_t>(values[i]) - base];
    return sorted;
  }
  Numbering<std::int64_t> numbering;
  for (std::size_t i = 0; i < values.size(); ++i) ranks[i] = static_cast<Vertex>(numbering.number(values[i]));
  check_count(numbering.keys().size());
  const std::vector<Vertex> rank_of = ranks_of(numbering.keys());
  sorted.resize(rank_of.size());
  for (std::size_t i = 0; i < rank_of.size(); ++i)
    sorted[static_cast<std::size_t>(rank_of[i])] = numbering.keys()[i];
  for (Vertex& vertex : ranks) vertex = rank_of[static_cast<std::size_t>(vertex)];
  return sorted;
}

}  // namespace

Labels Labels::consecutive(Index count, std::int64_t first) {
  Labels labels;
  labels.integers_.resize(static_cast<std::size_t>(count));
  std::iota(labels.integers_.begin(), labels.integers_.end(), first);
  return labels;
}

std::string Labels::text(Vertex vertex) const {
  GSAN_CHECK(vertex >= 0 && vertex < size(), "Labels::text: vertices are 0 ... ", size() - 1, ", got ",
             vertex);
  const auto at = static_cast<std::size_t>(vertex);
  return at < integers_.size() ? std::to_string(integers_[at]) : strings_[at - integers_.size()];
}

std::optional<Vertex> Labels::find(std::string_view label) const {
  if (const auto integer = plain_integer(label)) return find_sorted(integers_, *integer);
  const auto at = find_sorted(strings_, label);
  if (!at) return std::nullopt;
  return static_cast<Vertex>(integers_.size()) + *at;
}

std::string Labels::text(std::span<const Vertex> simplex) const {
  std::string list = "(";
  for (std::size_t i = 0; i < simplex.size(); ++i) list += (i ? " " : "") + text(simplex[i]);
  return list + ")";
}

void LabelCollector::add(std::string_view label) {
  if (const auto integer = plain_integer(label)) {
    values_.push_back(*integer);
    return;
  }
  string_places_.push_back(values_.size());
  values_.push_back(static_cast<std::int64_t>(strings_.number(label)));
}

Labels LabelCollector::finish(std::vector<Vertex>& vertices) {
  Labels labels;
  if (string_places_.empty()) {
    labels.integers_ = rank(values_, vertices);
  } else {
    std::vector<std::int64_t> integers;
    std::vector<std::size_t> integer_places;
    auto next_string = string_places_.begin();
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (next_string != string_places_.end() && *next_string == i) {
        ++next_string;
      } else {
        integers.push_back(values_[i]);
        integer_places.push_back(i);
      }
    }
    std::vector<Vertex> ranks;
    labels.integers_ = rank(integers, ranks);
    check_count(labels.integers_.size() + strings_.keys().size());
    vertices.resize(values_.size());
    for (std::size_t i = 0; i < ranks.size(); ++i) vertices[integer_places[i]] = ranks[i];

    const std::vector<Vertex> string_ranks = ranks_of(strings_.keys());
    labels.strings_.resize(string_ranks.size());
    for (std::size_t i = 0; i < string_ranks.size(); ++i) {
      labels.strings_[static_cast<std::size_t>(string_ranks[i])] = strings_.keys()[i];
    }
    const auto first_string = static_cast<Vertex>(labels.integers_.size());
    for (const std::size_t place : string_places_) {
      vertices[place] = first_string + string_ranks[static_cast<std::size_t>(values_[place])];
    }
  }
  *this = {};
  return labels;
}

}  // namespace gsan
