#include "apps/gsan/reproduce_flaw_measures.h"

#include <algorithm>

#include "gsan/hodge/harmonic_basis.h"
#include "gsan/hodge/operators.h"
#include "gsan/tasks/auc.h"
#include "gsan/tasks/class_baselines.h"
#include "gsan/tasks/imputation.h"
#include "gsan/tasks/missing_rows.h"
#include "gsan/tasks/neighbor_rules.h"
#include "gsan/tasks/simplex_prediction.h"
#include "gsan/tasks/task_settings.h"
#include "gsan/tasks/trajectory.h"
#include "gsan/topology/orientation.h"

#include "apps/gsan/runner/metric_values.h"

namespace gsan::app {
namespace {

using Values = std::vector<double>;

// Lines of measurements under common columns.
class Measurements {
 public:
  Measurements(std::string over, std::vector<std::string> columns)
      : object_{{"over", std::move(over)}, {"columns", std::move(columns)}, {"rows", Json::array()}} {}

  void add(const std::string& says, const std::vector<Values>& cells) {
    Json list = Json::array();
    for (const Values& values : cells) {
      if (values.empty()) {
        list.push_back(nullptr);
        continue;
      }
      const Spread spread = spread_of(values);
      list.push_back({{"mean", spread.mean}, {"sd", spread.sd}, {"n", values.size()}});
    }
    object_["rows"].push_back({{"says", says}, {"cells", list}});
  }
  const Json& json() const { return object_; }

 private:
  Json object_;
};

RandomStream split_stream(int seed) { return {static_cast<std::uint64_t>(seed), "split"}; }

// --- imputation

double share_within(const Tensor& found, const Tensor& truth, const Tensor& rows) {
  ValueMeter meter;
  meter.add(found.index_select(0, rows), truth.index_select(0, rows));
  return meter.value().front().second;
}

struct Masked {
  Tensor known, missing, all;
};

Masked mask(std::int64_t count, double percent, int seed) {
  const std::vector<std::int64_t> rows = random_mask(count, percent, split_stream(seed));
  Tensor is_missing = torch::zeros({count}, torch::kBool);
  const Tensor missing = item_tensor(rows);
  is_missing.index_fill_(0, missing, true);
  return {is_missing.logical_not().nonzero().squeeze(1), missing, torch::arange(count)};
}

}  // namespace

Json imputation_flaws(int masks) {
  const int orders = 6;
  std::vector<std::string> columns;
  for (int k = 0; k < orders; ++k) columns.push_back(concat("order ", k));
  Measurements lines(concat(masks, " masks"), columns);
  const DataSettings citation{.name = "citation"};
  std::vector<Values> same;
  for (const double percent : {10.0, 50.0}) {
    std::vector<Values> copy_all, copy_missing, mode_all, mode_own, mode_permuted;
    same.clear();
    for (int k = 0; k < orders; ++k) {
      const ValueDataset own = open_values(citation, false, k).data,
                         permuted = open_values(citation, true, k).data;
      const Tensor truth = own.values[k], moved = permuted.values[k];
      for (std::vector<Values>* cells : {&copy_all, &copy_missing, &mode_all, &mode_own, &mode_permuted})
        cells->emplace_back();
      same.push_back({100 * truth.eq(moved).to(torch::kFloat64).mean().item<double>()});
      for (int seed = 0; seed < masks; ++seed) {
        const Masked rows = mask(truth.numel(), percent, seed);
        const Tensor copy = fill_rule(moved, rows.known, median_of(moved));
        copy_all.back().push_back(share_within(copy, moved, rows.all));
        copy_missing.back().push_back(share_within(copy, moved, rows.missing));
        const auto mode = [&](const ValueDataset& data) {
          const Tensor& values = data.values[k];
          return neighbor_mode_rule(data.complex, k, values, rows.known,
                                    median_of(values.index_select(0, rows.known)));
        };
        const Tensor by_mode = mode(own);
        Tensor repaired = truth.clone();
        repaired.index_copy_(0, rows.missing, by_mode.index_select(0, rows.missing));
        mode_all.back().push_back(share_within(repaired, truth, rows.all));
        mode_own.back().push_back(share_within(by_mode, truth, rows.missing));
        mode_permuted.back().push_back(share_within(mode(permuted), moved, rows.missing));
      }
    }
    const std::string missing = concat("missing ", percent, " %: ");
    lines.add(missing + "copy of the damaged input, counted over all values (the published metric)",
              copy_all);
    lines.add(missing + "the same, counted on the missing values alone", copy_missing);
    lines.add(missing + "neighbour mode, values by position, on the missing values", mode_permuted);
    lines.add(missing + "neighbour mode, values by their authors, on the missing values", mode_own);
    lines.add(missing + "the same answers and the known values, counted over all values", mode_all);
  }
  lines.add("simplices whose value by position happens to be their own", same);
  return lines.json();
}

// --- simplex prediction

namespace {

double auc(const Tensor& scores, const Tensor& labels) {
  return 100 * area_under_curve(scores.to(torch::kFloat64), labels.to(torch::kFloat64));
}

// The complex of the leak: exactly the positive test simplices, and a candidate counts itself.
double leaked_count(const CandidateDataset& data, const SimplexPrediction& fair) {
  CandidateParts parts{fair.split(), {}, std::vector<bool>(static_cast<std::size_t>(data.source_count))};
  const Tensor labels = fair.labels(Phase::test);
  const auto* label = labels.const_data_ptr<std::int64_t>();
  for (std::size_t i = 0; i < parts.split.test.size(); ++i)
    if (label[i] == 1) parts.message.push_back(parts.split.test[i]);
  std::sort(parts.message.begin(), parts.message.end());
  SimplexPredictionOptions options;
  options.order = data.order;
  options.protocol = Protocol::published;
  const SimplexPrediction leaking(data, parts, options);
  const int faces =
      data.order * (data.order + 1) / 2;  // edges: what a candidate in the complex counts of itself
  return auc(leaking.message_coface_count(Phase::test) + faces * labels.eq(1).to(torch::kFloat64), labels);
}

}  // namespace

Json simplex_prediction_flaws(int splits) {
  Measurements lines(concat(splits, " splits"), {"2-simplex", "3-simplex"});
  const DataSettings citation{.name = "citation"};
  constexpr int kinds = 11;
  std::vector<std::vector<Values>> cells(kinds, std::vector<Values>(2));
  for (const int k : {2, 3}) {
    const auto candidates = [&](bool by_position) {
      return candidates_of(open_values(citation, by_position, k).data, k, 7);
    };
    const CandidateDataset permuted = candidates(true), own = candidates(false);
    for (int seed = 0; seed < splits; ++seed) {
      const auto task = [&](const CandidateDataset& data, Protocol protocol, CandidateSplit split,
                            CandidateFeatures features, int tuple_order) {
        SimplexPredictionOptions options;
        options.order = k;
        options.tuple_order = tuple_order;
        options.protocol = protocol;
        options.split = split;
        options.features = features;
        return SimplexPrediction(data, split_stream(seed), options);
      };
      const auto add = [&](int kind, const Tensor& scores, const SimplexPrediction& of) {
        const Tensor labels = of.labels(Phase::test);
        if (labels.eq(1).any().item<bool>() && labels.eq(0).any().item<bool>())
          cells[kind][k - 2].push_back(auc(scores, labels));
      };
      const int faces = k - 1;  // edges of triangles, triangles of tetrahedra
      const auto published =
          task(permuted, Protocol::published, CandidateSplit::random, CandidateFeatures::counts, faces);
      add(0, published.harmonic_mean_score(Phase::test), published);
      add(1, published.smallest_face_value(Phase::test), published);
      add(2, published.message_coface_count(Phase::test), published);
      cells[3][k - 2].push_back(leaked_count(permuted, published));
      const auto random = task(own, Protocol::strict, CandidateSplit::random, CandidateFeatures::counts, 1);
      add(4, random.harmonic_mean_score(Phase::test), random);
      add(5, random.smallest_face_value(Phase::test), random);
      add(6, random.message_coface_count(Phase::test), random);
      const auto seen = task(own, Protocol::strict, CandidateSplit::by_source, CandidateFeatures::counts, 1);
      add(7, seen.smallest_face_value(Phase::test), seen);
      const auto strict = task(own, Protocol::strict, CandidateSplit::by_source,
                               CandidateFeatures::counts_without_held_out, 1);
      add(8, strict.harmonic_mean_score(Phase::test), strict);
      add(9, strict.smallest_face_value(Phase::test), strict);
      add(10, strict.message_coface_count(Phase::test), strict);
    }
  }
  const char* names[kinds] = {
      "by position, random split: harmonic mean of the faces (2-simplex: edges, 3-simplex: triangles)",
      "by position, random split: minimum of the same faces",
      "by position, random split: count of positives to train on at the candidate's edges, no leak",
      "by position, random split: the same count in the complex of the leak, the positive test simplices",
      "by authors, random split: harmonic mean of the edges",
      "by authors, random split: minimum of the edges",
      "by authors, random split: count of message cofaces at the edges",
      "by authors, split by paper, counts with held-out papers: minimum of the edges",
      "by authors, split by paper, counts without held-out papers: harmonic mean of the edges",
      "by authors, split by paper, counts without held-out papers: minimum of the edges",
      "by authors, split by paper: count of message cofaces at the edges"};
  for (int kind = 0; kind < kinds; ++kind) lines.add(names[kind], cells[kind]);
  return lines.json();
}

// --- trajectories

namespace {

Tensor flipped(const Tensor& signals, const Orientation& coins, int order) {
  const auto signs = coins.signs(order);
  return signals * torch::tensor(at::ArrayRef<std::int8_t>(signs.data(), signs.size()), torch::kInt8)
                       .to(torch::kFloat64)
                       .unsqueeze(-1);
}

}  // namespace

Json trajectory_flaws(int splits) {
  const std::vector<std::string> names{"flow", "ocean"};
  Measurements lines(concat(splits, " splits (ocean), one plane (flow)"),
                     {"synthetic flow", "ocean drifters"});
  std::vector<Values> plain(2), harmonic(2), turned_together(2), destroyed(2);
  for (std::size_t column = 0; column < names.size(); ++column) {
    TaskSettings settings = standard_settings(TaskKind::trajectory, Protocol::published, names[column]);
    for (int seed = 0; seed < (names[column] == "flow" ? 1 : splits); ++seed) {
      const MadeTask made = make_task(settings, static_cast<std::uint64_t>(seed));
      const auto& task = dynamic_cast<const TrajectoryClassification&>(*made.task);
      const SignalDataset& data = task.dataset();
      const auto parts = task.parts();
      const Tensor x = data.signals.to(torch::kFloat64);
      const ComplexOperators operators(data.complex);
      const Orientation coins =
          Orientation::random(data.complex, RandomStream(static_cast<std::uint64_t>(seed), "orientation"));
      const Tensor turned = flipped(x, coins, data.order);
      const Tensor basis = harmonic_basis(operators, data.order);
      const auto coordinates = [&](const Tensor& harmonic_basis, const Tensor& signals) {
        return torch::matmul(harmonic_basis.t(), signals).flatten(1);
      };
      const auto accuracy = [&](const Tensor& features, double C) {
        ClassBaselines fit(data.labels, data.classes, parts[0].second, parts[2].second);
        fit.add_logistic("", features, C, false);
        return fit.results().front().metrics.front().second;
      };
      plain[column].push_back(accuracy(x.flatten(1), 1));
      harmonic[column].push_back(accuracy(coordinates(basis, x), 100));
      turned_together[column].push_back(
          accuracy(coordinates(flipped(basis, coins, data.order), turned), 100));
      destroyed[column].push_back(accuracy(coordinates(basis, turned), 100));
    }
  }
  lines.add("logistic regression on x", plain);
  lines.add("logistic regression on the harmonic coordinates of x", harmonic);
  lines.add("the same after a random orientation of x and of the complex", turned_together);
  lines.add("the same after a random orientation of x alone", destroyed);
  return lines.json();
}

}  // namespace gsan::app
