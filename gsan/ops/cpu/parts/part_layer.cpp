#include "gsan/ops/part_layer.h"

#include <algorithm>
#include <atomic>
#include <numeric>

#include <ATen/Parallel.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include "gsan/ops/cpu/detail/activations.h"
#include "gsan/ops/cpu/matrix_kernel.h"
#include "gsan/ops/cpu/parts/attention_rows.h"
#include "gsan/ops/cpu/parts/laplacian_rows.h"
#include "gsan/ops/cpu/parts/packed_weights.h"

namespace gsan::ops {
namespace {

// Parts are joined to units of so many rows, of which there are at most so many: small enough for a cache and
// for the threads to share, large enough that gradients of weights are not most of the work.
constexpr std::int64_t unit_rows = 256, most_units = 64;

std::vector<Unit> units_of(const PartLayer& layer) {
  const auto& parts = layer.parts;
  const auto part_count = static_cast<std::int64_t>(parts[0].size()) - 1;
  const auto rows_before = [&](std::int64_t part) {
    std::int64_t sum = 0;
    for (const auto& of_order : parts) sum += of_order[static_cast<std::size_t>(part)];
    return sum;
  };
  const std::int64_t least = std::max(unit_rows, rows_before(part_count) / most_units);
  std::vector<Unit> units;
  for (std::int64_t first = 0, last = 0; first < part_count; first = last) {
    while (last < part_count && (last == first || rows_before(last + 1) - rows_before(first) <= least))
      ++last;
    Unit unit{first, last, {}};
    for (const auto& of_order : parts)
      unit.rows.push_back(
          {of_order[static_cast<std::size_t>(first)], of_order[static_cast<std::size_t>(last)]});
    units.push_back(std::move(unit));
  }
  return units;
}

// compute(number of the unit), the largest ones first, each thread taking the next one when it is done.
template <class Compute>
void share_units(const std::vector<Unit>& units, const Compute& compute) {
  std::vector<std::size_t> turns(units.size());
  std::iota(turns.begin(), turns.end(), std::size_t{0});
  const auto size = [&](std::size_t u) {
    std::int64_t rows = 0;
    for (const RowRange& range : units[u].rows) rows += range.size();
    return rows;
  };
  std::stable_sort(turns.begin(), turns.end(),
                   [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  std::atomic<std::size_t> next = 0;
  const auto workers = std::min<std::int64_t>(at::get_num_threads(), static_cast<std::int64_t>(units.size()));
  at::parallel_for(0, workers, 1, [&](std::int64_t, std::int64_t) {
    for (std::size_t turn; (turn = next++) < turns.size();) compute(turns[turn]);
  });
}

template <class T>
class PartRun {
 public:
  /// `kept`: of the forward pass, for the backward pass.
  explicit PartRun(const PartLayer& layer, const PartKept* kept = nullptr)
      : layer_(layer),
        kept_(static_cast<const Kept*>(kept)),
        units_(units_of(layer)),
        features_(layer.width / layer.heads),
        activation_(nonlinearity(layer.activation)),
        multiply_(current_build<T>(GSAN_BUILDS_OF(matrix))) {
    if (kept_) {
      weights_ = kept_->matrices;
      return;
    }
    for (std::size_t i = 0; i < layer.inputs.size(); ++i)
      weights_.push_back(std::make_shared<const PackedWeights<T>>(layer, i));
  }

  std::vector<at::Tensor> forward(std::shared_ptr<const PartKept>* kept) const {
    std::shared_ptr<Kept> keeps;
    const auto attends = [](const PartTerm& term) { return term.attention.has_value(); };
    if (kept && std::any_of(layer_.terms.begin(), layer_.terms.end(), attends)) {
      keeps = std::make_shared<Kept>();
      for (std::size_t u = 0; u < units_.size(); ++u)
        keeps->memory.push_back(PartScratchPool<T>::instance().take());
      keeps->weights.resize(units_.size());
      keeps->matrices = weights_;
      *kept = keeps;
    }
    std::vector<at::Tensor> y(layer_.has_output.size());
    for (std::size_t k = 0; k < y.size(); ++k)
      if (layer_.has_output[k]) y[k] = at::empty({layer_.parts[k].back(), layer_.width}, layer_.type);
    share_units(units_, [&](std::size_t u) {
      if (keeps) keeps->weights[u] = room_for_weights(units_[u], *keeps->memory[u]);
      PartScratch<T>& memory = PartScratch<T>::of_thread();
      const Made made = run(units_[u], Run::forward, keeps ? keeps->weights[u] : Weights{}, memory);
      for (std::size_t k = 0; k < y.size(); ++k)
        if (y[k].defined()) finish(k, units_[u], made, y[k].mutable_data_ptr<T>(), memory);
    });
    return y;
  }

  PartGradients backward(const std::vector<at::Tensor>& y, const std::vector<at::Tensor>& gradients) const {
    PartGradients result;
    for (const at::Tensor& z : layer_.signals)
      result.signals.push_back(z.defined() ? at::zeros(z.sizes(), z.options()) : z);
    const std::int64_t numbers = numbers_of_unit();
    const at::Tensor partial = at::empty({static_cast<std::int64_t>(units_.size()) * numbers}, layer_.type);
    share_units(units_, [&](std::size_t u) {
      T* const own = partial.mutable_data_ptr<T>() + static_cast<std::int64_t>(u) * numbers;
      PartScratch<T>& memory = PartScratch<T>::of_thread();
      const Made made = run(units_[u], Run::again, kept_ ? kept_->weights[u] : Weights{}, memory);
      run_back(units_[u], made, y, gradients, result.signals, own, memory);
    });
    const at::Tensor sum = at::zeros({numbers}, layer_.type);
    add_units(partial.const_data_ptr<T>(), numbers, sum.mutable_data_ptr<T>());
    unpack(sum.const_data_ptr<T>(), result);
    return result;
  }

 private:
  enum class Run {
    forward,
    again,  // for the backward pass: with what that reads, without the rest
  };
  using Weights = std::vector<typename AttentionRowsOfUnit<T>::PairWeights>;  // per term; empty: not kept

  struct Made {
    std::vector<RowsOf<const T>> inputs, products;
    std::vector<typename AttentionRowsOfUnit<T>::Made> attention;  // per term
    std::vector<RowsOf<const T>> terms;                            // what each adds
  };

  using Matrices = std::vector<std::shared_ptr<const PackedWeights<T>>>;  // per input

  struct Kept final : PartKept {
    Matrices matrices;
    std::vector<typename PartScratchPool<T>::Memory> memory;  // per unit
    std::vector<Weights> weights;
    ~Kept() override {
      for (auto& one : memory) PartScratchPool<T>::instance().put(std::move(one));
    }
  };

  const RowRange& rows(const Unit& unit, int order) const {
    return unit.rows[static_cast<std::size_t>(order)];
  }
  int order_of(const PartTerm& term) const { return layer_.inputs[term.input].order; }
  std::int64_t inner() const { return weights_.empty() ? 0 : weights_[0]->rows(); }  // F_in
  const T* signal(int order) const { return numbers_of<T>(layer_.signals[static_cast<std::size_t>(order)]); }

  Weights room_for_weights(const Unit& unit, PartScratch<T>& memory) const {
    Weights weights(layer_.terms.size());
    for (std::size_t t = 0; t < weights.size(); ++t)
      if (const PartTerm& term = layer_.terms[t]; term.attention)
        weights[t] = attention_of(term).room_for(rows(unit, order_of(term)), memory);
    return weights;
  }

  AttentionRowsOfUnit<T> attention_of(const PartTerm& term) const {
    return {*term.attention, layer_.heads, features_};
  }

  // Everything but the sum of the terms and σ.
  Made run(const Unit& unit, Run kind, const Weights& weights, PartScratch<T>& memory) const {
    Made made;
    for (std::size_t i = 0; i < layer_.inputs.size(); ++i) {
      const PartInput& input = layer_.inputs[i];
      const PackedWeights<T>& W = *weights_[i];
      const RowRange& range = rows(unit, input.order);
      RowsOf<const T> x{signal(input.source), inner()};
      if (input.source != input.order) {
        const RowsOf<T> sent = memory.rows(range, inner());
        couple<T>(input.coupling, input.source > input.order, x, sent.data, inner(), range);
        x = readable(sent);
      }
      const RowsOf<T> products = memory.rows(range, W.stride());
      multiply_({row_at(x, range.begin), x.stride, 1, W.matrix(), W.stride(), row_at(products, range.begin),
                 products.stride, range.size(), inner(), W.columns(), false});
      made.inputs.push_back(x), made.products.push_back(readable(products));
    }
    made.attention.resize(layer_.terms.size());
    for (std::size_t t = 0; t < layer_.terms.size(); ++t)
      made.terms.push_back(run_term(t, unit, kind, weights, made, memory));
    return made;
  }

  RowsOf<const T> run_term(std::size_t t, const Unit& unit, Run kind, const Weights& weights, Made& made,
                           PartScratch<T>& memory) const {
    const PartTerm& term = layer_.terms[t];
    const TermColumns& place = weights_[term.input]->of(t);
    const RowsOf<const T> products = made.products[term.input], taps = from_column(products, place.taps);
    const std::int64_t P = term.weight.size(1);
    const int k = order_of(term);
    if (term.laplacian) {
      if (kind == Run::again) return {};  // linear: its gradient does not read it
      return LaplacianRowsOfUnit<T>(*term.laplacian, k, layer_.width)
          .forward(taps, P, term.first, unit, memory);
    }
    if (!term.attention) return taps;
    const auto& parts = layer_.parts[static_cast<std::size_t>(k)];
    made.attention[t] = attention_of(term).forward(
        taps, from_column(products, place.scores), P, term.first, rows(unit, k),
        parts.data() + unit.first_part, unit.last_part - unit.first_part, kind == Run::again,
        weights.empty() ? nullptr : &weights[t], kind == Run::again && !weights.empty(), memory);
    return readable(made.attention[t].y);
  }

  void finish(std::size_t k, const Unit& unit, const Made& made, T* y, PartScratch<T>& memory) const {
    const RowRange& range = unit.rows[k];
    const std::int64_t W = layer_.width;
    const T* const bias = numbers_of<T>(layer_.biases[k]);
    std::vector<RowsOf<const T>> added;
    for (std::size_t t = 0; t < layer_.terms.size(); ++t)
      if (order_of(layer_.terms[t]) == static_cast<int>(k)) added.push_back(made.terms[t]);
    for (std::int64_t i = range.begin; i < range.end; ++i) {
      T* const to = y + i * W;
      if (added.empty())
        std::fill_n(to, W, T(0));
      else
        std::copy_n(row_at(added[0], i), W, to);
      for (std::size_t t = 1; t < added.size(); ++t) {
        const T* const from = row_at(added[t], i);
        for (std::int64_t c = 0; c < W; ++c) to[c] += from[c];
      }
      if (bias)
        for (std::int64_t c = 0; c < W; ++c) to[c] += bias[c];
    }
    if (range.size() == 0 || activation_ == Nonlinearity::identity) return;
    // Torch rounds the last numbers of a range otherwise than those before: none of these is among them.
    const std::int64_t count = range.size() * W, padded = (count + 63) / 64 * 64;
    T* const numbers = memory.take(padded);
    std::copy_n(y + range.begin * W, count, numbers);
    std::fill_n(numbers + count, padded - count, T(0));
    activate(activation_, numbers, padded);
    std::copy_n(numbers, count, y + range.begin * W);
  }

  void run_back(const Unit& unit, const Made& made, const std::vector<at::Tensor>& y,
                const std::vector<at::Tensor>& gradients, const std::vector<at::Tensor>& of_signals,
                T* of_parameters, PartScratch<T>& memory) const {
    const std::int64_t W = layer_.width;
    std::vector<RowsOf<T>> g(y.size()), of_products;
    std::int64_t place = bias_place();
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (!y[k].defined()) continue;
      const RowRange& range = unit.rows[k];
      g[k] = memory.rows(range, W);
      T* const first = row_at(g[k], range.begin);
      if (range.size() > 0 && gradients[k].defined())
        multiply_slopes(activation_, gradients[k].const_data_ptr<T>() + range.begin * W,
                        y[k].const_data_ptr<T>() + range.begin * W, first, range.size() * W);
      else
        std::fill_n(first, range.size() * W, T(0));
      if (!layer_.biases[k].defined()) continue;
      T* const sums = of_parameters + place;
      std::fill_n(sums, W, T(0));
      for (std::int64_t i = 0; i < range.size(); ++i)
        for (std::int64_t c = 0; c < W; ++c) sums[c] += first[i * W + c];
      place += W;
    }
    for (std::size_t i = 0; i < layer_.inputs.size(); ++i)
      of_products.push_back(memory.rows(rows(unit, layer_.inputs[i].order), weights_[i]->stride()));
    for (std::size_t t = 0; t < layer_.terms.size(); ++t)
      run_term_back(t, unit, made, g, of_products, memory);
    T* of_matrix = of_parameters;
    for (std::size_t i = 0; i < layer_.inputs.size(); ++i) {
      run_input_back(i, unit, made, readable(of_products[i]), of_signals, of_matrix, memory);
      of_matrix += inner() * weights_[i]->stride();
    }
  }

  void run_term_back(std::size_t t, const Unit& unit, const Made& made, const std::vector<RowsOf<T>>& g,
                     const std::vector<RowsOf<T>>& of_products, PartScratch<T>& memory) const {
    const PartTerm& term = layer_.terms[t];
    const TermColumns& place = weights_[term.input]->of(t);
    const int k = order_of(term);
    const RowsOf<T> of_taps = from_column(of_products[term.input], place.taps);
    const RowsOf<const T> gradient = readable(g[static_cast<std::size_t>(k)]);
    if (term.laplacian)
      return LaplacianRowsOfUnit<T>(*term.laplacian, k, layer_.width)
          .backward(gradient, term.weight.size(1), term.first, of_taps, unit, memory);
    if (term.attention)
      return attention_of(term).backward(made.attention[t], gradient, of_taps,
                                         from_column(of_products[term.input], place.scores), rows(unit, k),
                                         memory);
    for (std::int64_t i = rows(unit, k).begin; i < rows(unit, k).end; ++i)
      std::copy_n(row_at(gradient, i), layer_.width, row_at(of_taps, i));
  }

  // From the gradient of an input's products to those of its matrix and of the signal.
  void run_input_back(std::size_t i, const Unit& unit, const Made& made, RowsOf<const T> of_products,
                      const std::vector<at::Tensor>& of_signals, T* of_matrix, PartScratch<T>& memory) const {
    const PartInput& input = layer_.inputs[i];
    const PackedWeights<T>& W = *weights_[i];
    const RowRange &range = rows(unit, input.order), &source = rows(unit, input.source);
    const RowsOf<const T>& x = made.inputs[i];
    const T* const g = row_at(of_products, range.begin);
    multiply_({row_at(x, range.begin), 1, x.stride, g, W.stride(), of_matrix, W.stride(), inner(),
               range.size(), W.columns(), false});
    T* const of_z = of_signals[static_cast<std::size_t>(input.source)].mutable_data_ptr<T>();
    const auto times_weights = [&](T* to, bool add) {
      multiply_(
          {g, W.stride(), 1, W.transposed(), inner(), to, inner(), range.size(), W.columns(), inner(), add});
    };
    if (input.source == input.order) return times_weights(of_z + range.begin * inner(), true);
    const RowsOf<T> of_x = memory.rows(range, inner()), sent = memory.rows(source, inner());
    times_weights(row_at(of_x, range.begin), false);
    couple<T>(input.coupling, input.source < input.order, readable(of_x), sent.data, inner(), source);
    const T* const from = row_at(sent, source.begin);
    T* const to = of_z + source.begin * inner();
    for (std::int64_t n = 0; n < source.size() * inner(); ++n) to[n] += from[n];
  }

  // The gradients of a unit: the matrices one after the other, then the biases.
  std::int64_t bias_place() const {
    std::int64_t numbers = 0;
    for (const auto& W : weights_) numbers += inner() * W->stride();
    return numbers;
  }
  std::int64_t numbers_of_unit() const {
    std::int64_t numbers = bias_place();
    for (const at::Tensor& bias : layer_.biases)
      if (bias.defined()) numbers += layer_.width;
    return numbers;
  }

  // In the order of the units.
  void add_units(const T* partial, std::int64_t numbers, T* sum) const {
    at::parallel_for(0, numbers, 4096, [&](std::int64_t begin, std::int64_t end) {
      for (std::size_t u = 0; u < units_.size(); ++u) {
        const T* const of_unit = partial + static_cast<std::int64_t>(u) * numbers;
        for (std::int64_t n = begin; n < end; ++n) sum[n] += of_unit[n];
      }
    });
  }

  void unpack(const T* sum, PartGradients& result) const {
    std::vector<const T*> matrices;
    for (const auto& W : weights_) matrices.push_back(sum), sum += inner() * W->stride();
    for (std::size_t t = 0; t < layer_.terms.size(); ++t) {
      const PartTerm& term = layer_.terms[t];
      const at::Tensor of_weight = at::empty(term.weight.sizes(), layer_.type);
      const at::Tensor of_a =
          term.attention ? at::zeros(term.attention->a.sizes(), layer_.type) : at::Tensor();
      weights_[term.input]->unpack(term, t, matrices[term.input], of_weight.mutable_data_ptr<T>(),
                                   of_a.defined() ? of_a.mutable_data_ptr<T>() : nullptr);
      result.weights.push_back(of_weight), result.a.push_back(of_a);
    }
    for (const at::Tensor& bias : layer_.biases) {
      at::Tensor& of_bias = result.biases.emplace_back();
      if (!bias.defined()) continue;
      of_bias = at::empty(bias.sizes(), layer_.type);
      std::copy_n(sum, layer_.width, of_bias.mutable_data_ptr<T>());
      sum += layer_.width;
    }
  }

  const PartLayer& layer_;
  const Kept* kept_;
  std::vector<Unit> units_;
  Matrices weights_;
  std::int64_t features_;
  Nonlinearity activation_;
  MatrixKernel<T> multiply_;
};

}  // namespace

bool has_part_layer(at::Device device) { return device.is_cpu(); }

std::vector<at::Tensor> part_layer(const PartLayer& layer, std::shared_ptr<const PartKept>* kept) {
  return layer.type.dtype() == at::kDouble ? PartRun<double>(layer).forward(kept)
                                           : PartRun<float>(layer).forward(kept);
}

PartGradients part_layer_backward(const PartLayer& layer, const std::vector<at::Tensor>& y,
                                  const PartKept* kept, const std::vector<at::Tensor>& gradients) {
  return layer.type.dtype() == at::kDouble ? PartRun<double>(layer, kept).backward(y, gradients)
                                           : PartRun<float>(layer, kept).backward(y, gradients);
}

}  // namespace gsan::ops
