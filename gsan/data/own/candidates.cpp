// Simplices of which it is asked whether they belong to the complex.

#include <algorithm>
#include <optional>

#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/data/formats/text/csv.h"
#include "gsan/data/formats/text/number.h"
#include "gsan/data/own/label_table.h"
#include "gsan/data/own/order_table.h"
#include "gsan/data/own/own_data.h"
#include "gsan/topology/builder.h"

namespace gsan {
namespace {

constexpr const char* candidates_file = "candidates.csv";

struct Candidate {
  std::vector<Vertex> vertices;  // increasing
  std::int64_t label;
  std::size_t line;
};

// The first face that the complex lacks, all smaller ones looked at before.
std::optional<std::vector<Vertex>> missing_face(const SimplicialComplex& complex,
                                                const std::vector<Vertex>& simplex) {
  for (std::size_t size = 1; size < simplex.size(); ++size) {
    std::vector<bool> chosen(simplex.size());
    std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(size), true);
    do {
      std::vector<Vertex> face;
      for (std::size_t i = 0; i < simplex.size(); ++i)
        if (chosen[i]) face.push_back(simplex[i]);
      if (!complex.find(face)) return face;
    } while (std::prev_permutation(chosen.begin(), chosen.end()));
  }
  return std::nullopt;
}

struct CandidateTable {
  std::vector<Candidate> rows;
  ItemMarks marks;
};

CandidateTable read_candidates(std::string_view bytes, const std::string& source, const ListedComplex& listed,
                               int order) {
  const std::string_view text = checked_text(bytes, source);
  CsvReader csv(text, source, detect_delimiter(text, ','));
  const auto width = static_cast<std::size_t>(order) + 1;
  CandidateTable candidates;
  if (!csv.next() || csv.fields()[0].text != "v0")
    fail_at(source, 1, 1, "expected a header with the columns v0 ... v", order, ",label");
  std::size_t named = 0;
  while (named < csv.fields().size() && csv.fields()[named].text == concat("v", named)) ++named;
  if (named != width)
    csv.fail_at(csv.fields()[0], "expected the columns v0 ... v", order, ",label of candidates of order ",
                order, ", got ", named, " vertices and ", csv.fields().size() - named,
                " more columns; the order is set by simplex-prediction.order");
  const std::size_t columns = csv.fields().size();
  MarkColumns marks(csv, width);
  const bool has_labels = columns > width;
  const std::size_t label_column = has_labels ? column_of_labels(csv, marks, "label") : 0;
  while (csv.next()) {
    csv.check_fields(columns);
    Candidate candidate{{}, unknown_label, csv.fields()[0].line};
    for (std::size_t i = 0; i < width; ++i) {
      const auto vertex = listed.labels.find(csv.fields()[i].text);
      if (!vertex)
        csv.fail_at(csv.fields()[i], "the complex has no vertex ", in_quotes(csv.fields()[i].text));
      candidate.vertices.push_back(*vertex);
    }
    if (sort_with_sign(candidate.vertices) == 0)
      csv.fail_at(csv.fields()[0], "the vertices of a simplex must differ");
    if (has_labels) {
      const std::string_view label = csv.fields()[label_column].text;
      if (label == "1" || label == "0") {
        candidate.label = label == "1";
      } else if (!spells_missing(label)) {
        csv.fail_at(csv.fields()[label_column],
                    "a label must be 1 (belongs to the complex), 0 (does not) or empty or NA "
                    "(unknown), got ",
                    in_quotes(label));
      }
    }
    if (const auto face = missing_face(listed.complex, candidate.vertices))
      csv.fail_at(csv.fields()[0], "the complex has no simplex ", listed.labels.text(*face), ", a face of ",
                  listed.labels.text(candidate.vertices),
                  "; every proper face of a candidate must be in the complex");
    if (listed.complex.find(candidate.vertices) && candidate.label != 1)
      csv.fail_at(
          csv.fields()[0], listed.labels.text(candidate.vertices),
          " is a simplex of the complex, so its label must be 1; take it out of the complex or of the "
          "candidates");
    candidates.rows.push_back(std::move(candidate));
    marks.read(csv);
  }
  candidates.marks = marks.marks(candidates_file);
  return candidates;
}

}  // namespace

CandidateDataset read_own_candidates(OwnFolder& folder, int order) {
  GSAN_CHECK(order >= 1, "candidates: the order must be at least 1, got ", order);
  const auto file = folder.find({candidates_file});
  if (!file)
    fail(Fault::io, folder.path().string(), ": there is no ", candidates_file,
         "; put it there with the columns v0 ... v", order, ",label (docs/own-data.md)");
  const ListedComplex listed = folder.read_complex();
  if (listed.complex.order() < order - 1)
    fail(Fault::format, folder.path().string(), ": candidates of order ", order,
         " need a complex of order at least ", order - 1, ", this one has order ", listed.complex.order());
  const std::string source = folder.source(*file);
  const CandidateTable candidates = read_candidates(folder.read(*file), source, listed, order);
  CandidateDataset dataset;
  dataset.name = folder.name();
  dataset.order = order;
  dataset.vertex_names = vertex_names(listed.labels);
  ComplexBuilder builder;
  builder.add_vertices(listed.complex.count(0));
  for (int k = 1; k <= std::min(order, listed.complex.order()); ++k)
    for (Index i = 0; i < listed.complex.count(k); ++i) builder.add(listed.complex.vertices(k, i));
  for (const Candidate& candidate : candidates.rows) builder.add(candidate.vertices);
  dataset.complex = builder.build();
  const auto rows = static_cast<std::size_t>(dataset.complex.count(order));
  dataset.is_candidate.assign(rows, false);
  std::vector<std::int64_t> labels(rows, unknown_label);
  std::vector<std::int64_t> items;
  for (const Candidate& candidate : candidates.rows) {
    const auto row = static_cast<std::size_t>(*dataset.complex.find(candidate.vertices));
    if (dataset.is_candidate[row])
      fail_at(source, candidate.line, 1, "the candidate ", listed.labels.text(candidate.vertices),
              " is listed twice");
    dataset.is_candidate[row] = true;
    labels[row] = candidate.label;
    items.push_back(static_cast<std::int64_t>(row));
  }
  dataset.marks = candidates.marks.at(items, std::ssize(labels));
  dataset.labels = torch::tensor(labels, torch::kInt64);
  dataset.features = read_features(folder, listed, order);  // those of order k would tell the answer
  dataset.features.resize(static_cast<std::size_t>(order));
  return dataset;
}

}  // namespace gsan
