#pragma once
// The columns part, time and group that a table of labels, classes, values or candidates may have beside its
// own (docs/splits.md).

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gsan/data/formats/text/csv.h"
#include "gsan/data/item_marks.h"

namespace gsan {

/// "part", "time", "group".
const std::vector<std::string>& mark_names();
/// Is it one of them (any case)?
bool is_mark_name(std::string_view field);

class MarkColumns {
 public:
  /// Of a table without a header: none.
  MarkColumns() = default;
  /// By the names in the header, where the reader stands; its first columns name the item. A single column
  /// after them is not a mark, whatever its name: it holds the labels or values. A name that is there twice
  /// is an error.
  MarkColumns(const CsvReader& csv, std::size_t first);

  bool any() const { return part_ != nowhere || time_ != nowhere || group_ != nowhere; }
  /// The other columns from `first` on, in their order.
  const std::vector<std::size_t>& others() const { return others_; }

  /// Takes what the row says where the reader stands.
  void read(const CsvReader& csv);

  /// Of the rows read so far; `table`: the name of the file.
  ItemMarks marks(const std::string& table) const;

 private:
  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  std::size_t part_ = nowhere, time_ = nowhere, group_ = nowhere;
  std::vector<std::size_t> others_;
  std::map<std::string, std::int64_t> groups_;
  bool has_times_ = false;  // a row that is not empty
  ItemMarks marks_;
};

/// Of a whole table of numbers (formats/text/signal_csv.h), where its header has some. `first`: as above.
ItemMarks read_marks(std::string_view text, const std::string& source, std::size_t first,
                     const std::string& table);

}  // namespace gsan
