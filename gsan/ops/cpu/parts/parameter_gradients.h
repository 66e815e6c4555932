#pragma once
// The gradients of a layer's parameters: each unit writes its own, which are summed in the order of the
// units.

#include <algorithm>
#include <memory>
#include <vector>

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include "gsan/ops/cpu/parts/packed_weights.h"
#include "gsan/ops/cpu/share_range.h"

namespace gsan::ops {

template <class T>
class ParameterGradients {
 public:
  using Matrices = std::vector<std::shared_ptr<const PackedWeights<T>>>;  // per input

  ParameterGradients(const PartLayer& layer, const Matrices& matrices, std::size_t units)
      : layer_(layer), matrices_(matrices), units_(static_cast<std::int64_t>(units)) {
    for (const auto& W : matrices) matrix_places_.push_back(numbers_), numbers_ += W->rows() * W->stride();
    for (const at::Tensor& bias : layer.biases) {
      bias_places_.push_back(numbers_);
      if (bias.defined()) numbers_ += layer.width;
    }
    of_units_ = at::empty({units_ * numbers_}, layer.type);
  }

  /// [F_in, stride], the packed matrix of an input.
  T* matrix(std::size_t unit, std::size_t input) const { return at(unit) + matrix_places_[input]; }
  /// [W], where the order has a bias.
  T* bias(std::size_t unit, std::size_t order) const { return at(unit) + bias_places_[order]; }

  /// Weights, attention and biases.
  void write(PartGradients& result) const {
    const at::Tensor sum = at::zeros({numbers_}, layer_.type);
    const T* const numbers = sum.const_data_ptr<T>();
    add_units(sum.mutable_data_ptr<T>());
    for (std::size_t t = 0; t < layer_.terms.size(); ++t) {
      const PartTerm& term = layer_.terms[t];
      const at::Tensor of_weight = at::empty(term.weight.sizes(), layer_.type);
      const at::Tensor of_a =
          term.attention ? at::zeros(term.attention->a.sizes(), layer_.type) : at::Tensor();
      matrices_[term.input]->unpack(term, t, numbers + matrix_places_[term.input],
                                    of_weight.template mutable_data_ptr<T>(),
                                    of_a.defined() ? of_a.template mutable_data_ptr<T>() : nullptr);
      result.weights.push_back(of_weight), result.a.push_back(of_a);
    }
    for (std::size_t k = 0; k < layer_.biases.size(); ++k) {
      at::Tensor& of_bias = result.biases.emplace_back();
      if (!layer_.biases[k].defined()) continue;
      of_bias = at::empty(layer_.biases[k].sizes(), layer_.type);
      std::copy_n(numbers + bias_places_[k], layer_.width, of_bias.mutable_data_ptr<T>());
    }
  }

 private:
  T* at(std::size_t unit) const {
    return of_units_.mutable_data_ptr<T>() + static_cast<std::int64_t>(unit) * numbers_;
  }

  void add_units(T* sum) const {
    const T* const of_units = of_units_.const_data_ptr<T>();
    share_range(0, numbers_, 4096, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t u = 0; u < units_; ++u) {
        const T* const of_unit = of_units + u * numbers_;
        for (std::int64_t n = begin; n < end; ++n) sum[n] += of_unit[n];
      }
    });
  }

  const PartLayer& layer_;
  const Matrices& matrices_;
  std::int64_t units_, numbers_ = 0;
  std::vector<std::int64_t> matrix_places_, bias_places_;
  at::Tensor of_units_;
};

}  // namespace gsan::ops
