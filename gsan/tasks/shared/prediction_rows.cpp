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

}  // namespace gsan
