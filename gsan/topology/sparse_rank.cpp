#include "gsan/topology/detail/sparse_rank.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "gsan/core/long_work.h"
#include "gsan/topology/budget.h"

namespace gsan {
namespace {

using Element = PrimeField::Element;

// Right-looking elimination. Pivots follow Markowitz: take a row or column with the
// fewest entries, and in it the entry whose column or row has the fewest. A line of one
// or two entries then never adds to the total.
class Elimination {
 public:
  Elimination(std::vector<SparseColumn> columns, Index row_count, const PrimeField& field,
              const Limits& limits)
      : field_(field), limits_(limits), columns_(std::move(columns)), rows_(row_count), row_size_(row_count) {
    column_count_ = static_cast<Index>(columns_.size());
    queued_.assign(columns_.size() + rows_.size(), unqueued);
    for (Index c = 0; c < column_count_; ++c) {
      for (const SparseEntry& entry : columns_[c]) {
        ++row_size_[entry.row];
        rows_[entry.row].push_back(c);
      }
      entry_count_ += columns_[c].size();
      listed_ += columns_[c].size();
      live_columns_ += columns_[c].empty() ? 0 : 1;
    }
    for (const Index size : row_size_) live_rows_ += size > 0;
    for (Line line = 0; line < static_cast<Line>(queued_.size()); ++line) enqueue(line);
  }

  std::vector<Index> run() {
    LongWork work("Betti numbers", static_cast<double>(std::min(live_rows_, live_columns_)));
    while (!is_dense()) {
      work.reach(static_cast<double>(pivots_.size()));
      const Line line = shortest_line();
      if (line < 0) break;
      if (line < column_count_) {
        const SparseColumn& column = columns_[line];
        const auto best = std::min_element(column.begin(), column.end(), [&](const auto& x, const auto& y) {
          return row_size_[x.row] < row_size_[y.row];
        });
        eliminate(best->row, line);
      } else {
        const auto row = static_cast<Index>(line - column_count_);
        refresh(row);
        eliminate(row, *std::min_element(rows_[row].begin(), rows_[row].end(), [&](Index x, Index y) {
                    return columns_[x].size() < columns_[y].size();
                  }));
      }
      check_fill_in();
    }
    finish_dense();
    return std::move(pivots_);
  }

 private:
  // A column (0 … column_count_ − 1) or a row (behind them). Lines with more than max_size
  // entries are not queued: when no shorter ones are left, sparsity has nothing to offer.
  using Line = std::int64_t;
  static constexpr std::size_t max_size = 254;
  static constexpr std::uint8_t unqueued = 255;

  std::size_t size(Line line) const {
    return line < column_count_ ? columns_[line].size()
                                : static_cast<std::size_t>(row_size_[line - column_count_]);
  }

  // Keeps every short line in a queue of at most its size.
  void enqueue(Line line) {
    const std::size_t now = size(line);
    if (now == 0 || now > max_size || queued_[line] <= now) return;
    queued_[line] = static_cast<std::uint8_t>(now);
    queue_[now].push_back(line);
  }

  Line shortest_line() {
    for (std::size_t length = 1; length <= max_size; ++length) {
      while (!queue_[length].empty()) {
        const Line line = queue_[length].back();
        queue_[length].pop_back();
        if (queued_[line] != length) continue;  // queued again since, as a shorter one
        queued_[line] = unqueued;
        if (size(line) == length) return line;
        enqueue(line);
      }
    }
    return -1;
  }

  const SparseEntry* find(Index column, Index row) const {
    const SparseColumn& in = columns_[column];
    const auto at =
        std::lower_bound(in.begin(), in.end(), row, [](const auto& e, Index r) { return e.row < r; });
    return at != in.end() && at->row == row ? &*at : nullptr;
  }

  // Rows list their columns with repeats and leftovers; this leaves the true ones.
  void refresh(Index row) {
    std::vector<Index>& list = rows_[row];
    listed_ -= list.size();
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    std::erase_if(list, [&](Index column) { return find(column, row) == nullptr; });
    listed_ += list.size();
  }

  void shrink_row(Index row) {
    if (--row_size_[row] == 0) --live_rows_;
    enqueue(Line{column_count_} + row);
  }

  void eliminate(Index row, Index column) {
    refresh(row);
    pivots_.push_back(column);
    const Element scale = field_.negative(field_.inverse(find(column, row)->value));
    const SparseColumn pivot = std::exchange(columns_[column], {});
    entry_count_ -= pivot.size();
    --live_columns_;
    for (const SparseEntry& entry : pivot) shrink_row(entry.row);
    for (const Index other : rows_[row]) {
      if (other == column) continue;
      add_multiple(other, field_.product(scale, find(other, row)->value), pivot);
    }
    listed_ -= rows_[row].size();
    rows_[row] = {};
  }

  // columns_[target] += factor · pivot
  void add_multiple(Index target, Element factor, const SparseColumn& pivot) {
    SparseColumn& column = columns_[target];
    sum_.clear();
    auto x = column.begin();
    for (const SparseEntry& y : pivot) {
      while (x != column.end() && x->row < y.row) sum_.push_back(*x++);
      if (x != column.end() && x->row == y.row) {
        const Element value = field_.reduce(x->value + std::uint64_t{factor} * y.value);
        if (value != 0)
          sum_.push_back({y.row, value});
        else
          shrink_row(y.row);
        ++x;
      } else {
        sum_.push_back({y.row, field_.product(factor, y.value)});
        ++row_size_[y.row];
        rows_[y.row].push_back(target);
        ++listed_;
      }
    }
    sum_.insert(sum_.end(), x, column.end());
    entry_count_ += sum_.size();
    entry_count_ -= column.size();
    column.assign(sum_.begin(), sum_.end());
    if (column.empty()) --live_columns_;
    enqueue(target);
  }

  bool is_dense() const {
    const auto small = static_cast<std::size_t>(std::min(live_rows_, live_columns_));
    return entry_count_ * 8 >= small * static_cast<std::size_t>(std::max(live_rows_, live_columns_));
  }

  // Vectors that grow hold up to twice their entries.
  void check_fill_in() const {
    const double bytes =
        2.0 * static_cast<double>(entry_count_ * sizeof(SparseEntry) + listed_ * sizeof(Index)) +
        static_cast<double>(columns_.size() + rows_.size()) * sizeof(SparseColumn);
    check_memory(limits_, "homology", bytes, "fill-in");
  }

  // What is left, with the shorter side as coordinates.
  void finish_dense() {
    const Index smaller = std::min(live_rows_, live_columns_);
    if (smaller == 0) return;
    check_memory(limits_, "homology", static_cast<double>(Annotations::max_bytes(smaller)), "a dense block");
    std::vector<Index> left;
    for (Index c = 0; c < column_count_; ++c) {
      if (!columns_[c].empty()) left.push_back(c);
    }
    std::stable_sort(left.begin(), left.end(),
                     [&](Index x, Index y) { return columns_[x].size() < columns_[y].size(); });
    std::vector<Index> position(rows_.size(), -1);
    Index next = 0;
    for (const Index c : left) {
      for (SparseEntry& entry : columns_[c]) {
        if (position[entry.row] < 0) position[entry.row] = next++;
        entry.row = position[entry.row];
      }
    }
    Annotations annotations(smaller, field_);
    if (next == smaller) {
      for (const Index c : left) {
        if (annotations.free_count() == 0) break;
        if (annotations.add(columns_[c]) >= 0) pivots_.push_back(c);
      }
      return;
    }
    std::vector<SparseColumn> transposed(next);
    for (Index i = 0; i < static_cast<Index>(left.size()); ++i) {
      for (const SparseEntry& entry : columns_[left[i]]) transposed[entry.row].push_back({i, entry.value});
    }
    for (const SparseColumn& row : transposed) {
      if (const Index i = annotations.add(row); i >= 0) pivots_.push_back(left[i]);
    }
  }

  PrimeField field_;
  Limits limits_;
  std::vector<SparseColumn> columns_;
  std::vector<std::vector<Index>> rows_;  // columns of a row, see refresh()
  std::vector<Index> row_size_;           // true number of entries
  Index column_count_ = 0;
  Index live_rows_ = 0, live_columns_ = 0;
  std::size_t entry_count_ = 0, listed_ = 0;
  std::array<std::vector<Line>, max_size + 1> queue_;
  std::vector<std::uint8_t> queued_;
  SparseColumn sum_;
  std::vector<Index> pivots_;
};

}  // namespace

std::vector<Index> independent_columns(std::vector<SparseColumn> columns, Index row_count,
                                       const PrimeField& field, const Limits& limits) {
  return Elimination(std::move(columns), row_count, field, limits).run();
}

}  // namespace gsan
