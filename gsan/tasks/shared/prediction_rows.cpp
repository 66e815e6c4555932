#include "gsan/tasks/shared/prediction_rows.h"

#include <cmath>

#include "gsan/core/options.h"

namespace gsan {

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
    for (const Vertex v : complex.vertices(order, i))
      row.push_back(names.empty() ? std::to_string(v) : names[static_cast<std::size_t>(v)]);
  }
  return rows;
}

void add_column(Prediction& prediction, const std::string& name, const Tensor& values) {
  prediction.columns.push_back(name);
  const Tensor numbers = values.to(torch::kCPU, torch::kFloat64).contiguous();
  for (std::size_t i = 0; i < prediction.rows.size(); ++i)
    prediction.rows[i].push_back(number_text(numbers.const_data_ptr<double>()[i]));
}

}  // namespace gsan
