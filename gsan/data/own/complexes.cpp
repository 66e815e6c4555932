// Many labelled complexes: a sub-folder each, or rows of common tables.

#include <algorithm>

#include <torch/types.h>

#include "gsan/core/check.h"
#include "gsan/data/formats/text/lines.h"
#include "gsan/data/mean_of_faces.h"
#include "gsan/data/own/label_table.h"
#include "gsan/data/own/named_complexes.h"
#include "gsan/data/own/order_table.h"
#include "gsan/data/own/own_data.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> sub_folders(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (entry->is_directory(error) && !name.starts_with(".")) names.push_back(name);
  }
  if (error) fail(Fault::io, "cannot read the folder ", folder.string(), ": ", error.message());
  std::sort(names.begin(), names.end());
  return names;
}

// Widths per order, from the complexes that have features of it; −1 where none has.
class Widths {
 public:
  void take(int order, const Tensor& features, const std::string& source) {
    if (order >= static_cast<int>(known_.size())) known_.resize(static_cast<std::size_t>(order) + 1);
    Known& known = known_[static_cast<std::size_t>(order)];
    const auto width = static_cast<int>(features.size(1));
    if (known.width >= 0 && known.width != width)
      fail(Fault::format, source, ": ", width, " features of order ", order, ", but ", known.source, " has ",
           known.width, "; every complex needs the same");
    if (known.width < 0) known = {width, source};
  }
  int own(int order) const {
    return order < static_cast<int>(known_.size()) ? known_[static_cast<std::size_t>(order)].width : -1;
  }
  const std::string& source(int order) const { return known_[static_cast<std::size_t>(order)].source; }

 private:
  struct Known {
    int width = -1;
    std::string source{};
  };
  std::vector<Known> known_;
};

}  // namespace

bool is_tu_folder(const fs::path& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename().string().ends_with("_A.txt")) return true;
  return false;
}

std::vector<NamedComplex> read_sub_folders(OwnFolder& folder) {
  std::vector<NamedComplex> all;
  for (const std::string& name : sub_folders(folder.path())) {
    OwnFolder part(folder.path() / name, folder.settings());
    ListedComplex listed = part.read_complex();
    Cochains features = read_features(part, listed);
    part.refuse_unread();
    for (const auto& [file, sum] : part.hashes()) folder.add_hash(file, sum);
    all.push_back({name, std::move(listed), std::move(features), part.path().string()});
  }
  return all;
}

ComplexDataset read_own_complexes(OwnFolder& folder) {
  ComplexDataset dataset;
  dataset.name = folder.name();
  const auto rows = folder.find({"complexes.csv", "complexes.txt"});
  const std::vector<NamedComplex> all = rows ? read_complex_rows(folder, *rows) : read_sub_folders(folder);
  if (all.empty())
    fail(
        Fault::io, folder.path().string(),
        ": there are no complexes; make a sub-folder with a file complex.* for each, or a file complexes.csv "
        "with the columns complex,v0,v1,..., or put a collection in the TU text format (NAME_A.txt, ...) "
        "there (docs/own-data.md)");
  Widths widths;
  int top = 0;
  for (const NamedComplex& one : all) {
    dataset.item_names.push_back(one.name);
    dataset.complexes.push_back(one.listed.complex);
    top = std::max(top, one.listed.complex.order());
    for (std::size_t k = 0; k < one.features.size(); ++k)
      if (one.features[k].defined())
        widths.take(static_cast<int>(k), one.features[k], concat(one.source, ", features_", k));
  }
  dataset.has_features = false;
  for (int k = 0; k <= top; ++k) {
    dataset.has_features = dataset.has_features || widths.own(k) > 0;
    dataset.widths.push_back(widths.own(k) >= 0 ? widths.own(k) : k == 0 ? 1 : dataset.widths.back());
  }
  for (const NamedComplex& one : all) {
    const SimplicialComplex& complex = one.listed.complex;
    Cochains features;
    for (int k = 0; k <= top; ++k) {
      const auto order = static_cast<std::size_t>(k);
      const Tensor own = order < one.features.size() ? one.features[order] : Tensor();
      if (own.defined()) {
        features.push_back(own.to(torch::kFloat32));
      } else if (widths.own(k) >= 0 && complex.count(k) > 0) {
        fail(Fault::format, one.source, ": there is no features_", k, ".csv for it, but ", widths.source(k),
             " are there; every complex needs the same");
      } else if (k == 0 || complex.count(k) == 0) {
        features.push_back(torch::ones({complex.count(k), dataset.widths[order]}, torch::kFloat32));
      } else {
        features.push_back(mean_of_faces(complex, k, features.back()));
      }
    }
    dataset.features.push_back(std::move(features));
  }
  std::vector<std::string> labels(dataset.item_names.size());
  if (const auto file = folder.find({"labels.csv"})) {
    const LabelTable table = read_label_table(folder, *file);
    if (table.names.empty() && !table.labels.empty())
      fail_at(folder.source(*file), table.lines.front(), 1,
              "expected the columns name,label: which complex has which label");
    check_names_differ(table.names, table.lines, folder.source(*file));
    std::vector<std::int64_t> items;
    for (std::size_t r = 0; r < table.labels.size(); ++r) {
      const auto found =
          std::lower_bound(dataset.item_names.begin(), dataset.item_names.end(), table.names[r]);
      if (found == dataset.item_names.end() || *found != table.names[r])
        fail_at(folder.source(*file), table.lines[r], 1,
                rows ? "there is no complex " : "there is no sub-folder ", in_quotes(table.names[r]));
      items.push_back(found - dataset.item_names.begin());
      labels[static_cast<std::size_t>(items.back())] = table.labels[r];
    }
    dataset.marks = table.marks.at(items, std::ssize(labels));
  }
  ClassLabels classes = number_classes(labels);
  dataset.labels = torch::tensor(classes.numbers, torch::kInt64);
  dataset.classes = static_cast<int>(classes.class_names.size());
  dataset.class_names = std::move(classes.class_names);
  return dataset;
}

}  // namespace gsan
