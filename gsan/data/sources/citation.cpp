#include "gsan/data/sources/citation.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <torch/types.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/data/fetch/catalog.h"
#include "gsan/data/formats/arrays/object_npy.h"
#include "gsan/data/formats/listed_complex.h"
#include "gsan/data/formats/text/labels.h"
#include "gsan/data/sources/catalog_files.h"
#include "gsan/data/sources/source.h"
#include "gsan/data/transformed.h"
#include "gsan/topology/subcomplex.h"

namespace gsan {
namespace {

// Imputation on the published orders 0 … 5, each with its cofaces: one entry of the cache for all of them.
constexpr int least_order = 6;
constexpr int max_file_order = 30;  // a paper of 31 authors has 2^31 faces

// The simplices of the file, per order, as they are listed.
struct Listed {
  std::vector<std::vector<Vertex>> vertices;  // per order k: [N_k, k + 1]
  std::vector<std::vector<double>> values;
};

Listed list_simplices(const PickleValue& orders, std::string_view source) {
  if (orders.size() == 0 || orders.size() > max_file_order + 1)
    fail(Fault::format, source, ": expected 1 to ", max_file_order + 1, " orders, got ", orders.size());
  Listed listed;
  LabelCollector collector;
  for (std::size_t k = 0; k < orders.size(); ++k) {
    const PickleValue dict = orders[k];
    if (dict.kind() != PickleKind::dict)
      fail(Fault::format, source, ": order ", k, ": expected a dict of simplices");
    std::vector<double>& values = listed.values.emplace_back();
    for (std::size_t i = 0; i < dict.size(); ++i) {
      const PickleValue simplex = dict.key(i);
      if (simplex.kind() != PickleKind::set || simplex.size() != k + 1)
        fail(Fault::format, source, ": order ", k, ", entry ", i, ": expected a set of ", k + 1, " authors");
      for (std::size_t j = 0; j <= k; ++j) collector.add(simplex[j].integer());
      values.push_back(dict.value(i).number());
      if (!(std::abs(values.back()) <= 0x1p53) || values.back() != std::floor(values.back()))
        fail(Fault::format, source, ": order ", k, ", entry ", i,
             ": expected a whole number of citations, got ", values.back());
    }
  }
  std::vector<Vertex> flat;
  const Labels labels = collector.finish(flat);
  auto at = flat.begin();
  for (std::size_t k = 0; k < orders.size(); ++k) {
    const auto end = at + static_cast<std::ptrdiff_t>(listed.values[k].size() * (k + 1));
    listed.vertices.emplace_back(at, end);
    at = end;
  }
  return listed;
}

// Rows sorted as a complex has them; that it is closed under faces and lists nothing twice is checked by
// from_sorted_tables.
SimplicialComplex build_complex(const Listed& listed, std::string_view source) {
  std::vector<std::vector<Vertex>> tables;
  for (std::size_t k = 0; k < listed.vertices.size(); ++k) {
    std::vector<std::vector<Vertex>> simplices;
    for (auto at = listed.vertices[k].begin(); at != listed.vertices[k].end();) {
      const auto end = at + static_cast<std::ptrdiff_t>(k + 1);
      std::vector<Vertex>& simplex = simplices.emplace_back(at, end);
      std::sort(simplex.begin(), simplex.end());
      at = end;
    }
    std::sort(simplices.begin(), simplices.end());
    std::vector<Vertex>& table = tables.emplace_back();
    for (const auto& simplex : simplices) table.insert(table.end(), simplex.begin(), simplex.end());
  }
  try {
    return SimplicialComplex::from_sorted_tables(std::move(tables));
  } catch (const Error& error) {
    fail(Fault::format, source,
         ": the simplices make no complex (each listed once, with all its faces): ", error.what());
  }
}

// Row of the simplex at each place of the file.
std::vector<std::vector<Index>> place_rows(const Listed& listed, const SimplicialComplex& complex) {
  std::vector<std::vector<Index>> rows;
  for (int k = 0; k <= complex.order(); ++k)
    rows.push_back(place_simplices(complex, k, listed.vertices[static_cast<std::size_t>(k)]).rows);
  return rows;
}

using Values = std::vector<std::vector<double>>;  // per order, in the order of the complex

struct Papers {
  std::vector<std::vector<Vertex>> authors;
  std::vector<double> citations;
  std::vector<std::vector<std::vector<std::int32_t>>> of_simplex;  // per order and row, increasing
};

// f(σ) = Σ_{τ ⊇ σ} g(τ) solved for g from the largest simplices down: what is left of f at τ when all
// larger papers are taken off is g(τ), and a paper is taken off all its faces.
Papers invert(const SimplicialComplex& complex, Values left, std::string_view source) {
  Papers papers;
  for (int k = 0; k <= complex.order(); ++k) papers.of_simplex.emplace_back(complex.count(k));
  std::vector<Vertex> face;
  for (int k = complex.order(); k >= 0; --k) {
    for (Index i = 0; i < complex.count(k); ++i) {
      const double own = left[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)];
      if (own == 0) continue;
      if (own < 0)
        fail(Fault::format, source, ": order ", k, ": the value of simplex ", i, " is ", -own,
             " less than the papers that contain it add up to");
      const auto number = static_cast<std::int32_t>(papers.citations.size());
      const auto authors = complex.vertices(k, i);
      for (std::uint32_t subset = 1; subset < std::uint32_t{1} << (k + 1); ++subset) {
        face.clear();
        for (int j = 0; j <= k; ++j)
          if (subset >> j & 1) face.push_back(authors[static_cast<std::size_t>(j)]);
        const std::size_t order = face.size() - 1;
        const auto row = static_cast<std::size_t>(*complex.find(face));
        left[order][row] -= own;
        papers.of_simplex[order][row].push_back(number);
      }
      papers.authors.emplace_back(authors.begin(), authors.end());
      papers.citations.push_back(own);
    }
  }
  return papers;
}

Tensor to_tensor(const std::vector<double>& values) { return torch::tensor(values, torch::kFloat64); }

void add_sources(const std::vector<std::vector<std::int32_t>>& of_simplex, ValueDataset& data) {
  std::vector<std::int64_t> offsets{0};
  std::vector<std::int32_t> numbers;
  for (const auto& list : of_simplex) {
    numbers.insert(numbers.end(), list.begin(), list.end());
    offsets.push_back(static_cast<std::int64_t>(numbers.size()));
  }
  data.source_offsets.push_back(torch::tensor(offsets, torch::kInt64));
  data.sources.push_back(torch::tensor(numbers, torch::kInt32));
}

}  // namespace

CitationDataset parse_citation(std::string_view bytes, std::string_view source, int max_order) {
  GSAN_CHECK(max_order >= 0, "read_citation: max_order must be at least 0, got ", max_order);
  const Listed listed = list_simplices(parse_object_npy(bytes, source).items, source);
  const SimplicialComplex complex = build_complex(listed, source);
  const std::vector<std::vector<Index>> rows = place_rows(listed, complex);
  Values values;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    values.emplace_back(rows[k].size());
    for (std::size_t i = 0; i < rows[k].size(); ++i)
      values[k][static_cast<std::size_t>(rows[k][i])] = listed.values[k][i];
  }
  Papers papers = invert(complex, values, source);

  CitationDataset result;
  result.data.name = "citation";
  result.data.complex = skeleton(complex, std::min(max_order, complex.order())).complex;
  result.data.source_count = static_cast<int>(papers.citations.size());
  result.data.source_values = torch::tensor(papers.citations, torch::kFloat64);
  for (int k = 0; k <= result.data.complex.order(); ++k) {
    const auto order = static_cast<std::size_t>(k);
    result.data.values.push_back(to_tensor(values[order]));
    result.published_values.push_back(to_tensor(listed.values[order]));
    result.published_rows.push_back(
        torch::tensor(std::vector<std::int64_t>(rows[order].begin(), rows[order].end()), torch::kInt64));
    add_sources(papers.of_simplex[order], result.data);
  }
  result.papers = std::move(papers.authors);
  result.citations = std::move(papers.citations);
  return result;
}

CitationDataset read_citation(const std::filesystem::path& cochains, int max_order) {
  return parse_citation(read_file(cochains), cochains.string(), max_order);
}

std::vector<std::string> CitationSettings::faults() const {
  if (max_order >= 1) return {};
  return {concat("max_order must be at least 1, got ", max_order)};
}

std::vector<DataSource> citation_sources() {
  DataSource source{.name = "citation", .what = find_dataset("citation").what, .options = CitationSettings{}};
  source.values = [](const AnyOptions& options, bool by_position, int order) -> OpenedData<ValueDataset> {
    const CatalogFiles files = require_files("citation");
    const int max_order = std::max({options.as<CitationSettings>().max_order, least_order, order + 1});
    CitationDataset citation = transformed<CitationDataset>(
        "citation", concat("max_order=", max_order), files.hashes,
        [&] { return read_citation(files.folder / "150250_cochains.npy", max_order); });
    if (!by_position) return {std::move(citation.data), files.hashes};
    ValueDataset data;
    data.name = citation.data.name;
    data.complex = std::move(citation.data.complex);
    data.values = std::move(citation.published_values);
    data.remarks = {
        "Row i of the file is taken for simplex i of the complex although the file has another order: the "
        "values are permuted."};
    return {std::move(data), files.hashes};
  };
  return {source};
}

}  // namespace gsan
