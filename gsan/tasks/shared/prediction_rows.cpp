#include "gsan/tasks/shared/prediction_rows.h"

#include <cmath>

#include "gsan/core/options.h"
#include "gsan/core/text.h"

namespace gsan {
namespace {

std::string vertex_name(Vertex v, const std::vector<std::string>& names) {
  return names.empty() ? std::to_string(v) : names[static_cast<std::size_t>(v)];
}

}  // namespace

std::string number_text(double number) { return std::isnan(number) ? "nan" : options::to_text(number); }

std::vector<std::string> vertex_columns(int order) {
  std::vector<std::string> columns;
  for (int i = 0; i <= order; ++i) columns.push_back(concat("v", i));
  return columns;
}

std::vector<std::vector<std::string>> named_simplices(const SimplicialComplex& complex, int order,
                                                      const std::vector<std::string>& names) {
  std::vector<std::vector<std::string>> rows;
  for (Index i = 0; i < complex.count(order); ++i) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const Vertex v : complex.vertices(order, i)) row.push_back(vertex_name(v, names));
  }
  return rows;
}

std::string simplex_name(const SimplicialComplex& complex, int order, std::int64_t simplex,
                         const std::vector<std::string>& names) {
  return joined(complex.vertices(order, static_cast<Index>(simplex)), " ",
                [&](Vertex v) { return vertex_name(v, names); });
}

void add_column(Prediction& prediction, const std::string& name, const Tensor& values) {
  prediction.columns.push_back(name);
  const Tensor numbers = values.to(torch::kCPU, torch::kFloat64).contiguous();
  for (std::size_t i = 0; i < prediction.rows.size(); ++i)
    prediction.rows[i].push_back(number_text(numbers.const_data_ptr<double>()[i]));
}

void add_part_and_truth(Prediction& prediction, const std::vector<std::pair<std::string, Items>>& parts,
                        const std::vector<std::string>& truth, const Items& items) {
  GSAN_CHECK(
      prediction.rows.size() == items.size() || (items.empty() && prediction.rows.size() == truth.size()),
      "add_part_and_truth: there are ", prediction.rows.size(), " rows, but ", items.size(), " items with ",
      truth.size(), " true answers");
  std::vector<std::string> part(truth.size());
  for (const Phase phase : {Phase::train, Phase::validation, Phase::test})
    for (const auto& [name, members] : parts)
      if (name == name_of(phase))
        for (const std::int64_t item : members) part.at(static_cast<std::size_t>(item)) = name;
  prediction.columns.emplace_back("part");
  prediction.columns.emplace_back("truth");
  for (std::size_t row = 0; row < prediction.rows.size(); ++row) {
    const std::size_t item = items.empty() ? row : static_cast<std::size_t>(items[row]);
    prediction.rows[row].push_back(part.at(item));
    prediction.rows[row].push_back(truth.at(item));
  }
}

std::vector<std::string> label_texts(const Tensor& labels, const std::vector<std::string>& classes) {
  const Tensor list = labels.to(torch::kCPU, torch::kInt64).contiguous();
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < list.numel(); ++i) {
    const std::int64_t label = list.const_data_ptr<std::int64_t>()[i];
    texts.push_back(label == unknown_label ? "" : classes[static_cast<std::size_t>(label)]);
  }
  return texts;
}

std::vector<std::string> number_texts(const Tensor& numbers) {
  const Tensor list = numbers.to(torch::kCPU, torch::kFloat64).contiguous();
  std::vector<std::string> texts;
  for (std::int64_t i = 0; i < list.numel(); ++i) {
    const double number = list.const_data_ptr<double>()[i];
    texts.push_back(std::isnan(number) ? "" : number_text(number));
  }
  return texts;
}

}  // namespace gsan
