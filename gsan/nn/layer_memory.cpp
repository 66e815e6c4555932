#include "gsan/nn/detail/layer_memory.h"

#include <algorithm>
#include <set>

#include "gsan/hodge/neighborhood/neighborhood.h"
#include "gsan/nn/attention/attention.h"

namespace gsan {
namespace {

// What a process holds of what its tensors take: blocks of other sizes leave gaps. Measured on meshes and
// hubs.
constexpr double held = 1.23;

constexpr int no_order = -1;

// One step of a pass, in bytes.
struct Step {
  int order;            // whose terms it belongs to, or no_order
  double kept = 0;      // from here until the backward pass has come by
  double forward = 0;   // besides, while the step is made
  double backward = 0;  // besides, while it is made backwards
};

// Walks along the terms as the pass does (nn/layer_pass.cpp). Legend: R rows of an order over all signals, w
// features of all heads, b bytes of a number.
class Walk {
 public:
  Walk(const SimplicialLayerOptions& options, const ComplexSize& size, int bytes_per_number)
      : options_(options),
        size_(size),
        b_(bytes_per_number),
        F_in_(options.in_channels),
        H_(options.heads),
        w_(static_cast<double>(options.heads) * options.out_channels),
        mechanism_(mechanism_of(options.mechanism)) {
    const std::vector<LayerTerm> terms = layer_terms(options);
    if (options.uses(ShiftKind::weighted)) add_metric();
    for (const int k : options.active_orders()) {
      steps_.push_back({k, rows(k) * F_in_ * b_});  // the input
      for (const LayerTerm& term : terms) {
        if (term.k != k) continue;
        if (term.use == Use::neighbor && term.shift != ShiftKind::weighted)
          steps_.push_back({k, rows(k) * F_in_ * b_, 0, rows(k) * F_in_ * b_});
        if (term.shift == ShiftKind::attention && term.needs_shift())
          add_attention(term);
        else
          add_linear(term);
      }
      add_harmonic(k);
      if (options.identity) freed_ += rows(k) * w_ * b_;
      const double result = rows(k) * options.output_channels() * b_;
      const bool keeps_sum = options.activation == Activation::gelu;
      steps_.push_back({k, result * (keeps_sum ? 2 : 1), 0, result});
    }
  }

  LayerMemory memory() const {
    LayerMemory memory;
    for (const auto& [k, side] : lists_)
      memory.structure += (is_lean() ? 4 : 13) * static_cast<double>(size_.pairs(k, side)) +
                          8 * static_cast<double>(size_.simplices[k] + 1);
    double most = 0;
    for (const Step& step : steps_) {
      memory.activations += step.kept;
      most = std::max(most, memory.activations + step.forward);
    }
    // Backwards every order brings the gradient of its result, and leaves that of its input.
    double rest = memory.activations, results = 0, inputs = 0;
    for (const int k : options_.active_orders()) results += rows(k) * options_.output_channels() * b_;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const Step& step = steps_[i];
      most = std::max(most, rest + results + inputs + step.backward);
      rest -= step.kept;
      if (step.order != no_order && i > 0 && steps_[i - 1].order != step.order) {
        results -= rows(step.order) * options_.output_channels() * b_;
        inputs += rows(step.order) * F_in_ * b_;
      }
    }
    memory.workspace = held * (most + freed_) - memory.activations;
    return memory;
  }

 private:
  double signals() const { return static_cast<double>(size_.signals); }
  double rows(int k) const { return signals() * static_cast<double>(size_.simplices[k]); }

  // Nothing belongs to a pair but its source.
  bool is_lean() const {
    return mechanism_.filter != nullptr && !options_.is_equivariant && options_.attention_dropout == 0;
  }

  void add_attention(const LayerTerm& term) {
    const int k = term.k;
    const double R = rows(k), applications = term.first + term.taps - 1;
    const double pairs = signals() * static_cast<double>(size_.pairs(k, term.side));
    const double products = R * term.taps * w_ * b_, result = R * w_ * b_;
    const double scores = R * H_ * mechanism_.cost(AttentionOptions::of(options_, term.taps)).columns * b_;
    const bool stars =
        mechanism_.filter != nullptr &&
        attends_over_stars(k, term.side, options_.gate, size_.star_statistic(k), options_.out_channels);
    if (!stars) lists_.emplace(k, meets_in_faces(k, term.side) ? Side::lower : Side::upper);
    Step step{k, products + scores, 0, products + scores + R * F_in_ * b_};
    if (mechanism_.filter == nullptr) {  // scores, α and their gradients, pair by pair
      step.kept += 3 * pairs * H_ * b_ + applications * result;
      step.forward = pairs * H_ * b_;
      step.backward += 3 * pairs * H_ * b_ + 2 * result;
    } else if (stars) {  // ops/cpu/attention/star_attention.cpp: entries sorted by both sides, and their rows
      const double incidences = signals() * static_cast<double>(size_.incidences(k));
      const double entry = b_ == 4 ? 24 : 40;
      const double slice = std::min(options_.out_channels, 32) * b_;
      step.kept +=
          (2 * applications + 1 - term.first) * result + 2 * incidences * H_ * entry + 6 * R * H_ * b_;
      step.forward = result + incidences * (3 * b_ + 2 * slice);
      step.backward += result + incidences * (2 * b_ + slice) + 2 * R * H_ * b_;
      if (options_.attention_dropout > 0) step.kept += (incidences + R) * H_ * b_;
    } else {  // ops/attention_powers.h: state, results and the smaller branch
      step.kept += 4 * R * H_ * b_ + 2 * applications * result;
      step.backward += 6 * R * H_ * b_;
      if (options_.attention_dropout > 0) step.kept += pairs * H_ * b_;
    }
    if (options_.is_equivariant) {  // |h| and its gradient
      step.forward += products;
      step.backward += 2 * products;
    }
    steps_.push_back(step);
  }

  // A term without attention. Laplacians are linear: nothing is kept for them, but the blocks of products and
  // result wait for the next tensor of their size (ops/block_pool.h).
  void add_linear(const LayerTerm& term) {
    const double products = rows(term.k) * term.taps * w_ * b_, result = rows(term.k) * w_ * b_;
    const int applications = term.first + term.taps - 1;
    if (term.shift != ShiftKind::weighted) {
      freed_ += products + (applications > 0 ? result : 0);
      steps_.push_back({term.k, 0, 0, products + 2 * result + rows(term.k) * F_in_ * b_});
      return;
    }
    const double wide = b_ == 4 && term.first + term.taps > 3 ? 2 : 1;  // powers in float64
    const double kept = wide * (products + applications * 4 * result);
    steps_.push_back({term.k, kept, wide * products, wide * (products + 2 * result)});
    freed_ += result;
  }

  void add_harmonic(int k) {
    if (options_.harmonic == HarmonicKind::none) return;
    const double result = rows(k) * w_ * b_, input = rows(k) * F_in_ * b_;
    const bool is_weighted = options_.uses(ShiftKind::weighted);
    Step step{k, 0, 2 * result, 2 * result};
    if (options_.harmonic == HarmonicKind::projector)
      step.kept = is_weighted ? options_.harmonic_steps * 4 * result : F_in_ < w_ ? input : 0;
    steps_.push_back(step);
    freed_ += result;
  }

  void add_metric() {  // the MLPs and the scalings that they make
    const double hidden = options_.metric_channels > 0 ? options_.metric_channels : options_.out_channels;
    for (int k = 0; k <= options_.order; ++k) {
      const double kept = rows(k) * H_ * (2 * hidden + 6) * b_;
      steps_.push_back({no_order, kept, 0, kept});
    }
  }

  const SimplicialLayerOptions& options_;
  const ComplexSize& size_;
  const double b_, F_in_, H_, w_;
  const AttentionMechanism& mechanism_;
  std::vector<Step> steps_;
  double freed_ = 0;                      // bytes that no tensor has any more, but the process does
  std::set<std::pair<int, Side>> lists_;  // a union is the list of a side
};

}  // namespace

LayerMemory layer_memory(const SimplicialLayerOptions& options, const ComplexSize& size,
                         int bytes_per_number) {
  return Walk(options, size, bytes_per_number).memory();
}

}  // namespace gsan
