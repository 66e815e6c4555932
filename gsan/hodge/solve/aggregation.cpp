#include "gsan/hodge/solve/aggregation.h"

#include <cmath>

namespace gsan {
namespace {

// A row takes part in a group only when the group's coupling to it is at least this share
// of its diagonal: below, one number for both says nothing.
constexpr double weakest_share = 1.0 / 32;

// Sums s_i A_ij per key (a row or a group) over a few entries at a time.
class CouplingSums {
 public:
  explicit CouplingSums(Index keys) : sum_(keys, {0.0f, false}) {}

  void add(Index key, float coupling) {
    Sum& sum = sum_[key];
    if (!sum.listed) keys_.push_back(key);
    sum = {sum.value + coupling, true};
  }
  void clear() {
    for (const Index key : keys_) sum_[key] = {0.0f, false};
    keys_.clear();
  }
  const std::vector<Index>& keys() const { return keys_; }  ///< each once, in the order of the first add
  float operator[](Index key) const { return sum_[key].value; }

 private:
  struct Sum {
    float value;
    bool listed;
  };
  std::vector<Sum> sum_;
  std::vector<Index> keys_;
};

std::int8_t gauge(float coupling) { return coupling < 0 ? 1 : -1; }

class Aggregator {
 public:
  Aggregator(const PairMatrix& matrix, int size) : A_(matrix), size_(size), near_(matrix.size()) {
    result_.group.assign(A_.size(), Aggregation::none);
    result_.sign.assign(A_.size(), 0);
  }

  Aggregation run() {
    std::vector<Index> left;
    for (Index i = 0; i < A_.size(); ++i) {
      if (!is_free(i) || A_.diagonal[i] == 0) continue;
      if (has_free_neighbour(i))
        grow(i);
      else
        left.push_back(i);
    }
    for (const Index i : left) join(i);
    list_members();
    return std::move(result_);
  }

 private:
  bool is_free(Index i) const { return result_.group[i] == Aggregation::none; }

  bool has_free_neighbour(Index i) const {
    for (Offset e = A_.start[i]; e < A_.start[i + 1]; ++e) {
      if (is_free(A_.column[e])) return true;
    }
    return false;
  }

  void grow(Index seed) {
    add(seed, 1);
    for (int members = 1; members < size_; ++members) {
      Index best = Aggregation::none;
      double best_share = weakest_share;
      for (const Index j : near_.keys()) {
        const double share = std::abs(near_[j]) / A_.diagonal[j];
        if (share > best_share && is_free(j)) {
          best = j;
          best_share = share;
        }
      }
      if (best == Aggregation::none) break;
      add(best, gauge(near_[best]));
    }
    near_.clear();
    ++groups_;
  }

  void add(Index i, std::int8_t sign) {
    result_.group[i] = groups_;
    result_.sign[i] = sign;
    for (Offset e = A_.start[i]; e < A_.start[i + 1]; ++e) {
      if (is_free(A_.column[e])) near_.add(A_.column[e], static_cast<float>(sign) * A_.value[e]);
    }
  }

  void join(Index i) {
    for (Offset e = A_.start[i]; e < A_.start[i + 1]; ++e) {
      const Index j = A_.column[e];
      if (!is_free(j)) near_.add(result_.group[j], static_cast<float>(result_.sign[j]) * A_.value[e]);
    }
    Index best = groups_;  // a group of its own
    float best_coupling = -static_cast<float>(weakest_share * A_.diagonal[i]);
    for (const Index g : near_.keys()) {
      if (std::abs(near_[g]) > std::abs(best_coupling)) {
        best = g;
        best_coupling = near_[g];
      }
    }
    near_.clear();
    result_.group[i] = best;
    result_.sign[i] = gauge(best_coupling);
    if (best == groups_) ++groups_;
  }

  void list_members() {
    result_.start.assign(static_cast<std::size_t>(groups_) + 1, 0);
    for (const Index g : result_.group) {
      if (g != Aggregation::none) ++result_.start[g + 1];
    }
    for (Index g = 0; g < groups_; ++g) result_.start[g + 1] += result_.start[g];
    result_.members.resize(static_cast<std::size_t>(result_.start.back()));
    std::vector<Offset> next(result_.start.begin(), result_.start.end() - 1);
    for (Index i = 0; i < A_.size(); ++i) {
      if (!is_free(i)) result_.members[next[result_.group[i]]++] = i;
    }
  }

  const PairMatrix& A_;
  int size_;
  Aggregation result_;
  Index groups_ = 0;
  CouplingSums near_;
};

}  // namespace

Aggregation aggregate(const PairMatrix& matrix, int size) { return Aggregator(matrix, size).run(); }

PairMatrix coarse_matrix(const PairMatrix& matrix, const Aggregation& aggregation) {
  const Index groups = aggregation.groups();
  PairMatrix coarse;
  coarse.diagonal.assign(groups, 0.0);
  coarse.start.assign(static_cast<std::size_t>(groups) + 1, 0);
  CouplingSums row(groups);
  for (Index g = 0; g < groups; ++g) {
    for (Offset m = aggregation.start[g]; m < aggregation.start[g + 1]; ++m) {
      const Index i = aggregation.members[m];
      coarse.diagonal[g] += matrix.diagonal[i];
      for (Offset e = matrix.start[i]; e < matrix.start[i + 1]; ++e) {
        const Index j = matrix.column[e], h = aggregation.group[j];
        if (h == Aggregation::none) continue;
        const float coupling =
            static_cast<float>(aggregation.sign[i] * aggregation.sign[j]) * matrix.value[e];
        if (h == g)
          coarse.diagonal[g] += coupling;
        else
          row.add(h, coupling);
      }
    }
    for (const Index h : row.keys()) {
      if (row[h] == 0.0f) continue;
      coarse.column.push_back(h);
      coarse.value.push_back(row[h]);
    }
    row.clear();
    coarse.start[g + 1] = static_cast<Offset>(coarse.column.size());
  }
  return coarse;
}

}  // namespace gsan
