#include "gsan/ops/cpu/parts/packed_weights.h"

namespace gsan::ops {
namespace {

// Calls f(row, tap, head, feature, place in weight, place in a row of h) for all numbers of a weight.
template <class F>
void for_numbers(const at::Tensor& weight, const F& f) {
  const std::int64_t K = weight.size(0), P = weight.size(1), H = weight.size(2), Fs = weight.size(3);
  std::int64_t place = 0;
  for (std::int64_t k = 0; k < K; ++k)
    for (std::int64_t p = 0; p < P; ++p)
      for (std::int64_t h = 0; h < H; ++h)
        for (std::int64_t d = 0; d < Fs; ++d, ++place) f(k, h, p * Fs + d, place, (p * H + h) * Fs + d);
}

}  // namespace

template <class T>
PackedWeights<T>::PackedWeights(const PartLayer& layer, std::size_t input) : places_(layer.terms.size()) {
  const auto of_input = [&](const auto& f) {
    for (std::size_t t = 0; t < layer.terms.size(); ++t)
      if (layer.terms[t].input == input) f(layer.terms[t], places_[t]);
  };
  const auto add_taps = [&](bool attended) {
    of_input([&](const PartTerm& term, TermColumns& place) {
      if (term.attention.has_value() != attended) return;
      rows_ = term.weight.size(0);
      place = {columns_, -1};
      columns_ += term.weight.numel() / rows_;
    });
  };
  add_taps(true);
  of_input([&](const PartTerm& term, TermColumns& place) {
    if (term.attention) place.scores = columns_, columns_ += 2 * layer.heads;
  });
  const auto whole_lines = [](std::int64_t columns) {
    constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(T));
    return (columns + line - 1) / line * line;
  };
  attended_ = whole_lines(columns_);
  add_taps(false);
  stride_ = whole_lines(columns_);
  matrix_.resize(static_cast<std::size_t>(rows_ * stride_));
  of_input([&](const PartTerm& term, const TermColumns& place) {
    const std::int64_t H = layer.heads, D = term.weight.numel() / rows_ / H;
    const T* const W = term.weight.template const_data_ptr<T>();
    const T* const a = term.attention ? term.attention->a.template const_data_ptr<T>() : nullptr;
    for_numbers(term.weight,
                [&](std::int64_t k, std::int64_t h, std::int64_t d, std::int64_t at, std::int64_t c) {
                  T* const row = matrix_.data() + k * stride_;
                  row[place.taps + c] = W[at];
                  if (!a) return;
                  row[place.scores + h] += W[at] * a[h * 2 * D + d];
                  row[place.scores + H + h] += W[at] * a[h * 2 * D + D + d];
                });
  });
  transposed_.resize(static_cast<std::size_t>(columns_ * rows_));
  for (std::int64_t c = 0; c < columns_; ++c)
    for (std::int64_t k = 0; k < rows_; ++k)
      transposed_[static_cast<std::size_t>(c * rows_ + k)] =
          matrix_[static_cast<std::size_t>(k * stride_ + c)];
}

template <class T>
void PackedWeights<T>::unpack(const PartTerm& term, std::size_t number, const T* of_matrix, T* of_weight,
                              T* of_a) const {
  const TermColumns& place = places_[number];
  const std::int64_t H = term.weight.size(2), D = term.weight.numel() / rows_ / H;
  const T* const W = term.weight.template const_data_ptr<T>();
  const T* const a = term.attention ? term.attention->a.template const_data_ptr<T>() : nullptr;
  for_numbers(term.weight,
              [&](std::int64_t k, std::int64_t h, std::int64_t d, std::int64_t at, std::int64_t c) {
                const T* const row = of_matrix + k * stride_;
                of_weight[at] = row[place.taps + c];
                if (!a) return;
                for (const std::int64_t half : {0, 1}) {
                  const T of_score = row[place.scores + half * H + h];
                  const std::int64_t of = h * 2 * D + half * D + d;
                  of_weight[at] += of_score * a[of];
                  of_a[of] += of_score * W[at];
                }
              });
}

template class PackedWeights<float>;
template class PackedWeights<double>;

}  // namespace gsan::ops
