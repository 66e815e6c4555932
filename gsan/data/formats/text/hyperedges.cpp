#include "gsan/data/formats/text/hyperedges.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "gsan/core/text.h"
#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/numbering.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/data/formats/text/key_columns.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {
namespace {

constexpr std::string_view hyperedge_comments = "#%";

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), lower_case(name)) != names.end();
}

// edge,node and the like.
bool is_incidence_header(const std::vector<CsvField>& fields) {
  return fields.size() >= 2 &&
         is_one_of(fields[0].text, {"edge", "edges", "hyperedge", "edge_id", "simplex"}) &&
         is_one_of(fields[1].text, {"node", "nodes", "vertex", "node_id", "v0"});
}

// How many vertices the header of a table of hyperedges names, with a weight behind them or nothing; 0: it is
// none.
std::size_t named_vertices(const std::vector<CsvField>& fields) {
  const std::size_t vertices = key_columns(fields);
  const bool ends = fields.size() == vertices ||
                    (fields.size() == vertices + 1 && is_one_of(fields.back().text, {"weight"}));
  return ends ? vertices : 0;
}

class HyperedgeRows {
 public:
  HyperedgeRows(CsvReader& csv, const ReadOptions& options) : csv_(csv), options_(options) {}

  // A row per incidence; the reader is at the header.
  void read_incidences() {
    Numbering<std::string, std::string_view> edges;
    std::vector<std::vector<std::string>> nodes;
    std::vector<std::size_t> lines;
    const std::size_t width = csv_.fields().size();
    while (csv_.next()) {
      csv_.check_fields(width);
      const auto& fields = csv_.fields();
      check_label(fields[0], "the name of the hyperedge is missing");
      check_label(fields[1], "the label of a vertex is missing");
      const std::size_t edge = edges.number(fields[0].text);
      if (edge == nodes.size()) nodes.emplace_back(), lines.push_back(fields[0].line);
      nodes[edge].emplace_back(fields[1].text);
    }
    for (std::size_t e = 0; e < nodes.size(); ++e) {
      std::vector<std::string>& all = nodes[e];
      std::vector<std::string_view> sorted(all.begin(), all.end());
      std::sort(sorted.begin(), sorted.end());
      sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
      std::vector<bool> is_taken(sorted.size());
      for (const std::string& node : all) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), node) - sorted.begin();
        if (!is_taken[static_cast<std::size_t>(at)]) builder_.add(std::string_view(node));
        is_taken[static_cast<std::size_t>(at)] = true;
      }
      builder_.end_simplex(lines[e]);
    }
  }

  // A row per hyperedge, the current one included; `vertices`: columns of them, 0: all of each row.
  void read_rows(std::size_t vertices, bool has_weights) {
    has_weights_ = has_weights;
    do {
      const auto& fields = csv_.fields();
      if (has_weights) csv_.check_fields(vertices + 1);
      if (vertices > 0 && fields.size() > vertices + has_weights)
        csv_.fail_at(fields.back(), "the header names ", vertices, " vertices, this row has ", fields.size(),
                     " fields; name them v0 ... v", fields.size() - 1);
      std::size_t size = fields.size() - has_weights;
      while (size > 0 && fields[size - 1].text.empty() && !fields[size - 1].quoted) --size;
      if (size == 0) csv_.fail_at(fields.front(), "a hyperedge needs at least one vertex");
      for (std::size_t i = 0; i < size; ++i) check_label(fields[i], "the label of a vertex is missing");
      if (options_.skip_degenerate && has_repeats(size)) continue;
      for (std::size_t i = 0; i < size; ++i) builder_.add(fields[i].text);
      builder_.end_simplex(fields.front().line);
      if (has_weights) add_weight(fields.back(), size - 1);
    } while (csv_.next());
  }

  ComplexFile finish() {
    ComplexFile file{builder_.build(has_weights_ ? Repeats::refuse : Repeats::merge, options_), {}};
    file.values.resize(file.listed.lists.size());
    for (std::size_t k = 0; k < std::min(weights_.size(), file.values.size()); ++k)
      if (!weights_[k].empty())
        file.values[k] = Signal{weights_[k].size(), 1, std::move(weights_[k]), {"weight"}, {}, 0};
    return file;
  }

 private:
  void check_label(const CsvField& field, std::string_view what) const {
    if (field.text.empty() && !field.quoted) csv_.fail_at(field, what);
  }

  bool has_repeats(std::size_t size) const {
    std::vector<std::string_view> labels;
    for (std::size_t i = 0; i < size; ++i) labels.push_back(csv_.fields()[i].text);
    std::sort(labels.begin(), labels.end());
    return std::adjacent_find(labels.begin(), labels.end()) != labels.end();
  }

  void add_weight(const CsvField& field, std::size_t order) {
    const auto weight = parse_number(field.text);
    if (!weight || !std::isfinite(*weight))
      csv_.fail_at(field, "a weight must be a finite number, got ", in_quotes(field.text));
    if (weights_.size() <= order) weights_.resize(order + 1);
    weights_[order].push_back(*weight);
  }

  CsvReader& csv_;
  const ReadOptions& options_;
  ListBuilder builder_{csv_.source(), "line"};
  bool has_weights_ = false;
  std::vector<std::vector<double>> weights_;  // per order
};

}  // namespace

bool has_hyperedge_header(std::string_view bytes) {
  const char delimiter = detect_delimiter(bytes, ' ', hyperedge_comments);
  CsvReader csv(bytes, "", delimiter, hyperedge_comments);
  return delimiter != ' ' && csv.next() &&
         (is_incidence_header(csv.fields()) || named_vertices(csv.fields()) > 2);
}

bool is_ragged(std::string_view bytes, std::string_view source) {
  CsvReader csv(bytes, source, detect_delimiter(bytes, ' ', hyperedge_comments), hyperedge_comments);
  if (!csv.next()) return false;
  const std::size_t width = csv.fields().size();
  while (csv.next())
    if (csv.fields().size() != width) return true;
  return false;
}

ComplexFile parse_hyperedges(std::string_view bytes, std::string_view source, const ReadOptions& options) {
  CsvReader csv(bytes, source, detect_delimiter(bytes, ' ', hyperedge_comments), hyperedge_comments);
  if (!csv.next()) return {};
  HyperedgeRows rows(csv, options);
  const std::size_t vertices = options.header == HeaderRow::absent ? 0 : named_vertices(csv.fields());
  if (options.header != HeaderRow::absent && is_incidence_header(csv.fields())) {
    rows.read_incidences();
  } else if (vertices > 0 || options.header == HeaderRow::present) {
    const bool has_weights = vertices > 0 && csv.fields().size() > vertices;
    if (csv.next()) rows.read_rows(vertices, has_weights);
  } else {
    rows.read_rows(0, false);
  }
  return rows.finish();
}

}  // namespace gsan
