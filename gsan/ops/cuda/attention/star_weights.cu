// Everything of the attention over stars that is one number per incidence.

#include <cub/device/device_radix_sort.cuh>

#include "gsan/ops/cuda/attention/gather.cuh"
#include "gsan/ops/cuda/attention/star_places.cuh"

namespace gsan::ops::cuda {
namespace {

constexpr int threads = 256;

unsigned blocks_for(std::int64_t items) { return static_cast<unsigned>((items + threads - 1) / threads); }

__device__ __forceinline__ std::int64_t thread_number() {
  return static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x;
}

// Unsigned keys with the order of the numbers; +0 = −0.
__device__ __forceinline__ std::uint64_t ordered(float x) {
  const unsigned b = __float_as_uint(x + 0.0f);
  return b & 0x80000000u ? ~b : b | 0x80000000u;
}
__device__ __forceinline__ std::uint64_t ordered(double x) {
  const auto b = static_cast<std::uint64_t>(__double_as_longlong(x + 0.0));
  return b >> 63 ? ~b : b | (std::uint64_t{1} << 63);
}

int bits_of(std::int64_t count) {
  int bits = 1;
  while (count >> bits) ++bits;
  return bits;
}

// float: the star above the score. double: the score alone, stars are sorted by afterwards.
template <class T>
__global__ void make_keys(StarTables t, Numbers<T> scores, std::uint64_t* keys, std::int32_t* entries) {
  const std::int64_t e = thread_number();
  if (e >= t.incidences) return;
  const std::uint64_t key = ordered(scores.data[t.cofaces[e] * scores.stride]);
  keys[e] = sizeof(T) == 4 ? static_cast<std::uint64_t>(face_of(t, e)) << 32 | key : key;
  entries[e] = static_cast<std::int32_t>(e);
}

__global__ void make_star_keys(StarTables t, const std::int32_t* entries, std::uint64_t* keys) {
  const std::int64_t q = thread_number();
  if (q < t.incidences) keys[q] = static_cast<std::uint64_t>(face_of(t, entries[q]));
}

template <class T>
__global__ void place_entries(StarTables t, Numbers<T> scores, const std::int32_t* entries,
                              SortedStars<T> to) {
  const std::int64_t q = thread_number();
  if (q >= t.incidences) return;
  const std::int32_t e = entries[q], row = t.cofaces[e];
  to.row[q] = row;
  to.slot[q] = row * t.width + t.columns[e];
  to.score[q] = scores.data[row * scores.stride] + T(0);
}

std::size_t radix_bytes(std::int64_t count) {
  std::size_t bytes = 0;
  std::uint64_t* keys = nullptr;
  std::int32_t* values = nullptr;
  cub::DeviceRadixSort::SortPairs(nullptr, bytes, keys, keys, values, values, static_cast<int>(count));
  return bytes;
}

// A warp per star.
template <class T>
__global__ void find_tops(StarTables t, Numbers<T> scores, T* tops) {
  const std::int64_t f = thread_number() / 32;
  if (f >= t.face_count) return;
  T top = -INFINITY, poison = 0;
  for (std::int64_t e = t.offsets[f] + threadIdx.x % 32; e < t.offsets[f + 1]; e += 32) {
    const T score = scores.data[t.cofaces[e] * scores.stride];
    top = score > top ? score : top;
    poison += score * 0;
  }
  top = group_max<32>(0xffffffffu, top);
  poison = group_sum<32>(0xffffffffu, poison);
  if (threadIdx.x % 32 == 0) tops[f] = top + poison;
}

template <class T>
__global__ void make_factors(StarTables t, const T* mask, std::int64_t mask_stride, const std::int8_t* signs,
                             T* factor) {
  const std::int64_t e = thread_number();
  if (e >= t.incidences) return;
  const std::int64_t slot = static_cast<std::int64_t>(t.cofaces[e]) * t.width + t.columns[e];
  const T sign = signs ? T(signs[e]) : T(1);
  factor[2 * slot] = sign;
  factor[2 * slot + 1] = mask ? sign * mask[e * mask_stride] : sign;
}

template <class T>
__global__ void find_places_kernel(StarTables t, Numbers<T> own, SortedStars<T> others,
                                   std::int32_t* places) {
  const std::int64_t slot = thread_number();
  if (slot >= t.incidences) return;
  const std::int32_t f = t.faces[slot];
  places[slot] = static_cast<std::int32_t>(
      place_above(others.score, t.offsets[f], t.offsets[f + 1], -own.data[slot / t.width * own.stride]));
}

template <class T>
__global__ void make_source_weights(StarTables t, Numbers<T> scores, const T* tops, T slope, T* weights) {
  const std::int64_t slot = thread_number();
  if (slot >= t.incidences) return;
  const T below = scores.data[slot / t.width * scores.stride] - tops[t.faces[slot]];
  weights[2 * slot] = exponential(below);
  weights[2 * slot + 1] = exponential(slope * below);
}

// --- running sums of numbers: a thread per block of places

template <class T>
struct Running {
  StarTables t;
  SortedStars<T> sorted;
  const T* weights;
  Numbers<T> factor;
  __device__ double plus(std::int64_t q) const { return value(q, 0); }
  __device__ double minus(std::int64_t q) const { return value(q, 1); }
  __device__ double value(std::int64_t q, int which) const {
    const double w = weights[2 * static_cast<std::int64_t>(sorted.slot[q]) + which];
    return factor.data ? w * factor.data[sorted.row[q] * factor.stride] : w;
  }
};

template <class T>
__global__ void sum_blocks(Running<T> r, std::int64_t blocks, double* heads, double* tails) {
  const std::int64_t c = thread_number();
  if (c >= blocks) return;
  const PlaceBlock block(r.t, c);
  double head = 0, tail = 0;
  for (std::int64_t q = block.head_end(); q-- > block.begin;) head += r.plus(q);
  for (std::int64_t q = block.tail_begin(); q < block.end; ++q) tail += r.minus(q);
  heads[c] = head, tails[c] = tail;
}

template <class T>
__global__ void run_blocks(Running<T> r, std::int64_t blocks, const double* heads, const double* tails,
                           double* above, double* below) {
  const std::int64_t c = thread_number();
  if (c >= blocks) return;
  const PlaceBlock block(r.t, c);
  double carry = 0, recent = 0;
  for (std::int64_t b = block.first_block(); b < c; ++b) carry += tails[b];
  for (std::int64_t q = block.begin; q < block.end; ++q) {
    if (block.begins_star(q)) carry = recent = 0;
    below[q] = carry + (recent += r.minus(q));
  }
  carry = recent = 0;
  for (std::int64_t b = block.last_block(); b > c; --b) carry += heads[b];
  for (std::int64_t q = block.end; q-- > block.begin;) {
    if (block.ends_star(q)) carry = recent = 0;
    above[q] = carry + (recent += r.plus(q));
  }
}

// --- rows

template <class T>
__global__ void weigh_rows_kernel(WeighRows<T> a) {
  const std::int64_t i = thread_number();
  if (i >= a.tables.simplices) return;
  const int width = a.tables.width;
  const T s = a.s.data[i * a.s.stride], t = a.t.data[i * a.t.stride];
  const std::int32_t* const faces = a.tables.faces + i * width;
  T largest = -INFINITY, poison = 0;
  for (int c = 0; c < width; ++c) {
    const T score = s + a.tops[faces[c]];
    largest = score > largest ? score : largest;
    poison += score * 0;
  }
  // s_i + T_f is rounded once, so that no exponent is above 0 and the largest is 0.
  const T bound = leaky(largest, a.slope) + poison;
  const bool own_plus = t > -s;
  double plus = 0, minus = 0, own = 0, repeated = 0, masked = 0;
  for (int c = 0; c < width; ++c) {
    const std::int64_t slot = i * width + c, begin = a.tables.offsets[faces[c]],
                       end = a.tables.offsets[faces[c] + 1];
    const T score = s + a.tops[faces[c]];
    const T up = exponential(score - bound), down = exponential(a.slope * score - bound);
    const std::int64_t place = a.places[slot];
    plus += double(up) * (place < end ? a.above[place] : 0.0);
    minus += double(down) * (place > begin ? a.below[place - 1] : 0.0);
    const double term = double(own_plus ? up : down) * a.weights.source[2 * slot + (own_plus ? 0 : 1)];
    (c == 0 ? own : repeated) += term;
    if (a.mask) masked += term * (a.weights.factor[2 * slot + 1] * a.weights.factor[2 * slot]);
    a.weights.receiver[2 * slot] = up, a.weights.receiver[2 * slot + 1] = down;
  }
  double& mass = own_plus ? plus : minus;
  mass = mass - repeated < 0 ? 0 : mass - repeated;
  const double total = plus + minus;
  for (int c = 0; c < width; ++c) {
    T* const of_slot = a.weights.receiver + 2 * (i * width + c);
    of_slot[0] = static_cast<T>(of_slot[0] / total), of_slot[1] = static_cast<T>(of_slot[1] / total);
  }
  const bool keeps_plus = plus <= minus;
  const T self_plain = static_cast<T>(-repeated / total),
          self = a.mask ? static_cast<T>((a.mask[i * a.mask_stride] * own - masked) / total) : self_plain;
  const T kept = static_cast<T>((keeps_plus ? plus : minus) / total);
  store_state(a.state + i * a.stride, {s, T(0), static_cast<T>(1 / total), keeps_plus ? kept : -kept});
  store_state(a.selves + i * a.stride,
              {self, own_plus == keeps_plus ? self : T(0), self_plain, own_plus ? T(1) : a.slope});
}

}  // namespace

template <class T>
std::int64_t sort_bytes(const StarTables& t) {
  return 2 * t.incidences * 8 + 2 * ((t.incidences * 4 + 15) / 16 * 16) +
         static_cast<std::int64_t>(radix_bytes(t.incidences)) + 256;
}

template <class T>
void launch_sort(const StarTables& t, Numbers<T> scores, SortedStars<T> sorted, void* scratch,
                 Stream stream) {
  if (t.incidences == 0) return;
  auto* keys = static_cast<std::uint64_t*>(scratch);
  auto* keys_out = keys + t.incidences;
  auto* entries = reinterpret_cast<std::int32_t*>(keys_out + t.incidences);
  auto* entries_out = entries + (t.incidences + 3) / 4 * 4;
  void* temporary = reinterpret_cast<void*>(
      (reinterpret_cast<std::uintptr_t>(entries_out + (t.incidences + 3) / 4 * 4) + 127) / 128 * 128);
  std::size_t bytes = radix_bytes(t.incidences);
  const auto count = static_cast<int>(t.incidences);
  const int star_bits = bits_of(t.face_count);
  const unsigned blocks = blocks_for(t.incidences);
  make_keys<T><<<blocks, threads, 0, stream>>>(t, scores, keys, entries);
  if constexpr (sizeof(T) == 4) {
    cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, keys_out, entries, entries_out, count, 0,
                                    32 + star_bits, stream);
    place_entries<T><<<blocks, threads, 0, stream>>>(t, scores, entries_out, sorted);
  } else {
    cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, keys_out, entries, entries_out, count, 0, 64,
                                    stream);
    make_star_keys<<<blocks, threads, 0, stream>>>(t, entries_out, keys);
    cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, keys_out, entries_out, entries, count, 0,
                                    star_bits, stream);
    place_entries<T><<<blocks, threads, 0, stream>>>(t, scores, entries, sorted);
  }
}

template <class T>
void launch_weigh_sources(const StarTables& t, Numbers<T> scores, const T* mask, std::int64_t mask_stride,
                          const std::int8_t* signs, T slope, T* tops, SlotWeights<T> weights, Stream stream) {
  find_tops<T><<<blocks_for(t.face_count * 32), threads, 0, stream>>>(t, scores, tops);
  make_factors<T>
      <<<blocks_for(t.incidences), threads, 0, stream>>>(t, mask, mask_stride, signs, weights.factor);
  make_source_weights<T>
      <<<blocks_for(t.incidences), threads, 0, stream>>>(t, scores, tops, slope, weights.source);
}

template <class T>
void launch_find_places(const StarTables& t, Numbers<T> own, SortedStars<T> others, std::int32_t* places,
                        Stream stream) {
  find_places_kernel<T><<<blocks_for(t.incidences), threads, 0, stream>>>(t, own, others, places);
}

template <class T>
void launch_running_numbers(const StarTables& t, SortedStars<T> sorted, const T* weights, Numbers<T> factor,
                            double* above, double* below, double* scratch, Stream stream) {
  const std::int64_t blocks = star_blocks(t.incidences);
  const Running<T> running{t, sorted, weights, factor};
  double *heads = scratch, *tails = scratch + blocks;
  sum_blocks<T><<<blocks_for(blocks), threads, 0, stream>>>(running, blocks, heads, tails);
  run_blocks<T><<<blocks_for(blocks), threads, 0, stream>>>(running, blocks, heads, tails, above, below);
}

template <class T>
void launch_weigh_rows(const WeighRows<T>& rows, Stream stream) {
  weigh_rows_kernel<T><<<blocks_for(rows.tables.simplices), threads, 0, stream>>>(rows);
}

std::int64_t star_blocks(std::int64_t incidences) { return (incidences + star_block - 1) / star_block; }

#define GSAN_FOR(T)                                                                                       \
  template std::int64_t sort_bytes<T>(const StarTables&);                                                 \
  template void launch_sort(const StarTables&, Numbers<T>, SortedStars<T>, void*, Stream);                \
  template void launch_find_places(const StarTables&, Numbers<T>, SortedStars<T>, std::int32_t*, Stream); \
  template void launch_weigh_sources(const StarTables&, Numbers<T>, const T*, std::int64_t,               \
                                     const std::int8_t*, T, T*, SlotWeights<T>, Stream);                  \
  template void launch_running_numbers(const StarTables&, SortedStars<T>, const T*, Numbers<T>, double*,  \
                                       double*, double*, Stream);                                         \
  template void launch_weigh_rows(const WeighRows<T>&, Stream);
GSAN_FOR(float)
GSAN_FOR(double)
#undef GSAN_FOR

}  // namespace gsan::ops::cuda
