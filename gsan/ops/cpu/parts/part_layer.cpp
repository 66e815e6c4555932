#include "gsan/ops/part_layer.h"

#include <algorithm>

#include <ATen/ops/empty.h>

#include "gsan/ops/cpu/detail/activations.h"
#include "gsan/ops/cpu/matrix_kernel.h"
#include "gsan/ops/cpu/parts/attention_rows.h"
#include "gsan/ops/cpu/parts/laplacian_rows.h"
#include "gsan/ops/cpu/parts/parameter_gradients.h"
#include "gsan/ops/cpu/parts/task_scratch.h"

namespace gsan::ops {
namespace {

template <class T>
class PartRun {
 public:
  /// `kept`: of the forward pass, for the backward pass.
  explicit PartRun(const PartLayer& layer, const PartKept* kept = nullptr)
      : layer_(layer),
        kept_(static_cast<const Kept*>(kept)),
        tasks_(layer),
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
      keeps->memory = PooledScratch<T>(tasks_, [](const UnitTask&) { return true; });
      keeps->weights.assign(tasks_.units().size(), Weights(layer_.terms.size()));
      keeps->matrices = weights_;
      *kept = keeps;
    }
    std::vector<at::Tensor> y(layer_.has_output.size());
    for (std::size_t k = 0; k < y.size(); ++k)
      if (layer_.has_output[k]) y[k] = at::empty({layer_.parts[k].back(), layer_.width}, layer_.type);
    TaskScratch<T> memories(tasks_);
    std::vector<Made> made(tasks_.units().size(), Made(layer_));
    tasks_.share(
        [&](std::size_t t) {
          const UnitTask& task = tasks_.tasks()[t];
          if (keeps) make_room_for_weights(task, keeps->memory[t], keeps->weights[task.unit]);
          run(task, Run::forward, keeps ? keeps->weights[task.unit] : none_, made[task.unit], memories.of(t));
        },
        [&](std::size_t u) {
          for (std::size_t k = 0; k < y.size(); ++k)
            if (y[k].defined()) finish(k, tasks_.units()[u], made[u], y[k].mutable_data_ptr<T>());
        });
    return y;
  }

  PartGradients backward(const std::vector<at::Tensor>& y, const std::vector<at::Tensor>& gradients) const {
    PartGradients result;
    for (const at::Tensor& z : layer_.signals)
      result.signals.push_back(z.defined() ? at::empty(z.sizes(), z.options()) : z);
    const ParameterGradients<T> parameters(layer_, weights_, tasks_.units().size());
    TaskScratch<T> memories(tasks_);
    std::vector<Made> made(tasks_.units().size(), Made(layer_));
    std::vector<std::vector<RowsOf<const T>>> sent(tasks_.units().size(),
                                                   std::vector<RowsOf<const T>>(layer_.inputs.size()));
    tasks_.share(
        [&](std::size_t t) {
          const UnitTask& task = tasks_.tasks()[t];
          PartScratch<T>& memory = memories.of(t);
          run(task, Run::again, kept_ ? kept_->weights[task.unit] : none_, made[task.unit], memory);
          run_back(task, made[task.unit], y, gradients, sent[task.unit], parameters, memory);
        },
        [&](std::size_t u) { add_inputs(tasks_.units()[u], sent[u], result.signals); });
    parameters.write(result);
    return result;
  }

 private:
  enum class Run {
    forward,
    again,  // for the backward pass: with what that reads, without the rest
  };
  using Weights = std::vector<typename AttentionRowsOfUnit<T>::PairWeights>;  // per term; empty: not kept

  // Of one unit; tasks write the entries of their inputs and terms.
  struct Made {
    std::vector<RowsOf<const T>> inputs, products;                 // per input
    std::vector<typename AttentionRowsOfUnit<T>::Made> attention;  // per term
    std::vector<RowsOf<const T>> terms;                            // what each adds
    explicit Made(const PartLayer& layer)
        : inputs(layer.inputs.size()),
          products(layer.inputs.size()),
          attention(layer.terms.size()),
          terms(layer.terms.size()) {}
  };

  using Matrices = typename ParameterGradients<T>::Matrices;

  struct Kept final : PartKept {
    Matrices matrices;
    PooledScratch<T> memory;       // per task
    std::vector<Weights> weights;  // per unit
  };

  const RowRange& rows(const Unit& unit, int order) const {
    return unit.rows[static_cast<std::size_t>(order)];
  }
  int order_of(const PartTerm& term) const { return layer_.inputs[term.input].order; }
  std::int64_t inner() const { return weights_.empty() ? 0 : weights_[0]->rows(); }  // F_in
  const T* signal(int order) const { return numbers_of<T>(layer_.signals[static_cast<std::size_t>(order)]); }

  bool has(const UnitTask& task, std::size_t input) const {
    return task.is_whole || (input >= task.first_input && input < task.last_input);
  }
  // The first input of rows of order k; 0 where there is none.
  std::size_t first_input_of(std::size_t k) const {
    for (std::size_t i = 0; i < layer_.inputs.size(); ++i)
      if (layer_.inputs[i].order == static_cast<int>(k)) return i;
    return 0;
  }
  bool reads(const UnitTask& task, std::size_t k) const {
    return std::any_of(layer_.inputs.begin() + static_cast<std::ptrdiff_t>(task.first_input),
                       layer_.inputs.begin() + static_cast<std::ptrdiff_t>(task.last_input),
                       [&](const PartInput& input) { return input.order == static_cast<int>(k); });
  }

  void make_room_for_weights(const UnitTask& task, PartScratch<T>& memory, Weights& weights) const {
    for (std::size_t t = 0; t < weights.size(); ++t)
      if (const PartTerm& term = layer_.terms[t]; term.attention && has(task, term.input))
        weights[t] = attention_of(term).room_for(rows(tasks_.units()[task.unit], order_of(term)), memory);
  }

  AttentionRowsOfUnit<T> attention_of(const PartTerm& term) const {
    return {*term.attention, layer_.heads, features_};
  }

  // Everything but the sum of the terms and σ.
  void run(const UnitTask& task, Run kind, const Weights& weights, Made& made, PartScratch<T>& memory) const {
    const Unit& unit = tasks_.units()[task.unit];
    for (std::size_t i = task.first_input; i < task.last_input; ++i) {
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
      made.inputs[i] = x, made.products[i] = readable(products);
    }
    for (std::size_t t = 0; t < layer_.terms.size(); ++t)
      if (has(task, layer_.terms[t].input)) made.terms[t] = run_term(t, unit, kind, weights, made, memory);
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

  void finish(std::size_t k, const Unit& unit, const Made& made, T* y) const {
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
    constexpr std::int64_t at_a_time = 1024, whole = 64;
    alignas(64) T numbers[at_a_time];
    T* const first = y + range.begin * W;
    for (std::int64_t n = 0; n < range.size() * W; n += at_a_time) {
      const std::int64_t count = std::min(at_a_time, range.size() * W - n),
                         padded = (count + whole - 1) / whole * whole;
      std::copy_n(first + n, count, numbers);
      std::fill_n(numbers + count, padded - count, T(0));
      activate(activation_, numbers, padded);
      std::copy_n(numbers, count, first + n);
    }
  }

  void run_back(const UnitTask& task, const Made& made, const std::vector<at::Tensor>& y,
                const std::vector<at::Tensor>& gradients, std::vector<RowsOf<const T>>& sent,
                const ParameterGradients<T>& parameters, PartScratch<T>& memory) const {
    const Unit& unit = tasks_.units()[task.unit];
    const std::vector<RowsOf<T>> g = slopes(task, y, gradients, parameters, memory);
    std::vector<RowsOf<T>> of_products(layer_.inputs.size());
    for (std::size_t i = task.first_input; i < task.last_input; ++i)
      of_products[i] = memory.rows(rows(unit, layer_.inputs[i].order), weights_[i]->stride());
    for (std::size_t t = 0; t < layer_.terms.size(); ++t)
      if (has(task, layer_.terms[t].input)) run_term_back(t, unit, made, g, of_products, memory);
    for (std::size_t i = task.first_input; i < task.last_input; ++i)
      sent[i] =
          run_input_back(i, unit, made, readable(of_products[i]), parameters.matrix(task.unit, i), memory);
  }

  // The gradients before σ of the orders that the task reads, and the sums of some of them, those of biases.
  std::vector<RowsOf<T>> slopes(const UnitTask& task, const std::vector<at::Tensor>& y,
                                const std::vector<at::Tensor>& gradients,
                                const ParameterGradients<T>& parameters, PartScratch<T>& memory) const {
    const std::int64_t W = layer_.width;
    std::vector<RowsOf<T>> g(y.size());
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (!y[k].defined()) continue;
      const bool owns_sums = layer_.biases[k].defined() && has(task, first_input_of(k));
      if (!owns_sums && !reads(task, k)) continue;
      const RowRange& range = tasks_.units()[task.unit].rows[k];
      g[k] = memory.rows(range, W);
      T* const first = row_at(g[k], range.begin);
      if (range.size() > 0 && gradients[k].defined())
        multiply_slopes(activation_, gradients[k].const_data_ptr<T>() + range.begin * W,
                        y[k].const_data_ptr<T>() + range.begin * W, first, range.size() * W);
      else
        std::fill_n(first, range.size() * W, T(0));
      if (!owns_sums) continue;
      T* const sums = parameters.bias(task.unit, k);
      std::fill_n(sums, W, T(0));
      for (std::int64_t i = 0; i < range.size(); ++i)
        for (std::int64_t c = 0; c < W; ++c) sums[c] += first[i * W + c];
    }
    return g;
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

  // From the gradient of an input's products to that of its matrix; returns what it sends to the signal.
  RowsOf<const T> run_input_back(std::size_t i, const Unit& unit, const Made& made,
                                 RowsOf<const T> of_products, T* of_matrix, PartScratch<T>& memory) const {
    const PartInput& input = layer_.inputs[i];
    const PackedWeights<T>& W = *weights_[i];
    const RowRange &range = rows(unit, input.order), &source = rows(unit, input.source);
    const RowsOf<const T>& x = made.inputs[i];
    const T* const g = row_at(of_products, range.begin);
    multiply_({row_at(x, range.begin), 1, x.stride, g, W.stride(), of_matrix, W.stride(), inner(),
               range.size(), W.columns(), false});
    const RowsOf<T> of_x = memory.rows(range, inner());
    multiply_({g, W.stride(), 1, W.transposed(), inner(), row_at(of_x, range.begin), inner(), range.size(),
               W.columns(), inner(), false});
    if (input.source == input.order) return readable(of_x);
    const RowsOf<T> sent = memory.rows(source, inner());
    couple<T>(input.coupling, input.source < input.order, readable(of_x), sent.data, inner(), source);
    return readable(sent);
  }

  // What the inputs send to each signal, in their order.
  void add_inputs(const Unit& unit, const std::vector<RowsOf<const T>>& sent,
                  const std::vector<at::Tensor>& of_signals) const {
    for (std::size_t k = 0; k < of_signals.size(); ++k) {
      if (!of_signals[k].defined()) continue;
      const std::int64_t numbers = unit.rows[k].size() * of_signals[k].size(1);
      T* const to = of_signals[k].mutable_data_ptr<T>() + unit.rows[k].begin * of_signals[k].size(1);
      bool is_first = true;
      for (std::size_t i = 0; i < sent.size(); ++i) {
        if (layer_.inputs[i].source != static_cast<int>(k)) continue;
        const T* const from = row_at(sent[i], unit.rows[k].begin);
        if (is_first)
          std::copy_n(from, numbers, to);
        else
          for (std::int64_t n = 0; n < numbers; ++n) to[n] += from[n];
        is_first = false;
      }
      if (is_first) std::fill_n(to, numbers, T(0));
    }
  }

  const PartLayer& layer_;
  const Kept* kept_;
  UnitTasks tasks_;
  Matrices weights_;
  const Weights none_{};
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
