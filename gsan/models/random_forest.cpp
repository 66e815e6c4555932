#include "gsan/models/random_forest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "gsan/core/check.h"

namespace gsan {
namespace {

struct Cut {
  int feature = -1;
  double threshold = 0;
  double impurity = std::numeric_limits<double>::infinity();  // items · Gini, summed over both sides
};

// m − Σ_c m_c² / m, m items of which m_c have class c: items · Gini.
double impurity_of(std::span<const double> counts, double items) {
  double squares = 0;
  for (const double count : counts) squares += count * count;
  return items > 0 ? items - squares / items : 0;
}

}  // namespace

// Grows one tree after the other.
class RandomForest::Grower {
 public:
  Grower(RandomForest& forest, const Tensor& x, const Tensor& labels, int max_features)
      : forest_(forest),
        columns_(x.t().contiguous()),
        labels_(labels),
        rows_(x.size(0)),
        max_features_(max_features),
        left_(static_cast<std::size_t>(forest.classes_)),
        right_(static_cast<std::size_t>(forest.classes_)) {}

  std::vector<Node> grow(RandomStream stream) {
    std::vector<std::int32_t> items(static_cast<std::size_t>(rows_));
    for (std::int32_t& item : items)
      item = static_cast<std::int32_t>(stream.below(static_cast<std::uint64_t>(rows_)));
    std::vector<Node> nodes(1);
    struct Open {
      std::size_t node, first, last;
    };
    std::vector<Open> open{{0, 0, items.size()}};
    while (!open.empty()) {
      const Open at = open.back();
      open.pop_back();
      const std::span<std::int32_t> here = std::span(items).subspan(at.first, at.last - at.first);
      const Cut split = best_split(here, stream);
      if (split.feature < 0) {
        nodes[at.node].shares = leaf(here);
        continue;
      }
      const double* column = values(split.feature);
      const auto middle = std::partition(here.begin(), here.end(),
                                         [&](std::int32_t i) { return column[i] <= split.threshold; });
      const auto cut = at.first + static_cast<std::size_t>(middle - here.begin());
      const auto left = static_cast<std::int32_t>(nodes.size());
      nodes[at.node] = {split.feature, split.threshold, left, left + 1, 0};
      nodes.resize(nodes.size() + 2);
      open.push_back({static_cast<std::size_t>(left), at.first, cut});
      open.push_back({static_cast<std::size_t>(left) + 1, cut, at.last});
    }
    return nodes;
  }

 private:
  const double* values(int feature) const { return columns_.const_data_ptr<double>() + feature * rows_; }
  std::int64_t label(std::int32_t item) const { return labels_.const_data_ptr<std::int64_t>()[item]; }

  std::int32_t leaf(std::span<const std::int32_t> items) {
    const std::size_t first = forest_.shares_.size();
    forest_.shares_.resize(first + static_cast<std::size_t>(forest_.classes_));
    for (const std::int32_t item : items)
      forest_.shares_[first + static_cast<std::size_t>(label(item))] +=
          1.0 / static_cast<double>(items.size());
    return static_cast<std::int32_t>(first);
  }

  // feature −1: the node is pure, or all features are constant.
  Cut best_split(std::span<const std::int32_t> items, RandomStream& stream) {
    Cut best;
    const std::int64_t one = label(items.front());
    if (std::all_of(items.begin(), items.end(), [&](std::int32_t i) { return label(i) == one; })) return best;
    const std::vector<int> order = stream.permutation(static_cast<int>(forest_.features_));
    int tried = 0;
    for (const int feature : order) {
      if (tried == max_features_) break;
      if (try_feature(feature, items, best)) ++tried;
    }
    return best;
  }

  // Whether the feature varies here; `best` is replaced when this one is better.
  bool try_feature(int feature, std::span<const std::int32_t> items, Cut& best) {
    const double* column = values(feature);
    sorted_.clear();
    for (const std::int32_t item : items) sorted_.push_back({column[item], label(item)});
    std::sort(sorted_.begin(), sorted_.end());
    if (sorted_.front().first == sorted_.back().first) return false;
    std::fill(left_.begin(), left_.end(), 0.0);
    std::fill(right_.begin(), right_.end(), 0.0);
    for (const auto& entry : sorted_) ++right_[static_cast<std::size_t>(entry.second)];
    const auto count = static_cast<double>(sorted_.size());
    for (std::size_t i = 0; i + 1 < sorted_.size(); ++i) {
      ++left_[static_cast<std::size_t>(sorted_[i].second)];
      --right_[static_cast<std::size_t>(sorted_[i].second)];
      const double low = sorted_[i].first, high = sorted_[i + 1].first;
      if (low == high) continue;
      const auto taken = static_cast<double>(i + 1);
      const double impurity = impurity_of(left_, taken) + impurity_of(right_, count - taken);
      if (impurity >= best.impurity) continue;
      const double middle = low / 2 + high / 2;
      best = {feature, middle < high ? middle : low, impurity};
    }
    return true;
  }

  RandomForest& forest_;
  Tensor columns_, labels_;  // [F, n] float64, [n] int64
  std::int64_t rows_;
  int max_features_;
  std::vector<double> left_, right_;  // items of each class on the sides of a cut
  std::vector<std::pair<double, std::int64_t>> sorted_;
};

RandomForest::RandomForest(const Tensor& x, const Tensor& labels, int classes, const RandomStream& stream,
                           const RandomForestOptions& options)
    : classes_(classes), features_(x.dim() == 2 ? x.size(1) : 0) {
  static constexpr const char* who = "RandomForest";
  GSAN_CHECK(x.dim() == 2 && x.size(0) >= 1 && labels.dim() == 1 && labels.size(0) == x.size(0), who,
             ": x must be [n, F] and labels [n] with n >= 1, got ", x.sizes(), " and ", labels.sizes());
  GSAN_CHECK(classes >= 2, who, ": at least 2 classes are needed, got ", classes);
  GSAN_CHECK(options.trees >= 1 && options.max_features >= 0, who,
             ": trees must be at least 1 and max_features not negative, got ", options.trees, " and ",
             options.max_features);
  const Tensor values = x.detach().to(torch::kCPU, torch::kFloat64);
  const Tensor numbers = labels.to(torch::kCPU, torch::kInt64).contiguous();
  GSAN_CHECK(values.isfinite().all().item<bool>(), who, ": every feature must be finite");
  GSAN_CHECK(numbers.ge(0).all().item<bool>() && numbers.lt(classes).all().item<bool>(), who,
             ": labels must lie in 0 ... ", classes - 1);
  const int root = static_cast<int>(std::sqrt(static_cast<double>(features_)));
  Grower grower(*this, values, numbers, options.max_features > 0 ? options.max_features : std::max(root, 1));
  for (int t = 0; t < options.trees; ++t)
    trees_.push_back(grower.grow(stream.substream(static_cast<std::uint64_t>(t))));
}

Tensor RandomForest::probabilities(const Tensor& x) const {
  GSAN_CHECK(x.dim() == 2 && x.size(1) == features_, "RandomForest: x must be [n, ", features_, "], got ",
             x.sizes());
  const Tensor values = x.detach().to(torch::kCPU, torch::kFloat64).contiguous();
  Tensor result = torch::zeros({x.size(0), classes_}, torch::kFloat64);
  double* out = result.mutable_data_ptr<double>();
  for (std::int64_t i = 0; i < x.size(0); ++i) {
    const double* row = values.const_data_ptr<double>() + i * features_;
    for (const std::vector<Node>& nodes : trees_) {
      std::size_t at = 0;
      while (nodes[at].feature >= 0)
        at = static_cast<std::size_t>(row[nodes[at].feature] <= nodes[at].threshold ? nodes[at].left
                                                                                    : nodes[at].right);
      for (int c = 0; c < classes_; ++c)
        out[i * classes_ + c] +=
            shares_[static_cast<std::size_t>(nodes[at].shares) + static_cast<std::size_t>(c)] /
            static_cast<double>(trees_.size());
    }
  }
  return result;
}

}  // namespace gsan
