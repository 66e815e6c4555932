#pragma once
// What a table of labels says of its items beside the label, for a split of one's own: the columns part, time
// and group (docs/splits.md).

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gsan {

enum class Part : std::int8_t { none, train, validation, test };

/// train, validation (val, valid), test in any case; an empty text is Part::none, another word nothing.
std::optional<Part> parse_part(std::string_view text);
/// The message about a word that is not a part.
std::string unknown_part(std::string_view text);

/// A number as it is; an ISO 8601 date, "2024-02-29" or "2024-02-29T13:05:00.5+01:00" (UTC without a zone; a
/// blank in the place of the T), as seconds since 1970. Nothing where the text is neither.
struct ItemTime {
  double value = 0;
  bool is_date = false;
};
std::optional<ItemTime> parse_time(std::string_view text);

/// An item that is in a group of its own.
inline constexpr std::int64_t no_group = -1;

/// One list per column with an entry per item; empty where the table has no such column.
struct ItemMarks {
  std::vector<Part> parts{};
  std::vector<double> times{};  ///< NaN: not known
  bool are_dates = false;       ///< what the times are
  std::vector<std::int64_t> groups{};
  std::string table{};  ///< the file that has, or could have, the columns; empty: data without such a file

  /// Entry r for item items[r] of `count`; the others have no part, no time and no group.
  ItemMarks at(const std::vector<std::int64_t>& items, std::int64_t count) const;
};

}  // namespace gsan
