#include "gsan/data/split_table.h"

#include <algorithm>
#include <map>

#include "gsan/core/atomic_file.h"
#include "gsan/core/text.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/data/marked_split.h"

namespace gsan {

Split read_split_table(const std::filesystem::path& path, const ItemTexts& items) {
  const std::string source = path.string(), bytes = read_file(path);
  const std::string_view text = checked_text(bytes, source);
  CsvReader csv(text, source, detect_delimiter(text, ','));
  const std::size_t width = items.columns.size();
  std::vector<std::string> header = items.columns;
  header.emplace_back("part");
  if (!csv.next() || csv.fields().size() != header.size() ||
      !std::equal(
          header.begin(), header.end(), csv.fields().begin(),
          [](const std::string& name, const CsvField& field) { return lower_case(field.text) == name; }))
    fail_at(source, 1, 1, "expected a header with the columns ", joined(header, ","));

  std::map<std::vector<std::string>, std::int64_t> number_of;  // −1: of several items
  for (std::size_t i = 0; i < items.rows.size(); ++i) {
    std::vector<std::string> key = items.rows[i];
    std::sort(key.begin(), key.end());
    const auto [found, is_new] = number_of.emplace(std::move(key), static_cast<std::int64_t>(i));
    if (!is_new) found->second = -1;
  }
  std::vector<Part> parts(items.rows.size(), Part::none);
  std::map<std::int64_t, std::size_t> lines;
  while (csv.next()) {
    csv.check_fields(header.size());
    std::vector<std::string> key;
    for (std::size_t c = 0; c < width; ++c) key.emplace_back(csv.fields()[c].text);
    const std::string called = in_quotes(joined(key, " "));
    std::sort(key.begin(), key.end());
    const auto found = number_of.find(key);
    if (found == number_of.end()) csv.fail_at(csv.fields()[0], "the data have no item ", called);
    if (found->second < 0)
      csv.fail_at(csv.fields()[0], "several items are called ", called,
                  "; give each a name of its own, or their numbers in a JSON file");
    const auto [line, is_new] = lines.emplace(found->second, csv.fields()[0].line);
    if (!is_new) csv.fail_at(csv.fields()[0], called, " is in line ", line->second, " already");
    const auto part = parse_part(csv.fields()[width].text);
    if (!part) csv.fail_at(csv.fields()[width], unknown_part(csv.fields()[width].text));
    parts[static_cast<std::size_t>(found->second)] = *part;
  }
  return split_by_part(parts);
}

}  // namespace gsan
