#include "gsan/ops/composite/attention_pairs.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty_like.h>
#include <ATen/ops/repeat_interleave.h>
#include <ATen/ops/searchsorted.h>
#include <ATen/ops/where.h>

#include "gsan/ops/composite/pair_chunks.h"

namespace gsan::ops {
namespace {

// Legend: a slot is a place of `faces`, an entry one of `cofaces`; both number the incidences.
struct StarPairs {
  at::Tensor receivers, sources, slots,
      entries;  // int64 [E]: the slot of the receiver, the entry of the source
};

// Row after row, face after face: everybody in the star of the face; i itself in the star of its first face
// alone.
StarPairs pairs_of_stars(const std::vector<at::Tensor>& structure) {
  const at::Tensor &faces = structure[0], &offsets = structure[1], &cofaces = structure[2];
  const std::int64_t width = faces.size(1);
  const at::Tensor face = faces.reshape({-1}).to(at::kLong);
  const at::Tensor size = offsets.diff().index_select(0, face);  // of the star of each slot
  const at::Tensor slot = at::repeat_interleave(size);
  const at::Tensor number = at::arange(slot.size(0), slot.options());
  const at::Tensor first = offsets.index_select(0, face) - (size.cumsum(0) - size);
  const at::Tensor entry = first.index_select(0, slot) + number;
  const at::Tensor receiver = slot.floor_divide(width), source = cofaces.index_select(0, entry).to(at::kLong);
  const at::Tensor listed = (source != receiver).logical_or_(slot.remainder(width) == 0).nonzero().squeeze(1);
  const auto chosen = [&](const at::Tensor& x) { return x.index_select(0, listed); };
  return {chosen(receiver), chosen(source), chosen(slot), chosen(entry)};
}

at::Tensor star_signs(const StarPairs& pairs, const std::vector<at::Tensor>& structure,
                      const at::Tensor& signs, const at::Tensor& is_self) {
  const at::Tensor slot_of_entry = structure[2].to(at::kLong) * structure[0].size(1) + structure[3];
  at::Tensor of_slot = at::empty_like(signs);
  of_slot.index_copy_(0, slot_of_entry, signs);
  const at::Tensor sign = of_slot.index_select(0, pairs.slots) * signs.index_select(0, pairs.entries);
  return sign.masked_fill(is_self, 1);
}

std::optional<at::Tensor> product_of(const std::optional<at::Tensor>& mask,
                                     const std::optional<at::Tensor>& signs, at::ScalarType type) {
  if (!signs) return mask;
  const at::Tensor factors = signs->to(type).unsqueeze(-1);
  return mask ? *mask * factors : factors;
}

}  // namespace

ListedPairs list_pairs(const std::vector<at::Tensor>& structure, const std::optional<at::Tensor>& mask,
                       const std::optional<at::Tensor>& signs, at::ScalarType type) {
  if (structure.size() < 4) return {structure[0], structure[1], product_of(mask, signs, type)};
  const std::int64_t N = structure[0].size(0), incidences = structure[2].size(0);
  StarPairs pairs = pairs_of_stars(structure);
  const auto [keys, order] = (pairs.receivers * N + pairs.sources).sort(0);
  for (at::Tensor* x : {&pairs.receivers, &pairs.sources, &pairs.slots, &pairs.entries})
    *x = x->index_select(0, order);
  const at::Tensor is_self = pairs.receivers == pairs.sources;
  std::optional<at::Tensor> of_mask, of_signs;
  if (mask) of_mask = mask->index_select(-2, at::where(is_self, pairs.receivers + incidences, pairs.entries));
  if (signs) of_signs = star_signs(pairs, structure, *signs, is_self);
  const at::Tensor row_keys = at::arange(N + 1, keys.options()) * N;
  return {at::searchsorted(keys, row_keys), pairs.sources.to(at::kInt), product_of(of_mask, of_signs, type)};
}

at::Tensor mirror_of(const ListedPairs& pairs) {
  const std::int64_t N = pairs.offsets.size(0) - 1;
  const at::Tensor receivers = segment_of_row(pairs.offsets, pairs.sources.size(0));
  const at::Tensor sources = pairs.sources.to(at::kLong);
  const auto [keys, order] = (receivers * N + sources).sort(0);
  return order.index_select(0, at::searchsorted(keys, sources * N + receivers));
}

}  // namespace gsan::ops
