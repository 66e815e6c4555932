#include <algorithm>
#include <cctype>

#include "gsan/core/check.h"
#include "gsan/tasks/prediction.h"
#include "gsan/tasks/task_settings.h"

namespace gsan {
namespace {

constexpr double flow_train = 1000, flow_held_out = 200;  // signals of the flow per part

bool is_published(const TaskSettings& settings) { return settings.protocol == Protocol::published; }

// --- faults

class Faults {
 public:
  template <class... Parts>
  void require(bool holds, const Parts&... parts) {
    if (!holds) all_.push_back(concat(parts...));
  }
  std::vector<std::string>& all() { return all_; }

 private:
  std::vector<std::string> all_;
};

void check_shares(Faults& faults, const std::string& section, double validation, double test) {
  faults.require(validation >= 0 && test >= 0 && validation + test < 1, section, ".validation and ", section,
                 ".test must not be negative and leave something to train on, got ", validation, " and ",
                 test);
}

void check_split(Faults& faults, const TaskSettings& settings) {
  const SplitSettings& split = settings.split;
  faults.require(split.folds == 0 || split.folds >= 2, "split.folds must be 0 or at least 2, got ",
                 split.folds);
  if (split.folds >= 2) {
    faults.require(split.fold >= 0 && split.fold < split.folds, "split.fold must lie in 0 ... ",
                   split.folds - 1, ", got ", split.fold);
    faults.require(split.validation >= 0 && split.validation < 1, "split.validation must lie in [0, 1), got ",
                   split.validation);
    faults.require(split.file.empty(), "split.file and split.folds exclude each other: set split.folds=0");
  } else {
    check_shares(faults, "split", split.validation, split.test);
  }
  faults.require(!is_published(settings) || split.validation == 0,
                 "split.validation must be 0 under the published protocol, where the test part chooses the "
                 "epoch, got ",
                 split.validation);
}

std::vector<std::string> faults_of(const TaskSettings& settings) {
  Faults faults;
  settings.data.options.add_faults(faults.all(), "data.");
  if (settings.data.reorder != VertexOrder::given) {
    faults.require(settings.kind != TaskKind::graph_classification,
                   "data.reorder is for one large complex, but graph-classification has many small ones: set "
                   "data.reorder=none");
    faults.require(!is_published(settings),
                   "data.reorder must be none under the published protocol, whose runs keep the order of the "
                   "data");
  }
  switch (settings.kind) {
    case TaskKind::trajectory:
      check_split(faults, settings);
      faults.require(settings.trajectory.batch_size >= 1, "trajectory.batch_size must be at least 1, got ",
                     settings.trajectory.batch_size);
      break;
    case TaskKind::graph_classification:
      check_split(faults, settings);
      faults.require(settings.graph_classification.batch_size >= 1,
                     "graph-classification.batch_size must be at least 1, got ",
                     settings.graph_classification.batch_size);
      break;
    case TaskKind::imputation: {
      const ImputationOptions& options = settings.imputation;
      faults.require(options.order >= 0, "imputation.order must not be negative, got ", options.order);
      faults.require(options.missing > 0 && options.missing < 100,
                     "imputation.missing must lie between 0 and 100 per cent, got ", options.missing);
      faults.require(options.hidden > 0 && options.hidden < 1, "imputation.hidden must lie in (0, 1), got ",
                     options.hidden);
      faults.require(options.validation >= 0 && options.validation < 1,
                     "imputation.validation must lie in [0, 1), got ", options.validation);
      faults.require(options.steps_per_epoch >= 1, "imputation.steps_per_epoch must be at least 1, got ",
                     options.steps_per_epoch);
      faults.require(!is_published(settings) || options.steps_per_epoch == 1,
                     "imputation.steps_per_epoch must be 1 under the published protocol, got ",
                     options.steps_per_epoch);
      faults.require(!is_published(settings) || options.choice == MissingChoice::random,
                     "imputation.choice must be random under the published protocol, got ",
                     name_of(options.choice));
      faults.require(!is_published(settings) || (!options.mark && !options.snap),
                     "imputation.mark and imputation.snap must be false under the published protocol");
      faults.require(options.scale != ScaleChoice::log || options.fill != FillChoice::zero,
                     "imputation.scale = log needs a fill above 0, got imputation.fill = zero");
      break;
    }
    case TaskKind::simplex_classification: {
      const SimplexClassificationOptions& options = settings.simplex_classification;
      faults.require(options.order >= 0, "simplex-classification.order must not be negative, got ",
                     options.order);
      check_shares(faults, "simplex-classification", options.validation, options.test);
      faults.require(!is_published(settings), "simplex-classification has no published protocol");
      break;
    }
    case TaskKind::simplex_prediction: {
      const SimplexPredictionOptions& options = settings.simplex_prediction;
      faults.require(options.order >= 1, "simplex-prediction.order must be at least 1, got ", options.order);
      faults.require(options.tuple_order >= 0 && options.tuple_order < std::max(options.order, 1),
                     "simplex-prediction.tuple_order must lie in 0 ... order - 1 = ", options.order - 1,
                     ", got ", options.tuple_order);
      check_shares(faults, "simplex-prediction", options.validation, options.test);
      faults.require(options.message >= 0 && options.message <= 1,
                     "simplex-prediction.message must lie in 0 ... 1, got ", options.message);
      faults.require(!is_published(settings) || options.split == CandidateSplit::random,
                     "simplex-prediction.split must be random under the published protocol, got ",
                     name_of(options.split));
      faults.require(!is_published(settings) || options.message == 1,
                     "simplex-prediction.message must be 1 under the published protocol, got ",
                     options.message);
      break;
    }
  }
  return faults.all();
}

// --- parts

struct KnownItems {
  Items items;
  std::vector<std::int64_t> labels;
};

KnownItems known_items(const Tensor& labels) {
  const Tensor list = labels.to(torch::kCPU, torch::kInt64).contiguous();
  KnownItems known;
  for (std::int64_t i = 0; i < list.numel(); ++i) {
    const std::int64_t label = list.const_data_ptr<std::int64_t>()[i];
    if (label == unknown_label) continue;
    known.items.push_back(i);
    known.labels.push_back(label);
  }
  return known;
}

// What has one class only teaches nothing; to judge a trained model by, it is enough.
void check_classes(const TaskSettings& settings, const std::string& data, const KnownItems& known,
                   const std::vector<std::string>& class_names) {
  if (settings.only_test || known.labels.empty()) return;
  const std::int64_t first = known.labels.front();
  if (std::any_of(known.labels.begin(), known.labels.end(), [&](auto label) { return label != first; }))
    return;
  const auto place = static_cast<std::size_t>(first);
  fail(Fault::argument, name_of(settings.kind), ": to train, at least two classes are needed, but all ",
       known.labels.size(), " known labels of ", data, " are ",
       place < class_names.size() ? class_names[place] : std::to_string(first));
}

Split split_items(const TaskSettings& settings, const Tensor& labels, const std::string& data,
                  const std::vector<std::string>& class_names, const RandomStream& stream) {
  const SplitSettings& shares = settings.split;
  const KnownItems known = known_items(labels);
  check_classes(settings, data, known, class_names);
  Split split;
  if (settings.only_test) {
    split.test = known.items;
    return split;
  }
  if (!shares.file.empty()) {
    split = read_split(shares.file, labels.numel());
    for (Items* part : {&split.train, &split.validation, &split.test})
      std::erase_if(*part, [&](std::int64_t i) {
        return !std::binary_search(known.items.begin(), known.items.end(), i);
      });
  } else if (shares.folds > 0) {
    const std::vector<int> folds = stratified_folds(known.labels, shares.folds, stream.substream("folds"));
    split = at_items(split_of_fold(known.labels, folds, shares.fold, shares.validation,
                                   stream.substream(static_cast<std::uint64_t>(shares.fold))),
                     known.items);
  } else {
    split = at_items(stratified_split(known.labels, shares.validation, shares.test, stream), known.items);
  }
  GSAN_CHECK(!split.train.empty(), "the split leaves no item to train on: ", known.items.size(), " of ",
             labels.numel(), " items have a known label");
  if (is_published(settings)) split.validation = split.test;
  return split;
}

std::vector<std::int64_t> missing_rows(const ValueDataset& dataset, const ImputationOptions& options,
                                       const RandomStream& stream) {
  GSAN_CHECK(options.order < static_cast<int>(dataset.values.size()) &&
                 dataset.values[static_cast<std::size_t>(options.order)].defined(),
             "imputation: ", dataset.name, " has no values of order ", options.order,
             "; set imputation.order");
  if (options.choice == MissingChoice::by_source)
    return source_mask(dataset, options.order, options.missing, stream);
  const Tensor known =
      dataset.values[static_cast<std::size_t>(options.order)].isnan().logical_not().nonzero().squeeze(1);
  std::vector<std::int64_t> rows = random_mask(known.numel(), options.missing, stream);
  for (std::int64_t& row : rows) row = known.const_data_ptr<std::int64_t>()[row];
  return rows;
}

// Parts with one class have no area under the curve.
std::unique_ptr<Task> with_both_classes(std::unique_ptr<SimplexPrediction> task) {
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test}) {
    const Tensor labels = task->labels(phase);
    const auto positives = labels.eq(1).sum().item<std::int64_t>();
    GSAN_CHECK(labels.numel() == 0 || (positives > 0 && positives < labels.numel()),
               "simplex-prediction: of the ", labels.numel(), " candidates of the ", name_of(phase), " part ",
               positives, " are positive, but both classes are needed; choose other shares or another seed");
  }
  return task;
}

template <class Options>
Options placed(Options options, const TaskSettings& settings, torch::Device device) {
  options.protocol = settings.protocol;
  options.placement.device = device;
  options.placement.order = settings.data.reorder;
  return options;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

std::vector<std::string> TaskSettings::faults() const { return faults_of(*this); }

TaskSettings standard_settings(TaskKind kind, Protocol protocol, const std::string& data_name) {
  TaskSettings settings;
  settings.kind = kind;
  settings.protocol = protocol;
  settings.data = data_settings(data_name);
  const std::string data = lower_case(data_name);
  const bool published = protocol == Protocol::published;
  SplitSettings& split = settings.split;
  split.validation = published ? 0 : 0.2;
  if (kind == TaskKind::trajectory && data == "flow") {
    const double all = flow_train + flow_held_out * (published ? 1 : 2);
    split.test = flow_held_out / all;
    split.validation = published ? 0 : split.test;
  }
  if (kind == TaskKind::graph_classification && (data == "proteins" || data == "nci1")) {
    split.folds = 10;
    split.validation = published ? 0 : 0.1;
  }
  if (data == "citation") {
    // The citations of a held-out paper stand in the counts of its edges: with them the smallest count tells
    // every answer.
    settings.simplex_prediction.features = CandidateFeatures::counts_without_held_out;
  } else {
    settings.imputation.scale = ScaleChoice::standard;
    settings.simplex_prediction.split = CandidateSplit::random;
  }
  if (published) {
    settings.imputation.steps_per_epoch = 1;
    settings.simplex_prediction.split = CandidateSplit::random;
    settings.simplex_prediction.message = 1;
    settings.simplex_prediction.features = CandidateFeatures::counts;
  }
  return settings;
}

MadeTask make_task(const TaskSettings& settings, std::uint64_t seed, torch::Device device) {
  options::report("the settings of the task", settings.faults());
  const RandomStream of_split(seed, "split"), of_task = task_stream(seed);
  switch (settings.kind) {
    case TaskKind::trajectory: {
      const double of_protocol = flow_train + flow_held_out * (is_published(settings) ? 1 : 2);
      auto [data, hashes] = open_signals(settings.data, static_cast<int>(of_protocol));
      if (settings.only_test) match_classes(data, settings.classes);
      Split split = split_items(settings, data.labels, data.name, data.class_names, of_split);
      return {std::make_unique<TrajectoryClassification>(std::move(data), std::move(split), of_task,
                                                         placed(settings.trajectory, settings, device)),
              std::move(hashes)};
    }
    case TaskKind::graph_classification: {
      auto [data, hashes] = open_complexes(settings.data);
      if (settings.only_test) {
        match_classes(data, settings.classes);
        add_empty_orders(data, settings.widths);
      }
      Split split = split_items(settings, data.labels, data.name, data.class_names, of_split);
      return {std::make_unique<GraphClassification>(std::move(data), std::move(split), of_task,
                                                    placed(settings.graph_classification, settings, device)),
              std::move(hashes)};
    }
    case TaskKind::imputation: {
      auto [data, hashes] = open_values(settings.data, is_published(settings), settings.imputation.order);
      auto missing = missing_rows(data, settings.imputation, of_split);
      return {std::make_unique<Imputation>(std::move(data), std::move(missing), of_task,
                                           placed(settings.imputation, settings, device)),
              std::move(hashes)};
    }
    case TaskKind::simplex_classification: {
      const SimplexClassificationOptions options = placed(settings.simplex_classification, settings, device);
      auto [data, hashes] = open_classes(settings.data);
      if (settings.only_test) match_classes(data, settings.classes);
      const KnownItems known = known_items(simplex_labels(data, options.order));
      check_classes(settings, data.name, known, data.class_names);
      Split split = settings.only_test
                        ? Split{{}, {}, known.items}
                        : at_items(stratified_split(known.labels, options.validation, options.test, of_split),
                                   known.items);
      return {std::make_unique<SimplexClassification>(std::move(data), std::move(split), options),
              std::move(hashes)};
    }
    case TaskKind::simplex_prediction: {
      const SimplexPredictionOptions options = placed(settings.simplex_prediction, settings, device);
      if (!settings.data.path.empty()) {
        auto [data, hashes] = open_candidates(settings.data, options.order);
        return {with_both_classes(std::make_unique<SimplexPrediction>(std::move(data), of_split, options)),
                std::move(hashes)};
      }
      auto [data, hashes] = open_values(settings.data, is_published(settings), options.order);
      return {with_both_classes(std::make_unique<SimplexPrediction>(data, of_split, options)),
              std::move(hashes)};
    }
  }
  fail(Fault::argument, "make_task: unknown task ", static_cast<int>(settings.kind));
}

}  // namespace gsan
