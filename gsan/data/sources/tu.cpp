#include "gsan/data/sources/tu.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/data/fetch/catalog.h"
#include "gsan/data/mean_of_faces.h"
#include "gsan/data/sources/catalog_files.h"
#include "gsan/data/sources/source.h"
#include "gsan/data/transformed.h"
#include "gsan/topology/budget.h"
#include "gsan/topology/clique_complex.h"

namespace gsan {
namespace {

std::vector<std::int64_t> distinct(std::vector<std::int64_t> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::size_t position(const std::vector<std::int64_t>& sorted, std::int64_t value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

// Features of nodes or of listed edges: labels one-hot, column after column, then attributes.
class FeatureRows {
 public:
  FeatureRows(const TuLabels& labels, const Signal& attributes) : labels_(labels), attributes_(attributes) {
    for (std::size_t c = 0; c < labels.columns; ++c) {
      std::vector<std::int64_t> column;
      for (std::size_t i = c; i < labels.values.size(); i += labels.columns)
        column.push_back(labels.values[i]);
      known_.push_back(distinct(std::move(column)));
      width_ += known_.back().size();
    }
    width_ += attributes.columns;
  }

  std::size_t width() const { return width_; }

  void add_to(std::span<float> row, std::size_t item) const {
    std::size_t start = 0;
    for (std::size_t c = 0; c < labels_.columns; ++c) {
      row[start + position(known_[c], labels_.values[item * labels_.columns + c])] += 1;
      start += known_[c].size();
    }
    for (std::size_t c = 0; c < attributes_.columns; ++c)
      row[start + c] += static_cast<float>(attributes_.row(item)[c]);
  }

 private:
  const TuLabels& labels_;
  const Signal& attributes_;
  std::vector<std::vector<std::int64_t>> known_;  // per column of labels, increasing
  std::size_t width_ = 0;
};

// One graph: its nodes and the rows of _A, by their numbers in the whole collection.
struct Part {
  std::vector<Index> nodes, edges;
};

std::span<float> row_of(const Tensor& table, std::size_t row) {
  const auto width = static_cast<std::size_t>(table.size(1));
  return {table.data_ptr<float>() + row * width, width};
}

class Lift {
 public:
  Lift(const TuText& text, const TuOptions& options)
      : text_(text),
        options_(options),
        node_rows_(text.node_labels, text.node_attributes),
        edge_rows_(text.edge_labels, text.edge_attributes),
        local_(text.node_graph.size()) {
    GSAN_CHECK(options.max_order >= 1, "tu_dataset: max_order must be at least 1, got ", options.max_order);
    GSAN_CHECK(options.edge_features == EdgeFeatures::mean_of_ends || edge_rows_.width() > 0,
               "tu_dataset: ", text.name,
               " has no edge labels nor edge attributes; use the mean of the ends");
    const auto node_width = static_cast<double>(std::max<std::size_t>(node_rows_.width(), 1));
    const double edge_width = std::max(node_width, static_cast<double>(edge_rows_.width()));
    const double bytes = 4 * (node_width * static_cast<double>(text.node_graph.size()) +
                              edge_width * static_cast<double>(text.edges.size()));
    check_memory(options.limits, "tu_dataset", bytes, "the features of nodes and edges");
  }

  ComplexDataset run() {
    ComplexDataset dataset;
    dataset.name = text_.name;
    const auto node_width = static_cast<int>(std::max<std::size_t>(node_rows_.width(), 1));
    const bool own = options_.edge_features == EdgeFeatures::own;
    dataset.widths.assign(static_cast<std::size_t>(options_.max_order) + 1,
                          own ? static_cast<int>(edge_rows_.width()) : node_width);
    dataset.widths[0] = node_width;
    for (const Part& part : parts()) {
      const auto [complex, rows] = lift(part);
      Cochains features{node_features(part, node_width)};
      features.push_back(own ? own_edge_features(part, complex, rows)
                             : mean_of_faces(complex, 1, features[0]));
      for (int k = 2; k <= options_.max_order; ++k)
        features.push_back(mean_of_faces(complex, k, features.back()));
      dataset.complexes.push_back(complex);
      dataset.features.push_back(std::move(features));
    }
    const std::vector<std::int64_t> classes = distinct(text_.graph_labels);
    std::vector<std::int64_t> labels;
    for (const std::int64_t label : text_.graph_labels)
      labels.push_back(static_cast<std::int64_t>(position(classes, label)));
    dataset.labels = torch::tensor(labels, torch::kInt64);
    dataset.classes = static_cast<int>(classes.size());
    for (const std::int64_t label : classes) dataset.class_names.push_back(std::to_string(label));
    return dataset;
  }

 private:
  std::vector<Part> parts() {
    std::vector<Part> parts(text_.graph_labels.size());
    for (std::size_t node = 0; node < text_.node_graph.size(); ++node) {
      Part& part = parts[static_cast<std::size_t>(text_.node_graph[node])];
      local_[node] = static_cast<Vertex>(part.nodes.size());
      part.nodes.push_back(static_cast<Index>(node));
    }
    for (std::size_t edge = 0; edge < text_.edges.size(); ++edge) {
      const auto [a, b] = text_.edges[edge];
      if (a == b) continue;
      const Index graph = text_.node_graph[static_cast<std::size_t>(a)];
      parts[static_cast<std::size_t>(graph)].edges.push_back(static_cast<Index>(edge));
    }
    return parts;
  }

  // The complex, and the row of order 1 of each listed edge.
  std::pair<SimplicialComplex, std::vector<Index>> lift(const Part& part) const {
    std::vector<Edge> edges;
    for (const Index number : part.edges) {
      const auto [a, b] = text_.edges[static_cast<std::size_t>(number)];
      const Vertex u = local_[static_cast<std::size_t>(a)], v = local_[static_cast<std::size_t>(b)];
      edges.push_back({std::min(u, v), std::max(u, v)});
    }
    SimplicialComplex complex =
        clique_complex(edges, static_cast<Index>(part.nodes.size()), options_.max_order, options_.limits);
    std::vector<Index> rows;
    for (const Edge& edge : edges) rows.push_back(*complex.find(edge));
    return {std::move(complex), std::move(rows)};
  }

  Tensor node_features(const Part& part, int width) const {
    if (node_rows_.width() == 0)
      return torch::ones({static_cast<std::int64_t>(part.nodes.size()), 1}, torch::kFloat32);
    const Tensor features =
        torch::zeros({static_cast<std::int64_t>(part.nodes.size()), width}, torch::kFloat32);
    for (std::size_t i = 0; i < part.nodes.size(); ++i)
      node_rows_.add_to(row_of(features, i), static_cast<std::size_t>(part.nodes[i]));
    return features;
  }

  Tensor own_edge_features(const Part& part, const SimplicialComplex& complex,
                           const std::vector<Index>& rows) const {
    const auto width = static_cast<std::int64_t>(edge_rows_.width());
    const Tensor sum = torch::zeros({complex.count(1), width}, torch::kFloat32);
    const Tensor listed = torch::zeros({complex.count(1), 1}, torch::kFloat32);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = static_cast<std::size_t>(rows[i]);
      edge_rows_.add_to(row_of(sum, row), static_cast<std::size_t>(part.edges[i]));
      row_of(listed, row)[0] += 1;
    }
    return sum / listed;
  }

  const TuText& text_;
  const TuOptions& options_;
  FeatureRows node_rows_, edge_rows_;
  std::vector<Vertex> local_;  // number of each node within its graph
};

}  // namespace

ComplexDataset tu_dataset(const TuText& text, const TuOptions& options) { return Lift(text, options).run(); }

ComplexDataset read_tu_dataset(const std::filesystem::path& folder, const TuOptions& options) {
  return tu_dataset(read_tu(folder), options);
}

std::vector<std::string> TuSettings::faults() const {
  if (max_order >= 1) return {};
  return {concat("max_order must be at least 1, got ", max_order)};
}

OpenedData<ComplexDataset> open_tu(const std::filesystem::path& folder, const DataHashes& hashes,
                                   const TuSettings& settings) {
  TuOptions options;
  options.max_order = settings.max_order;
  ComplexDataset data =
      transformed<ComplexDataset>("tu", concat("max_order=", options.max_order, ", edges=mean_of_ends"),
                                  hashes, [&] { return read_tu_dataset(folder, options); });
  return {std::move(data), hashes};
}

std::vector<DataSource> tu_sources() {
  std::vector<DataSource> sources;
  for (const Dataset& dataset : catalog()) {
    if (!dataset.folder.starts_with("tu/")) continue;
    DataSource source{.name = dataset.name, .what = dataset.what, .options = TuSettings{}};
    source.complexes = [name = dataset.name](const AnyOptions& options) {
      const CatalogFiles files = require_files(name);
      return open_tu(files.folder, files.hashes, options.as<TuSettings>());
    };
    sources.push_back(std::move(source));
  }
  return sources;
}

}  // namespace gsan
