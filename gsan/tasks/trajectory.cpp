#include "gsan/tasks/trajectory.h"

#include "gsan/hodge/harmonic_basis.h"
#include "gsan/tasks/class_baselines.h"
#include "gsan/tasks/model_inputs.h"

namespace gsan {
namespace {

constexpr std::int64_t most_coordinates = 50;  // squares and products: 1275 more

// [S, n] → [S, n + n(n+1)/2]
Tensor with_products(const Tensor& x) {
  std::vector<Tensor> columns{x};
  for (std::int64_t i = 0; i < x.size(1); ++i)
    columns.push_back(x.slice(1, i, x.size(1)) * x.slice(1, i, i + 1));
  return torch::cat(columns, 1);
}

}  // namespace

TrajectoryClassification::TrajectoryClassification(SignalDataset dataset, Split split,
                                                   const RandomStream& stream,
                                                   const TrajectoryOptions& options)
    : Classification(std::move(split), dataset.classes, stream,
                     {options.batch_size, options.protocol, options.placement}),
      dataset_(std::move(dataset)),
      options_(options),
      operators_(SimplicialComplex(), options.placement.device),
      signals_(dataset_.signals.to(options.placement.device, options.placement.type)),
      labels_(dataset_.labels.to(options.placement.device)) {
  const ReorderedComplex reordered(dataset_.complex, options_.placement.order,
                                   {.device = options_.placement.device});
  operators_ = reordered.operators();
  signals_ = reordered.arranged(dataset_.order, signals_);
  if (options_.orientation == OrientationChoice::standard) return;
  const Orientation coins =
      reordered.arranged(Orientation::random(dataset_.complex, stream.substream("orientation")));
  const auto signs = coins.signs(dataset_.order);
  operators_ = operators_.oriented(coins);
  signals_ = signals_ * torch::tensor(at::ArrayRef<std::int8_t>(signs.data(), signs.size()), torch::kInt8)
                            .to(signals_.device())
                            .unsqueeze(-1);
}

ModelOptions TrajectoryClassification::complete(ModelOptions options) const {
  std::vector<int> widths(static_cast<std::size_t>(dataset_.complex.order()) + 1);
  widths[dataset_.order] = static_cast<int>(dataset_.signals.size(-1));
  set_inputs(options, name(), widths);
  if (protocol() == Protocol::published) {
    require_read(options, name(), dataset_.order);
    options.readout = ReadoutKind::flattened;
    options.flattened.order = dataset_.order;
    options.flattened.simplices = dataset_.complex.count(dataset_.order);
    options.flattened.out_channels = dataset_.classes;
    return options;
  }
  options.readout = ReadoutKind::pooled;
  options.pooled.out_channels = dataset_.classes;
  options.pooled.orders = read_orders(options);
  options.pooled.absolute = true;
  return options;
}

Batch TrajectoryClassification::batch_of(std::span<const std::int64_t> items) const {
  const Tensor keys = item_tensor(items).to(placement().device);
  Batch batch{operators_, Cochains(static_cast<std::size_t>(dataset_.complex.order()) + 1)};
  batch.signals[dataset_.order] = signals_.index_select(0, keys);
  batch.targets = labels_.index_select(0, keys);
  batch.signal_keys = keys;
  return batch;
}

std::vector<std::string> TrajectoryClassification::remarks() const {
  if (protocol() == Protocol::strict) return {};
  std::vector<std::string> all{
      "Validation and test are the same signals: the best epoch is chosen on the test part.",
      "The readout is linear on the flattened signal, so it belongs to this one complex and its "
      "orientation."};
  if (dataset_.name == "ocean")
    all.emplace_back(
        "The ocean rows of SCNN, SAT and GSAN were made with the default orientation, although the text says "
        "random; the row of MPSN is with random.");
  return all;
}

// Re-orienting signals and operators together changes none of these: x has its signs, and the harmonic
// coordinates are those of the complex as it is.
std::vector<BaselineResult> TrajectoryClassification::baselines(Phase phase) const {
  ClassBaselines all(dataset_.labels, dataset_.classes, split().train, items_of(split(), phase));
  if (!all.is_possible()) return {};
  const Tensor x = dataset_.signals.to(torch::kFloat64);  // [S, N, F]
  all.add_majority();
  all.add_logistic("logistic regression on x", x.flatten(1), 1, false);
  all.add_logistic("logistic regression on |x|", x.flatten(1).abs(), 1, false);
  const Tensor basis = harmonic_basis(ComplexOperators(dataset_.complex), dataset_.order);  // [N, betti]
  const Tensor coordinates = torch::matmul(basis.t(), x).flatten(1);
  all.add_logistic("logistic regression on harmonic coordinates", coordinates, 100, false);
  if (coordinates.size(1) <= most_coordinates)
    all.add_logistic("logistic regression on harmonic coordinates, squares and products",
                     with_products(coordinates), 100, false);
  return all.results();
}

}  // namespace gsan
