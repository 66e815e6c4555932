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
        multiply_(current_build<T>(GSAN_BUILDS_OF(matrix))),
        terms_(layer.inputs.size()) {
    for (std::size_t t = 0; t < layer.terms.size(); ++t) terms_[layer.terms[t].input].push_back(t);
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
      keeps->memory = PooledScratch<T>(tasks_);
      keeps->weights.assign(tasks_.units().size(), Weights(layer_.terms.size()));
      keeps->matrices = weights_;
      *kept = keeps;
    }
    std::vector<at::Tensor> y(layer_.has_output.size());
    for (std::size_t k = 0; k < y.size(); ++k)
      if (layer_.has_output[k]) y[k] = at::empty({layer_.parts[k].back(), layer_.width}, layer_.type);
    PooledScratch<T> results(tasks_);
    std::vector<Terms> terms(tasks_.units().size(), Terms(layer_.terms.size()));
    tasks_.share(
        [&](std::size_t t) {
          const UnitTask& task = tasks_.tasks()[t];
          const Unit& unit = tasks_.units()[task.unit];
          if (keeps) make_room_for_weights(task, keeps->memory[t], keeps->weights[task.unit]);
          PartScratch<T>& memory = PartScratch<T>::of_thread();
          const Input made = run_input(task.input, unit, weights_[task.input]->stride(), memory);
          for (std::size_t of : terms_[task.input]) {
            const RowsOf<T> to = results[t].rows(rows(unit, order_of(layer_.terms[of])), layer_.width);
            run_term(of, unit, made, keeps ? &keeps->weights[task.unit][of] : nullptr, to, memory);
            terms[task.unit][of] = readable(to);
          }
        },
        [&](std::size_t u) {
          for (std::size_t k = 0; k < y.size(); ++k)
            if (y[k].defined()) finish(k, tasks_.units()[u], terms[u], y[k].mutable_data_ptr<T>());
        });
    return y;
  }

  PartGradients backward(const std::vector<at::Tensor>& y, const std::vector<at::Tensor>& gradients,
                         const std::vector<bool>& wanted) const {
    PartGradients result;
    for (std::size_t k = 0; k < layer_.signals.size(); ++k) {
      const at::Tensor& z = layer_.signals[k];
      result.signals.push_back(z.defined() && wanted[k] ? at::empty(z.sizes(), z.options()) : at::Tensor());
    }
    const ParameterGradients<T> parameters(layer_, weights_, tasks_.units().size());
    const std::vector<at::Tensor> slopes = find_slopes(y, gradients, parameters);
    PooledScratch<T> results(tasks_);
    std::vector<std::vector<RowsOf<const T>>> sent(tasks_.units().size(),
                                                   std::vector<RowsOf<const T>>(layer_.inputs.size()));
    tasks_.share(
        [&](std::size_t t) {
          const auto [u, input, work] = tasks_.tasks()[t];
          const bool sends = wanted[static_cast<std::size_t>(layer_.inputs[input].source)];
          sent[u][input] = run_back(input, u, sends, slopes, parameters, results[t]);
        },
        [&](std::size_t u) { add_inputs(tasks_.units()[u], sent[u], result.signals); });
    parameters.write(result);
    return result;
  }

 private:
  using Attention = AttentionRowsOfUnit<T>;
  using Weights = std::vector<typename Attention::PairWeights>;  // per term
  using Terms = std::vector<RowsOf<const T>>;                    // what each adds
  using Matrices = typename ParameterGradients<T>::Matrices;

  // An input of one unit and its products with the weights of all its terms.
  struct Input {
    RowsOf<const T> x, products;
  };

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

  void make_room_for_weights(const UnitTask& task, PartScratch<T>& memory, Weights& weights) const {
    for (std::size_t t : terms_[task.input])
      if (const PartTerm& term = layer_.terms[t]; term.attention)
        weights[t] = attention_of(term).room_for(rows(tasks_.units()[task.unit], order_of(term)), memory);
  }

  AttentionRowsOfUnit<T> attention_of(const PartTerm& term) const {
    return {*term.attention, layer_.heads, features_};
  }

  // The first `columns` of the products.
  Input run_input(std::size_t i, const Unit& unit, std::int64_t columns, PartScratch<T>& memory) const {
    const PartInput& input = layer_.inputs[i];
    const PackedWeights<T>& W = *weights_[i];
    const RowRange& range = rows(unit, input.order);
    RowsOf<const T> x{signal(input.source), inner()};
    if (input.source != input.order) {
      const RowsOf<T> sent = memory.rows(range, inner());
      couple<T>(input.coupling, input.source > input.order, x, sent.data, inner(), range);
      x = readable(sent);
    }
    if (columns == 0) return {x, {}};
    const RowsOf<T> products = memory.rows(range, columns);
    multiply_({row_at(x, range.begin), x.stride, 1, W.matrix(), W.stride(), row_at(products, range.begin),
               products.stride, range.size(), inner(), columns, false});
    return {x, readable(products)};
  }

  // Writes what a term adds; with `weights` they are made there.
  void run_term(std::size_t t, const Unit& unit, const Input& input,
                const typename Attention::PairWeights* weights, RowsOf<T> to, PartScratch<T>& memory) const {
    const PartTerm& term = layer_.terms[t];
    const RowsOf<const T> taps = from_column(input.products, weights_[term.input]->of(t).taps);
    const int k = order_of(term);
    if (term.laplacian)
      LaplacianRowsOfUnit<T>(*term.laplacian, k, layer_.width)
          .forward(taps, term.weight.size(1), term.first, unit, to, memory);
    else if (term.attention)
      attend(t, unit, input, weights, false, to, memory);
    else
      copy_rows(taps, to, layer_.width, rows(unit, k));
  }

  // Forward; `again`: for the backward pass, with what that reads.
  typename Attention::Made attend(std::size_t t, const Unit& unit, const Input& input,
                                  const typename Attention::PairWeights* weights, bool again, RowsOf<T> to,
                                  PartScratch<T>& memory) const {
    const PartTerm& term = layer_.terms[t];
    const TermColumns& place = weights_[term.input]->of(t);
    const int k = order_of(term);
    const auto& parts = layer_.parts[static_cast<std::size_t>(k)];
    return attention_of(term).forward(
        from_column(input.products, place.taps), from_column(input.products, place.scores),
        term.weight.size(1), term.first, rows(unit, k), parts.data() + unit.first_part,
        unit.last_part - unit.first_part, again, weights, again && weights, to, memory);
  }

  void finish(std::size_t k, const Unit& unit, const Terms& terms, T* y) const {
    const RowRange& range = unit.rows[k];
    const std::int64_t W = layer_.width;
    const T* const bias = numbers_of<T>(layer_.biases[k]);
    std::vector<RowsOf<const T>> added;
    for (std::size_t t = 0; t < layer_.terms.size(); ++t)
      if (order_of(layer_.terms[t]) == static_cast<int>(k)) added.push_back(terms[t]);
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

  // The gradients before σ [N_k, W] of the orders with an output, and their sums, the gradients of biases.
  std::vector<at::Tensor> find_slopes(const std::vector<at::Tensor>& y,
                                      const std::vector<at::Tensor>& gradients,
                                      const ParameterGradients<T>& parameters) const {
    std::vector<at::Tensor> slopes(y.size());
    for (std::size_t k = 0; k < y.size(); ++k)
      if (y[k].defined()) slopes[k] = at::empty(y[k].sizes(), layer_.type);
    tasks_.for_units([&](std::size_t u) {
      for (std::size_t k = 0; k < y.size(); ++k)
        if (y[k].defined()) find_slopes_of(k, u, y[k], gradients[k], slopes[k], parameters);
    });
    return slopes;
  }

  void find_slopes_of(std::size_t k, std::size_t u, const at::Tensor& y, const at::Tensor& gradient,
                      const at::Tensor& slopes, const ParameterGradients<T>& parameters) const {
    const std::int64_t W = layer_.width;
    const RowRange& range = tasks_.units()[u].rows[k];
    const std::int64_t at = range.begin * W, numbers = range.size() * W;
    T* const first = slopes.mutable_data_ptr<T>() + at;
    if (numbers > 0 && gradient.defined())
      multiply_slopes(activation_, gradient.const_data_ptr<T>() + at, y.const_data_ptr<T>() + at, first,
                      numbers);
    else
      std::fill_n(first, numbers, T(0));
    if (!layer_.biases[k].defined()) return;
    T* const sums = parameters.bias(u, k);
    std::fill_n(sums, W, T(0));
    for (std::int64_t i = 0; i < range.size(); ++i)
      for (std::int64_t c = 0; c < W; ++c) sums[c] += first[i * W + c];
  }

  // The forward pass of an input's terms again and their gradients; returns what it `sends` to the signal.
  RowsOf<const T> run_back(std::size_t i, std::size_t u, bool sends, const std::vector<at::Tensor>& slopes,
                           const ParameterGradients<T>& parameters, PartScratch<T>& results) const {
    const Unit& unit = tasks_.units()[u];
    PartScratch<T>& memory = PartScratch<T>::of_thread();
    const PackedWeights<T>& W = *weights_[i];
    const Input input = run_input(i, unit, W.attended_columns(), memory);
    const RowRange& range = rows(unit, layer_.inputs[i].order);
    const RowsOf<T> of_products = memory.rows(range, W.stride());
    for (std::int64_t r = range.begin; r < range.end; ++r)
      std::fill(row_at(of_products, r) + W.columns(), row_at(of_products, r) + W.stride(), T(0));
    const RowsOf<const T> gradient{numbers_of<T>(slopes[static_cast<std::size_t>(layer_.inputs[i].order)]),
                                   layer_.width};
    for (std::size_t t : terms_[i]) run_term_back(t, u, input, gradient, of_products, memory);
    multiply_({row_at(input.x, range.begin), 1, input.x.stride, row_at(of_products, range.begin), W.stride(),
               parameters.matrix(u, i), W.stride(), inner(), range.size(), W.stride(), false});
    return sends ? send(i, unit, readable(of_products), results, memory) : RowsOf<const T>{};
  }

  void run_term_back(std::size_t t, std::size_t u, const Input& input, RowsOf<const T> gradient,
                     RowsOf<T> of_products, PartScratch<T>& memory) const {
    const PartTerm& term = layer_.terms[t];
    const Unit& unit = tasks_.units()[u];
    const TermColumns& place = weights_[term.input]->of(t);
    const int k = order_of(term);
    const RowsOf<T> of_taps = from_column(of_products, place.taps);
    if (term.laplacian) {  // linear: its gradient does not read it
      LaplacianRowsOfUnit<T>(*term.laplacian, k, layer_.width)
          .backward(gradient, term.weight.size(1), term.first, of_taps, unit, memory);
    } else if (term.attention) {
      const auto made = attend(t, unit, input, kept_ ? &kept_->weights[u][t] : nullptr, true,
                               memory.rows(rows(unit, k), layer_.width), memory);
      attention_of(term).backward(made, gradient, of_taps, from_column(of_products, place.scores),
                                  rows(unit, k), memory);
    } else {
      copy_rows(gradient, of_taps, layer_.width, rows(unit, k));
    }
  }

  // From the gradient of an input's products to that of the signal.
  RowsOf<const T> send(std::size_t i, const Unit& unit, RowsOf<const T> of_products, PartScratch<T>& results,
                       PartScratch<T>& memory) const {
    const PartInput& input = layer_.inputs[i];
    const PackedWeights<T>& W = *weights_[i];
    const RowRange &range = rows(unit, input.order), &source = rows(unit, input.source);
    const bool is_own = input.source == input.order;
    const RowsOf<T> of_x = (is_own ? results : memory).rows(range, inner());
    multiply_({row_at(of_products, range.begin), W.stride(), 1, W.transposed(), inner(),
               row_at(of_x, range.begin), inner(), range.size(), W.columns(), inner(), false});
    if (is_own) return readable(of_x);
    const RowsOf<T> sent = results.rows(source, inner());
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
  std::int64_t features_;
  Nonlinearity activation_;
  MatrixKernel<T> multiply_;
  std::vector<std::vector<std::size_t>> terms_;  // of each input
};

}  // namespace

bool has_part_layer(at::Device device) { return device.is_cpu(); }

std::vector<at::Tensor> part_layer(const PartLayer& layer, std::shared_ptr<const PartKept>* kept) {
  return layer.type.dtype() == at::kDouble ? PartRun<double>(layer).forward(kept)
                                           : PartRun<float>(layer).forward(kept);
}

PartGradients part_layer_backward(const PartLayer& layer, const std::vector<at::Tensor>& y,
                                  const PartKept* kept, const std::vector<at::Tensor>& gradients,
                                  const std::vector<bool>& wanted) {
  return layer.type.dtype() == at::kDouble ? PartRun<double>(layer, kept).backward(y, gradients, wanted)
                                           : PartRun<float>(layer, kept).backward(y, gradients, wanted);
}

}  // namespace gsan::ops
