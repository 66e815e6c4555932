#include "gsan/ops/cpu/attention/star_attention.h"

#include <algorithm>
#include <functional>

#include <ATen/Dispatch.h>
#include <ATen/ops/zeros.h>

#include "gsan/ops/block_pool.h"
#include "gsan/ops/cpu/attention/star_problem.h"
#include "gsan/ops/cpu/attention/star_scores.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/cpu/share_range.h"

namespace gsan::ops {
namespace {

// Work below which a second thread is not worth waking, in numbers.
constexpr std::int64_t grain = 32768;

// Calls compute(signal, head) for all of them: side by side where there are many, otherwise one after the
// other, each by all threads. Which of the two makes no difference to a bit: what compute() does with floats
// is inside ranges that are shared in turn.
void for_each_item(const StarProblem& p, const std::function<void(std::int64_t, std::int64_t)>& compute) {
  const auto some = [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t item = first; item < last; ++item) compute(item / p.heads, item % p.heads);
  };
  const std::int64_t threads = at::get_num_threads();
  if (p.items() % threads == 0 || p.items() >= 4 * threads)
    at::parallel_for(0, p.items(), 1, some);
  else
    some(0, p.items());
}

template <class T>
struct Item {
  const StarProblem& problem;
  const StarTables& tables;
  const std::vector<StarSlice>& slices;
  const StarKernels<T>& run = current_build<T>(GSAN_BUILDS_OF(star_attention));

  T slope() const { return static_cast<T>(problem.operands.negative_slope); }

  void weigh(std::int64_t s, std::int64_t h, StarEntry<T>* sources, StarEntry<T>* receivers,
             StarRow<T>* rows) {
    const std::int64_t N = tables.simplices, H = problem.heads;
    const StarScores<T> scores{
        problem.receiver.const_data_ptr<T>() + s * N * H + h,
        problem.source.const_data_ptr<T>() + s * N * H + h,
        problem.mask.defined() ? problem.mask.const_data_ptr<T>() + s * (tables.incidences + N) * H + h
                               : nullptr,
        problem.signs.defined() ? problem.signs.const_data_ptr<std::int8_t>() : nullptr,
        H,
        slope()};
    weigh_stars(tables, scores, run, sources, receivers, rows);
  }

  StarPass<T> pass(const StarEntry<T>* sources, const StarEntry<T>* receivers, const StarRow<T>* rows,
                   Rows<const T> x, Rows<T> y) const {
    StarPass<T> p;
    p.sources = sources, p.receivers = receivers, p.rows = rows;
    p.offsets = tables.offsets, p.faces = tables.faces;
    p.width = tables.width, p.incidences = tables.incidences, p.slices = slices.data();
    p.x = x.data, p.x_stride = x.stride, p.y = y.data, p.y_stride = y.stride;
    return p;
  }

  // Threads share the slices, or, where these are few, the stars of each slice, which then write their parts
  // apart from each other: the same sums in the same order.
  void apply(StarPass<T> p) const {
    const auto count = static_cast<std::int64_t>(slices.size());
    const std::int64_t threads = at::in_parallel_region() ? 1 : at::get_num_threads();
    const std::int64_t scratch = (tables.largest + 1) * max_slice;
    if (threads < 2 * count || threads == 1 || tables.incidences * problem.features <= grain) {
      const std::int64_t slice_work = std::max<std::int64_t>(1, tables.incidences * slices[0].width);
      share_range(0, count, std::max<std::int64_t>(1, grain / slice_work),
                  [&](std::int64_t first, std::int64_t last) {
                    const AlignedRoom<T> room(scratch);
                    run.stars(p, 0, tables.face_count, first, last, room.data);
                  });
      return;
    }
    const AlignedRoom<T> parts(tables.incidences * slices[0].width * (p.kept ? 2 : 1));
    p.parts = parts.data;
    for (std::int64_t slice = 0; slice < count; ++slice) {
      share_stars(tables, slices[slice].width, [&](std::int64_t first, std::int64_t last) {
        const AlignedRoom<T> room(scratch);
        run.stars(p, first, last, slice, slice + 1, room.data);
      });
      share_range(0, tables.simplices, std::max<std::int64_t>(1, grain / (tables.width * max_slice)),
                  [&](std::int64_t first, std::int64_t last) { run.join(p, first, last, slice); });
    }
  }

  void add(Rows<const T> a, Rows<const T> b, Rows<T> sum) const {
    share_range(0, tables.simplices, std::max<std::int64_t>(1, grain / problem.features),
                [&](std::int64_t first, std::int64_t last) {
                  for (std::int64_t i = first; i < last; ++i) {
                    const T *x = a[i], *y = b[i];
                    T* to = sum[i];
                    for (std::int64_t d = 0; d < problem.features; ++d) to[d] = x[d] + y[d];
                  }
                });
  }
};

// What forward keeps after y. An item is one signal and head; a = 0 is the last application.
//   results  [a, S, N, H·F]   of the applications, but for one that is y itself
//   branch   [a, S, N, H·F]   sums over the kept branch
//   entries  bytes            per item the sources, then the receivers
//   rows     bytes            per item the StarRows
struct Kept {
  at::Tensor results, branch, entries, rows;
};

template <class T>
struct ItemWeights {
  StarEntry<T>*sources, *receivers;
  StarRow<T>* rows;
  ItemWeights(const at::Tensor& entries, const at::Tensor& all_rows, std::int64_t item,
              const StarTables& tables)
      : sources(reinterpret_cast<StarEntry<T>*>(const_cast<void*>(entries.const_data_ptr())) +
                2 * item * tables.incidences),
        receivers(sources + tables.incidences),
        rows(reinterpret_cast<StarRow<T>*>(const_cast<void*>(all_rows.const_data_ptr())) +
             item * tables.simplices) {}
};

template <class T>
std::pair<at::Tensor, at::Tensor> weights_room(const StarTables& tables, std::int64_t items) {
  const auto bytes = [](std::int64_t count) { return pooled_empty({count}, at::kByte); };
  return {bytes(2 * items * tables.incidences * static_cast<std::int64_t>(sizeof(StarEntry<T>))),
          bytes(items * tables.simplices * static_cast<std::int64_t>(sizeof(StarRow<T>)))};
}

template <class T>
void forward(const StarProblem& problem, const StarTables& tables, const at::Tensor& y, Kept* kept) {
  const std::int64_t applications = problem.applications, power = problem.operands.first_power,
                     H = problem.heads;
  const std::vector<StarSlice> slices = make_slices(problem.features);
  // Without `kept` all applications write to one place.
  at::Tensor results = problem.signal_room(kept ? applications - power : applications > power ? 1 : 0);
  const at::Tensor sums = problem.signal_room(applications > 1 ? 1 : 0);
  if (kept) {
    kept->results = results;
    kept->branch = problem.signal_room(applications);
    std::tie(kept->entries, kept->rows) = weights_room<T>(tables, problem.items());
  }
  const auto result = [&](std::int64_t a) {
    if (a == 0 && power == 1) return y;
    return results.narrow(0, kept ? (a - power) * problem.signals : 0, problem.signals);
  };
  for_each_item(problem, [&](std::int64_t s, std::int64_t h) {
    Item<T> item{problem, tables, slices};
    const auto own = kept ? std::pair(kept->entries, kept->rows) : weights_room<T>(tables, 1);
    const ItemWeights<T> w(own.first, own.second, kept ? s * H + h : 0, tables);
    item.weigh(s, h, w.sources, w.receivers, w.rows);
    Rows<const T> x = SignalView<const T>(problem.tap(problem.taps - 1), H).of(s, h);
    for (std::int64_t a = applications; a-- > 0;) {
      const Rows<T> to = SignalView<T>(result(a), H).of(s, h);
      StarPass<T> pass = item.pass(w.sources, w.receivers, w.rows, x, to);
      if (kept) {
        const at::Tensor branch = kept->branch.narrow(0, a * problem.signals, problem.signals);
        const Rows<T> rows = SignalView<T>(branch, H).of(s, h);
        pass.kept = rows.data, pass.kept_stride = rows.stride;
      }
      item.apply(pass);
      if (a == 0 && power == 1) break;
      // The next signal, or y.
      const Rows<T> sum = SignalView<T>(a == 0 ? y : sums, H).of(s, h);
      const Rows<const T> tap = SignalView<const T>(problem.tap(problem.tap_of(a) - 1), H).of(s, h);
      item.add({to.data, to.stride}, tap, sum);
      x = {sum.data, sum.stride};
    }
  });
}

template <class T>
void backward(const StarProblem& problem, const StarTables& tables, const at::Tensor& gradient,
              const at::Tensor& y, const Kept& kept, const at::Tensor& taps, const at::Tensor& receiver,
              const at::Tensor& source) {
  const std::int64_t applications = problem.applications, power = problem.operands.first_power,
                     H = problem.heads;
  const std::int64_t N = tables.simplices, F = problem.features, width = tables.width;
  const std::vector<StarSlice> slices = make_slices(F);
  const auto slice_count = static_cast<std::int64_t>(slices.size());
  const at::Tensor sums = problem.signal_room(applications > 1 ? 1 : 0);
  const auto result = [&](std::int64_t a) {
    return a == 0 && power == 1 ? y : kept.results.narrow(0, (a - power) * problem.signals, problem.signals);
  };
  for_each_item(problem, [&](std::int64_t s, std::int64_t h) {
    const Item<T> item{problem, tables, slices};
    const ItemWeights<T> w(kept.entries, kept.rows, s * H + h, tables);
    const AlignedRoom<T> dots(slice_count * tables.incidences), plain(tables.incidences), D(N);
    T* const ds = receiver.mutable_data_ptr<T>() + s * N * H + h;
    T* const dt = source.mutable_data_ptr<T>() + s * N * H + h;
    const T slope = item.slope();
    Rows<const T> g = SignalView<const T>(gradient, H).of(s, h);
    for (std::int64_t a = 0; a < applications; ++a) {
      Rows<const T> x = SignalView<const T>(problem.tap(problem.tap_of(a)), H).of(s, h);
      if (a + 1 < applications) {
        const Rows<T> sum = SignalView<T>(sums, H).of(s, h);
        item.add(SignalView<const T>(result(a + 1), H).of(s, h), x, sum);
        x = {sum.data, sum.stride};
      }
      const Rows<const T> out = SignalView<const T>(result(a), H).of(s, h);
      const at::Tensor all = kept.branch.narrow(0, a * problem.signals, problem.signals);
      const Rows<const T> branch = SignalView<const T>(all, H).of(s, h);
      share_range(0, N, std::max<std::int64_t>(1, grain / (3 * F)),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t i = first; i < last; ++i) {
                      T part;
                      item.run.dots(g[i], out[i], branch[i], F, &D.data[i], &part);
                      ds[i * H] += w.rows[i].branch * (T(1) - slope) * (part - D.data[i] * w.rows[i].mass);
                    }
                  });
      sum_over_receivers(tables, w.sources, w.receivers, D.data, slope, plain.data);
      const Rows<T> dx = SignalView<T>(taps.select(2, problem.tap_of(a)), H).of(s, h);
      StarPass<T> pass = item.pass(w.receivers, w.sources, w.rows, g, dx);
      pass.dual = x.data, pass.dual_stride = x.stride, pass.dots = dots.data, pass.slope = slope;
      item.apply(pass);
      share_range(0, N, std::max<std::int64_t>(1, grain / (width * (slice_count + 1))),
                  [&](std::int64_t first, std::int64_t last) {
                    for (std::int64_t i = first; i < last; ++i) {
                      T sum = -w.rows[i].self_plain * w.rows[i].self_slope * D.data[i];
                      for (std::int64_t slot = i * width; slot < (i + 1) * width; ++slot) {
                        T dot = -plain.data[slot];
                        for (std::int64_t k = 0; k < slice_count; ++k)
                          dot += dots.data[k * tables.incidences + slot];
                        sum += dot;
                      }
                      dt[i * H] += sum;
                    }
                  });
      g = {dx.data, dx.stride};
    }
  });
}

}  // namespace

std::vector<at::Tensor> star_attention_forward(const AttentionOperands& operands, bool keep) {
  const StarProblem problem(operands);
  const StarTables tables(operands.structure);
  c10::DimVector sizes(operands.taps.sizes().begin(), operands.taps.sizes().end());
  sizes.erase(sizes.end() - 2);
  if (problem.applications == 0) {
    at::Tensor y = pooled_empty(sizes, operands.taps.options());
    return {y.copy_(operands.taps.select(-2, 0))};
  }
  const at::Tensor y = problem.signal_room();
  Kept kept;
  if (!problem.empty()) {
    AT_DISPATCH_FLOATING_TYPES(y.scalar_type(), "star_attention",
                               [&] { forward<scalar_t>(problem, tables, y, keep ? &kept : nullptr); });
  }
  if (!keep || problem.empty()) return {y.view(sizes)};
  return {y.view(sizes), kept.results, kept.branch, kept.entries, kept.rows};
}

std::vector<at::Tensor> star_attention_backward(const at::Tensor& gradient, const AttentionOperands& operands,
                                                const std::vector<at::Tensor>& kept) {
  const StarProblem problem(operands);
  const StarTables tables(operands.structure);
  const at::Tensor taps = pooled_empty(problem.stacked.sizes(), problem.stacked.options());
  const at::Tensor receiver = at::zeros(operands.receiver.sizes(), problem.stacked.options()),
                   source = at::zeros(operands.source.sizes(), problem.stacked.options());
  if (!problem.empty()) {
    at::Tensor g = gradient.reshape({problem.signals, problem.simplices, taps.size(-1)});
    if (g.stride(-1) != 1) g = g.contiguous();
    if (operands.first_power == 0) taps.select(2, 0).copy_(g);
    if (problem.applications > 0) {
      const at::Tensor y = kept[0].reshape(g.sizes());
      AT_DISPATCH_FLOATING_TYPES(taps.scalar_type(), "star_attention_backward", [&] {
        backward<scalar_t>(problem, tables, g, y, {kept[1], kept[2], kept[3], kept[4]}, taps, receiver,
                           source);
      });
    }
  }
  return {taps.view(operands.taps.sizes()), receiver, source};
}

}  // namespace gsan::ops
