#include "gsan/data/label_numbers.h"

#include <cmath>
#include <limits>

#include "gsan/core/check.h"
#include "gsan/data/formats/text/number.h"

namespace gsan {

Tensor label_numbers(const ComplexDataset& dataset) {
  const Tensor labels = dataset.labels.to(torch::kCPU, torch::kInt64).contiguous();
  std::vector<double> numbers(dataset.complexes.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t label = labels.const_data_ptr<std::int64_t>()[i];
    if (label == unknown_label) continue;
    if (dataset.class_names.empty()) {  // classes are called by their numbers
      numbers[i] = static_cast<double>(label);
      continue;
    }
    const std::string& text = dataset.class_names[static_cast<std::size_t>(label)];
    const auto number = parse_number(text);
    GSAN_CHECK(number && std::isfinite(*number), dataset.name, ": the label '", text, "' of ",
               dataset.item_names.empty() ? std::to_string(i) : dataset.item_names[i],
               " is no finite number; write a number, or leave it empty where it is unknown");
    numbers[i] = *number;
  }
  return torch::tensor(numbers, torch::kFloat64);
}

}  // namespace gsan
