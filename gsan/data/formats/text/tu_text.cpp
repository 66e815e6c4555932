#include "gsan/data/formats/text/tu_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

constexpr std::string_view required[] = {"_A", "_graph_indicator", "_graph_labels"};
constexpr std::string_view optional_files[] = {"_node_labels", "_node_attributes", "_edge_labels",
                                               "_edge_attributes", "_graph_attributes"};

// The rows of one file. Blank lines may occur at its end only, so row r is line r + 1.
class Rows {
 public:
  Rows(std::string_view bytes, std::string_view source) : lines_(checked_text(bytes, source), source) {}

  bool next() {
    fields_.clear();
    if (!lines_.next()) return false;
    if (trimmed(lines_.line()).empty()) {
      const std::size_t blank = lines_.number();
      while (lines_.next())
        if (!trimmed(lines_.line()).empty())
          gsan::fail_at(lines_.source(), blank, 1, "an empty line before the end; every line is one row");
      return false;
    }
    split(trimmed(lines_.line()));
    if (width_ == 0) width_ = fields_.size();
    if (fields_.size() != width_)
      lines_.fail_at(lines_.line(), "this line has ", fields_.size(), " numbers, the lines before ", width_);
    if (lines_.number() > static_cast<std::size_t>(std::numeric_limits<Index>::max()))
      lines_.fail_at(lines_.line(), "more than 2^31 - 1 rows");
    return true;
  }

  std::size_t width() const { return width_; }
  void expect_width(std::size_t width, std::string_view what) const {
    if (fields_.size() != width)
      lines_.fail_at(lines_.line(), "expected ", what, ", got ", fields_.size(), " numbers");
  }

  double number(std::size_t i) const {
    const auto value = parse_number(fields_[i]);
    if (!value || !std::isfinite(*value))
      lines_.fail_at(fields_[i], "expected a finite number, got ", in_quotes(fields_[i]));
    return *value;
  }

  // Some collections write their labels as 1.0.
  std::int64_t integer(std::size_t i) const {
    if (const auto value = parse_integer(fields_[i])) return *value;
    const auto value = parse_number(fields_[i]);
    if (!value || std::abs(*value) > 0x1p53 || *value != std::floor(*value))
      lines_.fail_at(fields_[i], "expected an integer, got ", in_quotes(fields_[i]));
    return static_cast<std::int64_t>(*value);
  }

  // A number that counts from 1, as one that counts from 0.
  Index place(std::size_t i, std::size_t count, std::string_view what) const {
    const std::int64_t value = integer(i);
    if (value < 1 || static_cast<std::uint64_t>(value) > count)
      lines_.fail_at(fields_[i], what, " ", value, " is not among 1 … ", count);
    return static_cast<Index>(value - 1);
  }

  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    lines_.fail_at(lines_.line(), parts...);
  }

 private:
  // Fields end at a comma with blanks around it, or at blanks.
  void split(std::string_view rest) {
    for (;;) {
      const std::size_t end = std::min(rest.find_first_of(", \t"), rest.size());
      if (end == 0) lines_.fail_at(rest, "a number is missing before the comma or the end");
      fields_.push_back(rest.substr(0, end));
      rest.remove_prefix(end);
      const std::size_t before = rest.size();
      rest = trimmed(rest);
      if (before == 0) return;
      if (!rest.starts_with(',')) continue;
      rest.remove_prefix(1);
      rest = trimmed(rest);
    }
  }

  Lines lines_;
  std::vector<std::string_view> fields_;
  std::size_t width_ = 0;
};

class Parser {
 public:
  Parser(const TuFiles& files, const std::string& name, const std::filesystem::path& folder)
      : files_(files), name_(name), folder_(folder) {}

  TuText parse() {
    TuText text;
    text.name = name_;
    for (const std::string_view suffix : required)
      if (find(suffix) == nullptr) fail(Fault::io, "cannot read ", source(suffix), ": there is no such file");
    const TuLabels labels = read_labels("_graph_labels", std::nullopt);
    if (labels.columns > 1) fail_at(source("_graph_labels"), 1, 1, "expected one label per graph");
    text.graph_labels = labels.values;
    read_nodes(text);
    read_edges(text);
    const std::size_t nodes = text.node_graph.size(), edges = text.edges.size();
    text.node_labels = read_labels("_node_labels", nodes);
    text.edge_labels = read_labels("_edge_labels", edges);
    text.node_attributes = read_attributes("_node_attributes", nodes);
    text.edge_attributes = read_attributes("_edge_attributes", edges);
    text.graph_attributes = read_attributes("_graph_attributes", text.graph_labels.size());
    return text;
  }

 private:
  const std::string* find(std::string_view suffix) const {
    const auto found = files_.find(std::string(suffix));
    return found == files_.end() ? nullptr : &found->second;
  }
  std::string source(std::string_view suffix) const {
    return (folder_ / (name_ + std::string(suffix) + ".txt")).string();
  }

  void check_rows(std::string_view suffix, std::size_t rows, std::optional<std::size_t> wanted) const {
    if (wanted && rows != *wanted)
      fail_at(source(suffix), rows + 1, 1, "the file ends after ", rows, " rows, expected ", *wanted);
  }

  void read_nodes(TuText& text) const {
    const std::string from = source("_graph_indicator");
    Rows rows(*find("_graph_indicator"), from);
    while (rows.next()) {
      rows.expect_width(1, "the graph of one node");
      text.node_graph.push_back(rows.place(0, text.graph_labels.size(), "graph"));
    }
  }

  void read_edges(TuText& text) const {
    const std::string from = source("_A");
    Rows rows(*find("_A"), from);
    while (rows.next()) {
      rows.expect_width(2, "the two nodes of an edge");
      const Index a = rows.place(0, text.node_graph.size(), "node"),
                  b = rows.place(1, text.node_graph.size(), "node");
      const Index graph = text.node_graph[static_cast<std::size_t>(a)],
                  other = text.node_graph[static_cast<std::size_t>(b)];
      if (graph != other)
        rows.fail_here("the edge (", a + 1, ", ", b + 1, ") joins graph ", graph + 1, " to graph ",
                       other + 1);
      text.edges.push_back({a, b});
    }
  }

  TuLabels read_labels(std::string_view suffix, std::optional<std::size_t> wanted) const {
    TuLabels labels;
    const std::string* bytes = find(suffix);
    if (bytes == nullptr) return labels;
    const std::string from = source(suffix);
    Rows rows(*bytes, from);
    std::size_t count = 0;
    for (; rows.next(); ++count)
      for (std::size_t i = 0; i < rows.width(); ++i) labels.values.push_back(rows.integer(i));
    labels.columns = rows.width();
    check_rows(suffix, count, wanted);
    return labels;
  }

  Signal read_attributes(std::string_view suffix, std::size_t wanted) const {
    Signal signal;
    const std::string* bytes = find(suffix);
    if (bytes == nullptr) return signal;
    const std::string from = source(suffix);
    Rows rows(*bytes, from);
    for (; rows.next(); ++signal.rows)
      for (std::size_t i = 0; i < rows.width(); ++i) signal.values.push_back(rows.number(i));
    signal.columns = rows.width();
    check_rows(suffix, signal.rows, wanted);
    return signal;
  }

  const TuFiles& files_;
  const std::string& name_;
  const std::filesystem::path& folder_;
};

}  // namespace

TuText parse_tu(const TuFiles& files, const std::string& name, const std::filesystem::path& folder) {
  return Parser(files, name, folder).parse();
}

TuText read_tu(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(folder)) fail(Fault::io, "cannot read ", folder, ": there is no such folder");
  constexpr std::string_view end = "_A.txt";
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string file = entry.path().filename().string();
    if (file.size() > end.size() && file.ends_with(end))
      names.push_back(file.substr(0, file.size() - end.size()));
  }
  if (names.size() != 1)
    fail(Fault::io, "cannot read ", folder, ": expected one file NAME_A.txt in the folder, found ",
         names.size());
  TuFiles files;
  const auto add = [&](std::string_view suffix, bool needed) {
    const fs::path path = folder / (names[0] + std::string(suffix) + ".txt");
    if (needed || fs::exists(path)) files.emplace(suffix, read_file(path));
  };
  for (const std::string_view suffix : required) add(suffix, true);
  for (const std::string_view suffix : optional_files) add(suffix, false);
  return parse_tu(files, names[0], folder);
}

}  // namespace gsan
