#include "gsan/hodge/neighborhood/detail/joined_neighborhoods.h"

#include <algorithm>

#include "gsan/hodge/neighborhood/detail/pair_memory.h"

namespace gsan {
namespace {

// Copies table + shift to `to`; returns the end of the copy.
template <class T>
T* copy_shifted(const Tensor& table, T shift, T* to) {
  const T* from = table.const_data_ptr<T>();
  return std::transform(from, from + table.numel(), to, [shift](T x) { return static_cast<T>(x + shift); });
}

template <class Part>
PairCount count_of(std::span<const Part> parts, int k) {
  PairCount count{k, 0, 0};
  for (const Part& part : parts) {
    count.simplices += part.simplices();
    count.pairs += part.pairs();
  }
  return count;
}

}  // namespace

PairList join_pair_lists(std::span<const PairList> parts, int k, std::size_t max_memory,
                         torch::Device device) {
  const PairCount count = count_of(parts, k);
  check_list_memory("join_pair_lists", count, max_memory);
  const PairList joined{torch::empty({count.simplices + 1}, torch::kInt64),
                        torch::empty({count.pairs}, torch::kInt32)};
  std::int64_t* offsets = joined.offsets.mutable_data_ptr<std::int64_t>();
  std::int32_t* sources = joined.sources.mutable_data_ptr<std::int32_t>();
  std::int64_t pairs = 0, simplices = 0;
  *offsets = 0;
  for (const PairList& part : parts) {  // the last offset of a part is the first of the next
    copy_shifted(part.offsets, pairs, offsets + simplices);
    sources = copy_shifted(part.sources, static_cast<std::int32_t>(simplices), sources);
    pairs += part.pairs();
    simplices += part.simplices();
  }
  return {joined.offsets.to(device), joined.sources.to(device)};
}

Neighborhood join_neighborhoods(std::span<const Neighborhood> parts, const PairList& pairs, int k,
                                std::size_t max_memory) {
  const PairCount count = count_of(parts, k);
  check_neighborhood_memory("join_neighborhoods", count, max_memory);
  GSAN_CHECK(pairs.simplices() == count.simplices && pairs.pairs() == count.pairs,
             "join_neighborhoods: the joined list of order ", k, " must have ", count.simplices, " rows and ",
             count.pairs, " pairs, got ", pairs.simplices(), " and ", pairs.pairs());
  Neighborhood joined{pairs.offsets, pairs.sources, torch::empty({count.pairs}, torch::kInt32),
                      torch::empty({count.pairs}, torch::kInt32), torch::empty({count.pairs}, torch::kInt8)};
  std::int32_t* mirror = joined.mirror.mutable_data_ptr<std::int32_t>();
  std::int32_t* shared = joined.shared.mutable_data_ptr<std::int32_t>();
  std::int8_t* signs = joined.signs.mutable_data_ptr<std::int8_t>();
  std::int32_t before = 0;
  for (const Neighborhood& part : parts) {
    mirror = copy_shifted(part.mirror, before, mirror);
    shared = copy_shifted(part.shared, 0, shared);
    signs = copy_shifted(part.signs, std::int8_t{0}, signs);
    before += static_cast<std::int32_t>(part.pairs());
  }
  for (Tensor* table : {&joined.mirror, &joined.shared, &joined.signs})
    *table = table->to(pairs.sources.device());
  return joined;
}

}  // namespace gsan
