#include "gsan/ops/cpu/attention/star_scores.h"

#include <algorithm>
#include <limits>
#include <memory>

#include "gsan/ops/cpu/attention/star_order.h"
#include "gsan/ops/cpu/share_range.h"

namespace gsan::ops {
namespace {

// Numbers of scratch at a time; exponentials are taken of so many at once.
constexpr std::int64_t chunk = 1024;

template <class T>
std::unique_ptr<T[]> room(std::int64_t count) {
  return std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(count));
}

// Per slot, between the passes over stars and over rows.
template <class T>
struct SlotNumbers {
  explicit SlotNumbers(const StarTables& tables, bool masked)
      : face_largest(room<T>(tables.face_count)),
        plus(room<T>(tables.incidences)),
        minus(room<T>(tables.incidences)),
        own(room<T>(tables.incidences)),
        own_masked(room<T>(masked ? tables.incidences : 0)) {}
  std::unique_ptr<T[]> face_largest;  // T_f, NaN when a t of the star is not finite
  std::unique_ptr<T[]> plus, minus;   // Σ b± over each branch of the slot's row; then a±/Z
  std::unique_ptr<T[]> own;           // b of the row itself, in the branch of its own score
  std::unique_ptr<T[]> own_masked;
};

template <class T>
class StarWeigher {
 public:
  using Key = SortKey<T>;
  using Placed = typename Key::Placed;

  StarWeigher(const StarTables& tables, const StarScores<T>& scores, const StarKernels<T>& kernels,
              StarEntry<T>* sources, StarEntry<T>* receivers, StarRow<T>* rows)
      : tables_(tables),
        scores_(scores),
        kernels_(kernels),
        sources_(sources),
        receivers_(receivers),
        rows_(rows),
        slots_(tables, scores.mask != nullptr) {}

  void run() {
    share_stars(tables_, 64, [&](std::int64_t first, std::int64_t last) { weigh_sources(first, last); });
    share_range(0, tables_.simplices, std::max<std::int64_t>(1, 4096 / tables_.width),
                [&](std::int64_t first, std::int64_t last) { weigh_rows(first, last); });
    share_range(0, tables_.incidences, 8192, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t e = first; e < last; ++e) {
        StarEntry<T>& entry = receivers_[e];
        const std::int64_t slot = slot_of(entry);
        entry.plus = slots_.plus[slot], entry.minus = slots_.minus[slot];
        entry.keeps_plus = rows_[entry.row].branch > 0;
      }
    });
  }

 private:
  struct Scratch {
    std::unique_ptr<Placed[]> by_source, by_receiver, spare;
    std::unique_ptr<StarEntry<T>[]> entries;  // in the order of the lists, with t in place of b⁺
    std::unique_ptr<T[]> exponents;           // of b⁺, then of b⁻
    std::unique_ptr<double[]> above;          // Σ b⁺ from each place up
  };

  std::int64_t slot_of(const StarEntry<T>& entry) const { return entry.row * tables_.width + entry.column; }
  T s(std::int64_t i) const { return scores_.receiver[i * scores_.stride]; }
  T t(std::int64_t i) const { return scores_.source[i * scores_.stride]; }
  bool own_is_plus(std::int64_t i) const { return t(i) > -s(i); }

  void weigh_sources(std::int64_t first, std::int64_t last) {
    const std::int64_t size = chunk + tables_.largest;
    Scratch scratch{room<Placed>(tables_.largest),
                    room<Placed>(tables_.largest),
                    room<Placed>(tables_.largest),
                    room<StarEntry<T>>(tables_.largest),
                    room<T>(2 * size),
                    room<double>(tables_.largest + 1)};
    while (first < last) {
      const std::int64_t begin = tables_.offsets[first];
      std::int64_t stop = first;
      for (; stop < last && tables_.offsets[stop] - begin < chunk; ++stop)
        sort_star(stop, scratch, scratch.exponents.get() + 2 * (tables_.offsets[stop] - begin));
      kernels_.exponentials(scratch.exponents.get(), 2 * (tables_.offsets[stop] - begin));
      for (std::int64_t f = first; f < stop; ++f)
        add_up_star(f, scratch, scratch.exponents.get() + 2 * (tables_.offsets[f] - begin));
      first = stop;
    }
  }

  StarEntry<T> entry_of(std::int64_t e, std::int64_t face) const {
    StarEntry<T> entry{};
    entry.row = tables_.cofaces[e];
    entry.column = tables_.columns[e];
    const std::int32_t* faces = tables_.faces + entry.row * tables_.width;
    entry.first = *std::min_element(faces, faces + tables_.width) == face;
    entry.factor = scores_.signs ? T(scores_.signs[e]) : T(1);
    return entry;
  }

  // Both orders, the ranks, and the exponents of b⁺ and b⁻ in the order of the sources.
  void sort_star(std::int64_t face, Scratch& scratch, T* exponents) {
    const std::int64_t begin = tables_.offsets[face], size = tables_.offsets[face + 1] - begin;
    T largest = -std::numeric_limits<T>::infinity(), poison = 0;
    for (std::int64_t k = 0; k < size; ++k) {
      const StarEntry<T> entry = entry_of(begin + k, face);
      const T source = t(entry.row), receiver = s(entry.row);
      largest = std::max(largest, source);
      poison += source * 0;
      scratch.entries[k] = entry;
      scratch.entries[k].plus = source;
      scratch.entries[k].keeps_plus = source > -receiver;
      scratch.by_source[k] = Key::place(Key::of(source), static_cast<std::uint32_t>(k));
      scratch.by_receiver[k] = Key::place(Key::of(receiver), static_cast<std::uint32_t>(k));
    }
    largest += poison;
    slots_.face_largest[face] = largest;
    sort_placed<T>(scratch.by_source.get(), scratch.spare.get(), size);
    sort_placed<T>(scratch.by_receiver.get(), scratch.spare.get(), size);
    for (std::int64_t q = 0; q < size; ++q) {
      const std::uint32_t k = Key::where(scratch.by_source[q]);
      StarEntry<T> entry = scratch.entries[k];
      if (scores_.mask) {
        slots_.own_masked[slot_of(entry)] = scores_.mask[(begin + k) * scores_.stride];
        entry.factor *= scores_.mask[(begin + k) * scores_.stride];
      }
      const T below = entry.plus - largest;
      exponents[q] = below;
      exponents[size + q] = scores_.slope * below;
      sources_[begin + q] = entry;
      receivers_[begin + q] = scratch.entries[Key::where(scratch.by_receiver[q])];
    }
    rank(scratch.by_source.get(), scratch.by_receiver.get(), receivers_ + begin, size);
    rank(scratch.by_receiver.get(), scratch.by_source.get(), sources_ + begin, size);
  }

  // Ranks of `entries`, which have the keys `own`, among the keys `others`: both increase, so the ranks fall.
  static void rank(const Placed* others, const Placed* own, StarEntry<T>* entries, std::int64_t size) {
    std::int64_t q = size;
    for (std::int64_t k = 0; k < size; ++k) {
      const auto limit = Key::negated(Key::key(own[k]));
      while (q > 0 && Key::key(others[q - 1]) > limit) --q;
      entries[k].rank = static_cast<std::int32_t>(q);
    }
  }

  // b±, and the sums of them that each receiver meets.
  void add_up_star(std::int64_t face, Scratch& scratch, const T* exponentials) {
    const std::int64_t begin = tables_.offsets[face], size = tables_.offsets[face + 1] - begin;
    double above = scratch.above[size] = 0, below = 0;
    for (std::int64_t q = size; q-- > 0;) {
      StarEntry<T>& entry = sources_[begin + q];
      entry.plus = exponentials[q], entry.minus = exponentials[size + q];
      scratch.above[q] = above += entry.plus;
      const T own = entry.keeps_plus ? entry.plus : entry.minus;
      slots_.own[slot_of(entry)] = own;
      // The sign of a simplex with itself in a star is the square of its sign: only the mask counts.
      if (scores_.mask) slots_.own_masked[slot_of(entry)] *= own;
    }
    std::int64_t q = 0;
    for (std::int64_t k = size; k-- > 0;) {
      const StarEntry<T>& entry = receivers_[begin + k];
      for (; q < entry.rank; ++q) below += sources_[begin + q].minus;
      slots_.plus[slot_of(entry)] = static_cast<T>(scratch.above[entry.rank]);
      slots_.minus[slot_of(entry)] = static_cast<T>(below);
    }
  }

  void weigh_rows(std::int64_t first, std::int64_t last) {
    const std::int64_t width = tables_.width, at_a_time = std::max<std::int64_t>(1, chunk / width);
    const auto scratch = room<T>(2 * at_a_time * width);
    for (std::int64_t begin = first; begin < last; begin += at_a_time) {
      const std::int64_t end = std::min(last, begin + at_a_time);
      for (std::int64_t i = begin; i < end; ++i) exponents_of_row(i, scratch.get() + 2 * (i - begin) * width);
      kernels_.exponentials(scratch.get(), 2 * (end - begin) * width);
      for (std::int64_t i = begin; i < end; ++i) weigh_row(i, scratch.get() + 2 * (i - begin) * width);
    }
  }

  // s_i + T_f is rounded once, so that no exponent is above 0 and the largest is 0.
  void exponents_of_row(std::int64_t i, T* exponents) const {
    const std::int64_t width = tables_.width;
    T largest = -std::numeric_limits<T>::infinity(), poison = 0;
    for (std::int64_t c = 0; c < width; ++c) {
      const T score = s(i) + slots_.face_largest[tables_.faces[i * width + c]];
      largest = std::max(largest, score);
      poison += score * 0;
      exponents[c] = score;
    }
    const T bound = (largest > 0 ? largest : scores_.slope * largest) + poison;
    for (std::int64_t c = 0; c < width; ++c) {
      exponents[width + c] = scores_.slope * exponents[c] - bound;
      exponents[c] -= bound;
    }
  }

  void weigh_row(std::int64_t i, const T* exponentials) {
    const std::int64_t width = tables_.width, begin = i * width;
    const T *a_plus = exponentials, *a_minus = exponentials + width;
    const bool own_plus = own_is_plus(i);
    double plus = 0, minus = 0, own = 0, repeated = 0, masked = 0;
    for (std::int64_t c = 0; c < width; ++c) {
      plus += double(a_plus[c]) * slots_.plus[begin + c];
      minus += double(a_minus[c]) * slots_.minus[begin + c];
      const double a = own_plus ? a_plus[c] : a_minus[c], term = a * slots_.own[begin + c];
      (c == 0 ? own : repeated) += term;
      if (scores_.mask) masked += a * slots_.own_masked[begin + c];
    }
    double& mass = own_plus ? plus : minus;
    mass = mass - repeated < 0 ? 0 : mass - repeated;
    const double total = plus + minus;
    StarRow<T>& row = rows_[i];
    const bool keeps_plus = plus <= minus;
    row.self_plain = static_cast<T>(-repeated / total);
    row.self = row.self_plain;
    if (scores_.mask) {
      const double wanted = scores_.mask[(tables_.incidences + i) * scores_.stride];
      row.self = static_cast<T>((wanted * own - masked) / total);
    }
    row.self_kept = own_plus == keeps_plus ? row.self : T(0);
    row.self_slope = own_plus ? T(1) : scores_.slope;
    row.mass = static_cast<T>((keeps_plus ? plus : minus) / total);
    row.branch = keeps_plus ? T(1) : T(-1);
    for (std::int64_t c = 0; c < width; ++c) {
      slots_.plus[begin + c] = static_cast<T>(a_plus[c] / total);
      slots_.minus[begin + c] = static_cast<T>(a_minus[c] / total);
    }
  }

  const StarTables& tables_;
  const StarScores<T> scores_;
  const StarKernels<T>& kernels_;
  StarEntry<T>* sources_;
  StarEntry<T>* receivers_;
  StarRow<T>* rows_;
  SlotNumbers<T> slots_;
};

}  // namespace

template <class T>
void weigh_stars(const StarTables& tables, const StarScores<T>& scores, const StarKernels<T>& kernels,
                 StarEntry<T>* sources, StarEntry<T>* receivers, StarRow<T>* rows) {
  StarWeigher<T>(tables, scores, kernels, sources, receivers, rows).run();
}

template <class T>
void sum_over_receivers(const StarTables& tables, const StarEntry<T>* sources, const StarEntry<T>* receivers,
                        const T* D, T slope, T* sums) {
  share_stars(tables, 16, [&](std::int64_t first, std::int64_t last) {
    const auto above = room<double>(tables.largest + 1);
    for (std::int64_t f = first; f < last; ++f) {
      const std::int64_t begin = tables.offsets[f], size = tables.offsets[f + 1] - begin;
      above[size] = 0;
      for (std::int64_t q = size; q-- > 0;) {
        const StarEntry<T>& entry = receivers[begin + q];
        above[q] = above[q + 1] + double(entry.plus) * D[entry.row];
      }
      double below = 0;
      std::int64_t q = 0;
      for (std::int64_t k = size; k-- > 0;) {
        const StarEntry<T>& entry = sources[begin + k];
        for (; q < entry.rank; ++q) below += double(receivers[begin + q].minus) * D[receivers[begin + q].row];
        sums[entry.row * tables.width + entry.column] =
            static_cast<T>(entry.plus * above[entry.rank] + slope * (entry.minus * below));
      }
    }
  });
}

#define GSAN_FOR(T)                                                                                          \
  template void weigh_stars(const StarTables&, const StarScores<T>&, const StarKernels<T>&, StarEntry<T>*,   \
                            StarEntry<T>*, StarRow<T>*);                                                     \
  template void sum_over_receivers(const StarTables&, const StarEntry<T>*, const StarEntry<T>*, const T*, T, \
                                   T*);
GSAN_FOR(float)
GSAN_FOR(double)
#undef GSAN_FOR

}  // namespace gsan::ops
