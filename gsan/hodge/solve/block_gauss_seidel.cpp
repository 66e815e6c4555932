#include "gsan/hodge/solve/block_gauss_seidel.h"

#include <cmath>
#include <utility>

namespace gsan {
namespace {

constexpr Index min_block = 8192;
constexpr Index max_blocks = 64;

}  // namespace

BlockGaussSeidel::BlockGaussSeidel(PairMatrix matrix) : A_(std::move(matrix)) {
  const Index rows = A_.size();
  block_ = std::max(min_block, (rows + max_blocks - 1) / max_blocks);
  below_.resize(rows);
  inside_.resize(rows);
  outside_.resize(rows);
  inverse_.resize(rows);
  for_rows(rows, [&](std::int64_t begin, std::int64_t end) {
    std::vector<std::pair<Index, float>> above, outside;
    for (auto i = static_cast<Index>(begin); i < end; ++i) {
      const Index first = i / block_ * block_, last = first + std::min(block_, rows - first);
      above.clear();
      outside.clear();
      Offset at = A_.start[i];
      const auto put = [&](Index j, float value) {
        A_.column[at] = j;
        A_.value[at++] = value;
      };
      outside_[i] = 0;
      for (Offset e = A_.start[i]; e < A_.start[i + 1]; ++e) {
        const Index j = A_.column[e];
        const float value = A_.value[e];
        if (j < first || j >= last) {
          outside.emplace_back(j, value);
          outside_[i] += std::abs(value);
        } else if (j > i) {
          above.emplace_back(j, value);
        } else {
          put(j, value);
        }
      }
      below_[i] = static_cast<Index>(at - A_.start[i]);
      for (const auto& [j, value] : above) put(j, value);
      inside_[i] = static_cast<Index>(at - A_.start[i]);
      for (const auto& [j, value] : outside) put(j, value);
      inverse_[i] = A_.diagonal[i] > 0 ? 1 / (A_.diagonal[i] + outside_[i]) : 0.0;
    }
  });
}

template <int W>
void BlockGaussSeidel::subtract(Offset begin, Offset end, const double* x, std::array<double, W>& sum) const {
  for (Offset e = begin; e < end; ++e) {
    const double value = A_.value[e];
    const double* from = x + std::int64_t{A_.column[e]} * W;
    for (int c = 0; c < W; ++c) sum[c] -= value * from[c];
  }
}

template <class F>
void BlockGaussSeidel::for_blocks(const F& f) const {
  const std::int64_t rows = size(), blocks = (rows + block_ - 1) / block_;
  at::parallel_for(0, blocks, 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t b = begin; b < end; ++b) f(b * block_, std::min(rows, (b + 1) * block_));
  });
}

Scalars BlockGaussSeidel::multiply(const double* x, double* y, int width) const {
  return with_width(width, [&](auto constant) {
    constexpr int w = constant;
    return sum_rows<w, 1>(size(), [&](std::int64_t i, auto& sums) {
      std::array<double, w> sum{};
      subtract<w>(A_.start[i], A_.start[i + 1], x, sum);
      for (int c = 0; c < w; ++c) {
        y[i * w + c] = A_.diagonal[i] * x[i * w + c] - sum[c];
        sums[0][c] += x[i * w + c] * y[i * w + c];
      }
    })[0];
  });
}

void BlockGaussSeidel::forward_from_zero(const double* r, double* x, int width) const {
  with_width(width, [&](auto constant) {
    constexpr int w = constant;
    for_blocks([&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) {
        std::array<double, w> sum;
        for (int c = 0; c < w; ++c) sum[c] = r[i * w + c];
        subtract<w>(A_.start[i], A_.start[i] + below_[i], x, sum);
        for (int c = 0; c < w; ++c) x[i * w + c] = sum[c] * inverse_[i];
      }
    });
  });
}

void BlockGaussSeidel::restrict_residual(const Aggregation& P, const double* x, double* coarse,
                                         int width) const {
  // The sweep solved (diagonal + outside + entries below in the block) x = r, so what is
  // left of r − A x is outside · x minus the other entries.
  with_width(width, [&](auto constant) {
    constexpr int w = constant;
    for_rows(P.groups(), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t g = begin; g < end; ++g) {
        std::array<double, w> total{};
        for (Offset m = P.start[g]; m < P.start[g + 1]; ++m) {
          const std::int64_t i = P.members[m];
          std::array<double, w> residual;
          for (int c = 0; c < w; ++c) residual[c] = outside_[i] * x[i * w + c];
          subtract<w>(A_.start[i] + below_[i], A_.start[i + 1], x, residual);
          for (int c = 0; c < w; ++c) total[c] += P.sign[i] * residual[c];
        }
        for (int c = 0; c < w; ++c) coarse[g * w + c] = total[c];
      }
    });
  });
}

void BlockGaussSeidel::backward(const double* r, double* x, double* scratch, int width) const {
  const double* old = x;  // what the rows of other blocks are read from
  if (has_blocks()) {
    for_rows(size(), [&](std::int64_t begin, std::int64_t end) {
      std::copy(x + begin * width, x + end * width, scratch + begin * width);
    });
    old = scratch;
  }
  with_width(width, [&](auto constant) {
    constexpr int w = constant;
    for_blocks([&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = last - 1; i >= first; --i) {
        std::array<double, w> residual;
        for (int c = 0; c < w; ++c) residual[c] = r[i * w + c] - A_.diagonal[i] * x[i * w + c];
        subtract<w>(A_.start[i], A_.start[i] + inside_[i], x, residual);
        subtract<w>(A_.start[i] + inside_[i], A_.start[i + 1], old, residual);
        for (int c = 0; c < w; ++c) x[i * w + c] += residual[c] * inverse_[i];
      }
    });
  });
}

}  // namespace gsan
