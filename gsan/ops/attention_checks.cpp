#include "gsan/ops/detail/attention_checks.h"

#include <cmath>

#include <ATen/ops/zeros.h>

#include "gsan/core/check.h"
#include "gsan/ops/detail/operand_checks.h"
#include "gsan/ops/detail/pairs_checks.h"

namespace gsan::ops {
namespace {

// The rows of a mask and the length of `signs`.
struct FactorSizes {
  c10::SymInt mask, signs;
};

FactorSizes check_pair_structure(const char* who, const AttentionOperands& o, const c10::SymInt& simplices) {
  const at::Tensor &offsets = o.structure[0], &sources = o.structure[1];
  const bool has_mirror = o.structure.size() == 3;
  GSAN_CHECK(
      has_mirror || !o.mask, who,
      ": a mask needs the mirror of the pairs; pass {offsets, sources, mirror}, not {offsets, sources}");
  const auto shape =
      check_pairs(who, offsets, sources, has_mirror ? o.structure[2] : sources, o.taps.device());
  GSAN_CHECK(shape.simplices == simplices, who, ": taps must have ", shape.simplices,
             " rows (one per simplex of the pair list), got ", simplices, " in shape ", o.taps.sym_sizes());
  return {shape.pairs, shape.pairs};
}

FactorSizes check_star_structure(const char* who, const AttentionOperands& o, const c10::SymInt& simplices) {
  const at::Tensor &faces = o.structure[0], &offsets = o.structure[1], &cofaces = o.structure[2],
                   &columns = o.structure[3];
  GSAN_CHECK(faces.dim() == 2 && faces.scalar_type() == at::kInt, who,
             ": faces must be an int32 table [simplices, faces of each], got ", faces.scalar_type(), ' ',
             faces.sym_sizes());
  GSAN_CHECK(faces.sym_size(1) >= 1, who, ": faces must have at least one column, got none");
  GSAN_CHECK(faces.device() == o.taps.device(), who, ": faces is on ", faces.device(),
             " but the values are on ", o.taps.device());
  check_table(who, "offsets", offsets, {at::kLong}, o.taps.device());
  check_table(who, "cofaces", cofaces, {at::kInt}, o.taps.device());
  check_table(who, "columns", columns, {at::kByte}, o.taps.device());
  GSAN_CHECK(faces.sym_size(0) == simplices, who, ": taps must have ", faces.sym_size(0),
             " rows (one per row of faces), got ", simplices, " in shape ", o.taps.sym_sizes());
  GSAN_CHECK(offsets.sym_size(0) >= 1, who,
             ": offsets must hold one number more than there are faces, got none");
  const c10::SymInt entries = faces.sym_size(0) * faces.sym_size(1);
  GSAN_CHECK(cofaces.sym_size(0) == entries && columns.sym_size(0) == entries, who,
             ": cofaces and columns must hold one entry per incidence, ", entries, ", got ",
             cofaces.sym_size(0), " and ", columns.sym_size(0));
  return {entries + simplices, entries};
}

bool is_trivial(const AttentionOperands& o, const AttentionShape& shape) {
  return o.taps.numel() == 0 || shape.applications == 0;
}

}  // namespace

AttentionShape check_attention_powers(const char* who, const AttentionOperands& o) {
  check_stored_signal(who, "taps", o.taps, 3, "[..., simplices, taps, heads * features]");
  GSAN_CHECK(o.receiver.dim() == o.taps.dim() - 1, who, ": receiver must have the shape ",
             "[..., simplices, heads] with the leading dimensions of taps ", o.taps.sym_sizes(), ", got ",
             o.receiver.sym_sizes());
  AttentionShape shape;
  const c10::SymInt width = o.taps.sym_size(-1);
  shape.simplices = o.taps.sym_size(-3), shape.taps = o.taps.sym_size(-2);
  shape.heads = o.receiver.sym_size(-1);
  GSAN_CHECK(shape.taps >= 1, who, ": taps must hold at least one tap, got ", o.taps.sym_sizes());
  GSAN_CHECK(shape.heads >= 1 && width % shape.heads == 0, who, ": the ", width,
             " features of taps must split into the heads of receiver, got ", shape.heads, " heads");
  shape.features = width / shape.heads;
  const auto scores = sizes_with(o.taps, 3, {shape.simplices, shape.heads});
  check_companion(who, "receiver", o.receiver, sum_type(o.taps), "taps", o.taps, scores);
  check_companion(who, "source", o.source, sum_type(o.taps), "taps", o.taps, scores);

  const std::size_t tables = o.structure.size();
  GSAN_CHECK(tables >= 2 && tables <= 4, who,
             ": structure must be {offsets, sources[, mirror]} or {faces, offsets, cofaces, columns}, got ",
             tables, " tensors");
  shape.stars = tables == 4;
  GSAN_CHECK(!(shape.stars && o.sigmoid), who,
             ": sigmoid weights do not factor over stars; pass a structure of pairs");
  const FactorSizes factors = shape.stars ? check_star_structure(who, o, shape.simplices)
                                          : check_pair_structure(who, o, shape.simplices);
  if (o.mask)
    check_companion(who, "mask", *o.mask, sum_type(o.taps), "taps", o.taps,
                    sizes_with(o.taps, 3, {factors.mask, shape.heads}));
  if (o.signs) {
    check_table(who, "signs", *o.signs, {at::kChar}, o.taps.device());
    GSAN_CHECK(o.signs->sym_size(0) == factors.signs, who, ": signs must hold ", factors.signs,
               " entries, got ", o.signs->sym_size(0));
  }
  GSAN_CHECK(o.first_power == 0 || o.first_power == 1, who, ": first_power must be 0 or 1, got ",
             o.first_power);
  GSAN_CHECK(std::isfinite(o.negative_slope), who, ": negative_slope must be finite, got ", o.negative_slope);
  shape.applications = shape.taps - 1 + o.first_power;
  return shape;
}

AttentionShape check_attention_powers_backward(const at::Tensor& gradient, const AttentionOperands& o,
                                               const std::vector<at::Tensor>& kept) {
  const char* who = "gsan::attention_powers_backward";
  AttentionShape shape = check_attention_powers(who, o);
  const auto sizes = sizes_with(o.taps, 3, {shape.simplices, o.taps.sym_size(-1)});
  check_companion(who, "gradient", gradient, "taps", o.taps, sizes);
  GSAN_CHECK(!kept.empty(), who, ": kept must be what attention_powers returned with keep, got nothing");
  check_companion(who, "kept y", kept[0], "taps", o.taps, sizes);
  return shape;
}

std::optional<std::vector<at::Tensor>> trivial_attention_powers(const AttentionOperands& o,
                                                                const AttentionShape& shape) {
  if (!is_trivial(o, shape)) return std::nullopt;
  return std::vector{o.taps.select(-2, 0).clone(at::MemoryFormat::Contiguous)};
}

std::optional<std::vector<at::Tensor>> trivial_attention_powers_backward(const at::Tensor& gradient,
                                                                         const AttentionOperands& o,
                                                                         const AttentionShape& shape) {
  if (!is_trivial(o, shape)) return std::nullopt;
  return std::vector{gradient.unsqueeze(-2).expand(o.taps.sizes()).clone(at::MemoryFormat::Contiguous),
                     at::zeros(o.receiver.sizes(), o.receiver.options()),
                     at::zeros(o.source.sizes(), o.source.options())};
}

void check_attention(const char* who, const AttentionFilter& f, const at::Tensor& a) {
  check_stored_signal(who, "x", f.x, 2, "[..., simplices, features]");
  GSAN_CHECK(f.weight.dim() == 4, who,
             ": weight must have the shape [features of x, taps, heads, features], got ",
             f.weight.sym_sizes());
  const c10::SymInt taps = f.weight.sym_size(1), heads = f.weight.sym_size(2),
                    features = f.weight.sym_size(3);
  check_companion(who, "weight", f.weight, sum_type(f.x), "x", f.x,
                  std::vector<c10::SymInt>{f.x.sym_size(-1), taps, heads, features});
  check_companion(who, "a", a, "weight", f.weight, std::vector<c10::SymInt>{heads, 2 * taps * features});
  const auto& keys = f.dropout.keys;
  if (f.dropout.p == 0 || keys.empty()) {
    GSAN_CHECK(f.dropout.p == 0, who, ": dropout with p = ", f.dropout.p,
               " needs the keys {sources, shared, source_keys, part_keys, signal_keys}, got none");
    return;
  }
  GSAN_CHECK(keys.size() == 5, who,
             ": the keys of dropout must be {sources, shared, source_keys, part_keys, signal_keys}, got ",
             keys.size(), " tensors");
  c10::SymInt signals = 1;
  for (const c10::SymInt& size : f.x.sym_sizes().slice(0, f.x.dim() - 2)) signals = signals * size;
  GSAN_CHECK(keys[4].sym_numel() == signals, who, ": dropout needs one key per signal, ", signals, ", got ",
             keys[4].sym_sizes());
}

void check_attention_backward(const at::Tensor& gradient, const AttentionFilter& f, const at::Tensor& a,
                              const std::vector<at::Tensor>& kept) {
  const char* who = "gsan::attention_backward";
  AttentionFilter without_mask = f;
  without_mask.dropout = {};
  check_attention(who, without_mask, a);
  check_companion(who, "gradient", gradient, "x", f.x,
                  sizes_with(f.x, 1, {f.weight.sym_size(2) * f.weight.sym_size(3)}));
  GSAN_CHECK(kept.size() >= first_kept_of_powers(f), who,
             ": kept must be all that attention_forward returned with keep, at least ",
             first_kept_of_powers(f), " tensors, got ", kept.size());
}

}  // namespace gsan::ops
