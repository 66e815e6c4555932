#include "apps/gsan/console/signals.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/data/formats/arrays/npy.h"
#include "gsan/data/formats/signal_order.h"
#include "gsan/data/formats/text/signal_csv.h"
#include "gsan/data/formats/text/simplices_text.h"

namespace gsan::app {

Tensor to_tensor(const Signal& signal, torch::Device device) {
  Tensor x = torch::empty({static_cast<std::int64_t>(signal.rows), static_cast<std::int64_t>(signal.columns)},
                          torch::kFloat64);
  std::copy(signal.values.begin(), signal.values.end(), x.data_ptr<double>());
  return x.to(device);
}

Signal to_signal(const Tensor& x, std::vector<std::string> names) {
  const Tensor values = x.to(torch::kCPU, torch::kFloat64).contiguous();
  Signal signal;
  signal.rows = static_cast<std::size_t>(values.size(0));
  signal.columns = static_cast<std::size_t>(values.size(1));
  signal.values.assign(values.data_ptr<double>(), values.data_ptr<double>() + values.numel());
  signal.names = std::move(names);
  return signal;
}

void TableOptions::add_to(CLI::App& command, const std::string& what) {
  command.add_option("--output", folder, concat("folder for ", what, "; made when missing"));
  command.add_option("--output-format", format, "of the files in it: csv or npy")
      ->check(CLI::IsMember({"csv", "npy"}))
      ->capture_default_str();
}

std::unique_ptr<OutputFolder> TableOptions::open() const {
  return folder.empty() ? nullptr : std::make_unique<OutputFolder>(folder);
}

void TableOptions::add_tables(OutputFolder& output, const std::string& stem,
                              const std::vector<NamedSignal>& signals,
                              const std::vector<std::string>& columns, const ListedSimplices& list,
                              const ListedComplex& listed, bool oriented) const {
  const std::string suffix = concat("_", list.order);
  const auto listed_order = [&](const Tensor& x, std::vector<std::string> names) {
    return to_listed_order(to_signal(x, std::move(names)), list, listed, oriented);
  };
  if (format == "csv") {
    std::vector<Tensor> values;
    std::vector<std::string> names;
    for (const NamedSignal& signal : signals) {
      values.push_back(signal.values);
      for (const std::string& column : columns) {
        names.push_back(columns.size() == 1 ? signal.name : concat(signal.name, "_", column));
      }
    }
    output.add(stem + suffix + ".csv",
               print_signal_csv(listed_order(torch::cat(values, 1), std::move(names))));
    return;
  }
  for (const NamedSignal& signal : signals) {
    output.add(signal.name + suffix + ".npy", print_npy(listed_order(signal.values, {})));
  }
  const std::string simplices = "simplices" + suffix + ".txt";
  if (output.holds(simplices)) return;
  ListedComplex only_this{listed.labels, listed.complex, {}};
  only_this.lists.push_back(list);
  output.add(simplices, print_simplices(only_this));
}

}  // namespace gsan::app
