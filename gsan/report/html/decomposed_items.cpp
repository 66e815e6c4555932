#include "gsan/report/html/decomposed_items.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/hodge/decomposition.h"
#include "gsan/plot/complex_picture.h"
#include "gsan/plot/layout.h"
#include "gsan/tasks/task_kinds.h"

namespace gsan::report::html {
namespace {

// What a page of 300 KB has room for: a triangle takes some 35 bytes of every picture, an edge without one
// 24, an arrow 250.
constexpr Index few_drawn = 1000, most_drawn = 4 * few_drawn;  // edges and triangles
constexpr std::size_t looked_at = 50;

Index drawn_size(const SimplicialComplex& complex) { return complex.count(1) + complex.count(2); }

std::size_t item_count(const SimplicialComplex& complex) {
  return drawn_size(complex) <= 2 * few_drawn ? 2 : 1;
}

VertexPlaces places_of(const Task& task, const SimplicialComplex& complex) {
  const Tensor points = task.points();
  if (!points.defined()) return {vertex_layout(complex), {}};
  const Tensor flat = points.to(torch::kCPU, torch::kFloat64).contiguous();
  return project_points({flat.const_data_ptr<double>(), static_cast<std::size_t>(flat.numel())},
                        static_cast<int>(flat.size(1)));
}

// The first feature on the edges [N_1, 1], as the complex orients them: from the smaller to the larger
// vertex.
Tensor flow_of(const Batch& item) {
  const Tensor x = item.signals[1].slice(-1, 0, 1).to(torch::kCPU, torch::kFloat64);
  if (!item.operators.is_oriented()) return x;
  return x * item.operators.signs(1).to(torch::kCPU, torch::kFloat64).unsqueeze(-1);
}

std::vector<double> list_of(const Tensor& x) {
  const Tensor values = x.contiguous();
  const double* first = values.const_data_ptr<double>();
  return {first, first + values.numel()};
}

double largest_of(const Tensor& x) { return x.numel() == 0 ? 0 : x.abs().max().item<double>(); }

double total(const Tensor& energies) { return energies.sum().item<double>(); }

class Painter {
 public:
  Painter(const Task& task, const SimplicialComplex& complex)
      : complex_(complex), solver_(ComplexOperators(complex)), places_(places_of(task, complex)) {}

  DecomposedItem paint(const Tensor& x, bool all_parts) const {
    const HodgeDecomposition parts = solver_.hodge(1, x);
    DecomposedItem item;
    item.gradient = total(parts.gradient_energy);
    item.curl = total(parts.curl_energy);
    item.harmonic = total(parts.harmonic_energy);
    item.energy = item.gradient + item.curl + item.harmonic;
    // In the colours of one scale: what is only an error of the solver stays invisible beside the signal.
    const double largest = largest_of(x);
    item.pictures = {picture("signal", x, largest), picture("harmonic part", parts.harmonic, largest)};
    if (all_parts) {
      item.pictures.push_back(picture("gradient part", parts.gradient, largest));
      item.pictures.push_back(picture("curl part", parts.curl, largest));
    }
    return item;
  }

 private:
  std::string picture(const char* title, const Tensor& x, double full_strength) const {
    ComplexPictureOptions options;
    options.title = title;
    options.width = 340;
    options.signals = {{}, list_of(x), {}};
    options.full_strength = full_strength;
    options.has_color_bar = false;
    options.is_sketch = true;
    options.max_elements = most_arrows;
    return complex_picture(complex_, places_, options).svg;
  }

  SimplicialComplex complex_;
  HodgeSolver solver_;
  VertexPlaces places_;
};

const Items* items_of_phase(const std::vector<std::pair<std::string, Items>>& parts, Phase phase) {
  for (const auto& [name, items] : parts)
    if (name == name_of(phase)) return &items;
  return nullptr;
}

}  // namespace

std::vector<DecomposedItem> decomposed_items(const Task& task, Phase phase) {
  const std::vector<std::string> classes = task.class_names();
  const auto parts = task.parts();
  const Items* items = items_of_phase(parts, phase);
  if (!find_task(task.name()).is_oriented || items == nullptr) return {};
  std::vector<DecomposedItem> shown;
  for (std::size_t i = 0; i < std::min(items->size(), looked_at); ++i) {
    const Batch item = task.example(phase, static_cast<std::int64_t>(i));
    if (item.signals.size() < 2 || !item.signals[1].defined()) return {};
    const SimplicialComplex& complex = item.operators.complex();
    if (drawn_size(complex) > most_drawn) {
      GSAN_CHECK(!shown.empty(), "the complex has ", drawn_size(complex), " edges and triangles, more than ",
                 most_drawn, "; `gsan plot complex` draws it");
      break;
    }
    if (shown.size() == item_count(complex)) break;
    std::string truth;
    if (!classes.empty() && item.targets.defined())
      if (const auto label = item.targets.flatten()[0].item<std::int64_t>(); label >= 0)
        truth = classes[static_cast<std::size_t>(label)];
    const auto is_same = [&](const DecomposedItem& other) { return other.truth == truth; };
    if (std::any_of(shown.begin(), shown.end(), is_same)) continue;
    const Painter painter(task, complex);
    shown.push_back(
        painter.paint(flow_of(item), /*all_parts=*/shown.empty() && drawn_size(complex) <= few_drawn));
    shown.back().name = concat("item ", (*items)[i]);
    shown.back().truth = truth;
  }
  return shown;
}

}  // namespace gsan::report::html
