#include <algorithm>
#include <atomic>

#include <ATen/Parallel.h>
#include <ATen/ops/aminmax.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>
#include <torch/library.h>

#include "gsan/core/check.h"
#include "gsan/ops/cpu/incidence_kernel.h"
#include "gsan/ops/cpu/isa.h"
#include "gsan/ops/incidence_checks.h"

namespace gsan::ops {
namespace {

// A result of at least this size is written past the caches: by the time anybody reads
// it, its beginning would have left them anyway.
constexpr std::int64_t stream_bytes = std::int64_t{16} << 20;
// Numbers that a thread should at least write before another one is worth waking.
constexpr std::int64_t grain_size = 32768;

const IncidenceKernels& kernels() {
#ifdef GSAN_X86_KERNELS
  if (current_isa() == Isa::avx512) return incidence_avx512;
  if (current_isa() == Isa::avx2) return incidence_avx2;
#endif
  return incidence_portable;
}

IncidenceKernel<float> kernel_for(float) { return kernels().of_float; }
IncidenceKernel<double> kernel_for(double) { return kernels().of_double; }

// The work before row i, in rows touched: what the threads share evenly.
std::int64_t work_before(const std::int64_t* offsets, std::int64_t i, int width) {
  return i + (offsets ? offsets[i] : i * width);
}

// First row with at least `work` before it; 0 and `rows` at the two ends whatever the
// offsets hold, so that neighbouring ranges always cover every row.
std::int64_t row_at(std::int64_t work, std::int64_t total, const std::int64_t* offsets, std::int64_t rows,
                    int width) {
  if (work <= 0) return 0;
  if (work >= total) return rows;
  std::int64_t low = 0, high = rows;
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    if (work_before(offsets, middle, width) < work)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// Runs the kernel over all rows of all signals; false when the tables are no tables.
template <class T>
bool run(const IncidenceArguments<T>& first, std::int64_t signals) {
  const std::int64_t rows = first.rows;
  const IncidenceKernel<T> kernel = kernel_for(T{});
  const std::int64_t total = rows + first.entry_count;
  if (first.offsets && (first.offsets[0] != 0 || first.offsets[rows] != first.entry_count)) return false;
  std::atomic<bool> fine = true;
  at::parallel_for(0, signals * total, std::max<std::int64_t>(1, grain_size / first.features),
                   [&](std::int64_t begin, std::int64_t end) {
                     for (std::int64_t s = begin / total; s * total < end; ++s) {
                       IncidenceArguments<T> a = first;
                       a.x += s * a.x_rows * a.features;
                       a.y += s * rows * a.features;
                       const std::int64_t from = row_at(begin - s * total, total, a.offsets, rows, a.width);
                       const std::int64_t to = row_at(end - s * total, total, a.offsets, rows, a.width);
                       if (from < to && !kernel(a, from, to)) fine = false;
                     }
                   });
  return fine;
}

template <class T>
bool run(const at::Tensor& x, const at::Tensor& y, const at::Tensor& entries, const at::Tensor& offsets,
         const at::Tensor& columns, std::int64_t width, bool absolute) {
  const std::int64_t signals = c10::multiply_integers(x.sizes().begin(), x.sizes().end() - 2);
  IncidenceArguments<T> a;
  a.x = x.const_data_ptr<T>();
  a.y = y.mutable_data_ptr<T>();
  a.rows = y.size(-2);
  a.features = x.size(-1);
  a.x_rows = x.size(-2);
  a.entries = entries.const_data_ptr<std::int32_t>();
  a.entry_count = entries.numel();
  a.offsets = offsets.defined() ? offsets.const_data_ptr<std::int64_t>() : nullptr;
  a.columns = columns.defined() ? columns.const_data_ptr<std::uint8_t>() : nullptr;
  a.width = static_cast<int>(width);
  a.absolute = absolute;
  a.stream = y.nbytes() >= stream_bytes && a.features * sizeof(T) % 64 == 0 &&
             reinterpret_cast<std::uintptr_t>(a.y) % 64 == 0;
  return run(a, signals);
}

[[noreturn]] void fail_on_tables(const at::Tensor& x, const at::Tensor& entries, const at::Tensor& offsets) {
  const auto [smallest, largest] = at::aminmax(entries);
  const auto from = smallest.item<std::int32_t>(), to = largest.item<std::int32_t>();
  const std::int64_t rows = x.size(-2);
  const char* who = offsets.defined() ? "gsan::boundary: " : "gsan::coboundary: ";
  GSAN_CHECK(from >= 0 && to < rows, who, offsets.defined() ? "cofaces" : "faces",
             " must name rows of x, 0 ... ", rows - 1, ", got ", from, " ... ", to,
             "; pass the tables of a SimplicialComplex");
  fail(Fault::argument, who, "offsets must increase from 0 to ", entries.numel(),
       " (the number of incidences), they do not; pass the tables of a SimplicialComplex");
}

at::Tensor product(const at::Tensor& x, std::int64_t rows, const at::Tensor& entries,
                   const at::Tensor& offsets, const at::Tensor& columns, std::int64_t width, bool absolute) {
  c10::DimVector sizes(x.sizes().begin(), x.sizes().end());
  sizes[sizes.size() - 2] = rows;
  // Nothing to sum: also the case of an order that does not exist.
  if (entries.numel() == 0) return at::zeros(sizes, x.options());
  at::Tensor y = at::empty(sizes, x.options());
  if (y.numel() == 0) return y;
  const at::Tensor signal = x.contiguous();
  const bool fine = x.scalar_type() == at::kFloat
                        ? run<float>(signal, y, entries, offsets, columns, width, absolute)
                        : run<double>(signal, y, entries, offsets, columns, width, absolute);
  if (!fine) fail_on_tables(x, entries, offsets);
  return y;
}

at::Tensor boundary_cpu(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                        const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  const auto shape = check_incidence(x, faces, offsets, cofaces, columns, true);
  return product(x, shape.faces.expect_int(), cofaces.contiguous(), offsets.contiguous(),
                 columns.contiguous(), faces.size(1), absolute);
}

at::Tensor coboundary_cpu(const at::Tensor& x, const at::Tensor& faces, const at::Tensor& offsets,
                          const at::Tensor& cofaces, const at::Tensor& columns, bool absolute) {
  const auto shape = check_incidence(x, faces, offsets, cofaces, columns, false);
  return product(x, shape.simplices.expect_int(), faces.contiguous(), {}, {}, faces.size(1), absolute);
}

}  // namespace

TORCH_LIBRARY_IMPL(gsan, CPU, m) {
  m.impl("boundary", boundary_cpu);
  m.impl("coboundary", coboundary_cpu);
}

}  // namespace gsan::ops
