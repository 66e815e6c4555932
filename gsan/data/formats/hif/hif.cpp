#include "gsan/data/formats/hif/hif.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "gsan/core/check.h"
#include "gsan/data/formats/hif/detail/hif_records.h"
#include "gsan/data/formats/list_builder.h"
#include "gsan/data/formats/numbering.h"
#include "gsan/data/formats/text/lines.h"

namespace gsan {
namespace {

constexpr double no_weight = std::numeric_limits<double>::quiet_NaN();

// Nodes or edges in order of appearance, and those that their own list names, in its order.
struct Items {
  struct Item {
    bool is_string = false;
    double weight = no_weight;
    bool listed = false;
  };
  Numbering<std::string, std::string_view> names;
  std::vector<Item> items;
  std::vector<std::size_t> list;

  const std::string& name(std::size_t number) const { return names.keys()[number]; }
};

class HifReader {
 public:
  explicit HifReader(std::string_view source) : source_(source) {}

  void read(std::string_view bytes);
  bool is_asc() const { return is_asc_; }
  ComplexFile finish(const ReadOptions& options);

 private:
  void on_record(std::string_view list, std::size_t number, HifRecord&& record);
  std::size_t find_or_add(Items& items, const char* key, std::optional<HifName>& name);
  void list_item(Items& items, const char* key, std::optional<HifName>& name, std::optional<double> weight);
  void list_simplices(ListBuilder& builder, std::vector<std::vector<double>>& weights);

  template <class... Parts>
  [[noreturn]] void fail_here(const Parts&... parts) const {
    fail(Fault::format, source_, ": ", list_, "[", number_, "]: ", parts...);
  }

  std::string_view source_;
  std::string_view list_;  // the list of the record that is being read
  std::size_t number_ = 0;
  bool is_asc_ = false, has_weights_ = false;
  Items nodes_, edges_;
  std::vector<std::pair<std::size_t, std::size_t>> incidences_;  // edge, node
};

void HifReader::read(std::string_view bytes) {
  read_hif_records(bytes, source_,
                   {[this](std::string_view list, std::size_t number, HifRecord&& record) {
                      on_record(list, number, std::move(record));
                    },
                    [this](std::string_view type) { is_asc_ = type == "asc"; }});
}

void HifReader::on_record(std::string_view list, std::size_t number, HifRecord&& record) {
  list_ = list;
  number_ = number;
  if (list == "nodes") {
    list_item(nodes_, "node", record.node, record.weight);
  } else if (list == "edges") {
    list_item(edges_, "edge", record.edge, record.weight);
  } else {
    const std::size_t edge = find_or_add(edges_, "edge", record.edge);
    incidences_.emplace_back(edge, find_or_add(nodes_, "node", record.node));
  }
}

std::size_t HifReader::find_or_add(Items& items, const char* key, std::optional<HifName>& name) {
  if (!name) fail_here("the record has no '", key, "'");
  const std::size_t number = items.names.number(name->text);
  if (number == items.items.size()) items.items.push_back({name->is_string, no_weight, false});
  if (items.items[number].is_string != name->is_string) {
    fail_here("'", key, "' ", name->text,
              " occurs as a string and as an integer; labels must differ as text");
  }
  return number;
}

void HifReader::list_item(Items& items, const char* key, std::optional<HifName>& name,
                          std::optional<double> weight) {
  const std::size_t number = find_or_add(items, key, name);
  Items::Item& item = items.items[number];
  if (item.listed) fail_here("'", key, "' ", in_quotes(items.name(number)), " is listed twice");
  item.listed = true;
  item.weight = weight.value_or(no_weight);
  has_weights_ |= weight.has_value();
  items.list.push_back(number);
}

void HifReader::list_simplices(ListBuilder& builder, std::vector<std::vector<double>>& weights) {
  std::size_t place = 0;
  const auto end_simplex = [&](std::size_t order, double weight) {
    builder.end_simplex(place++);
    if (weights.size() <= order) weights.resize(order + 1);
    weights[order].push_back(weight);
  };
  for (const std::size_t node : nodes_.list) {
    builder.add(std::string_view(nodes_.name(node)));
    end_simplex(0, nodes_.items[node].weight);
  }
  for (std::size_t i = 0; i < edges_.items.size(); ++i) {
    if (!edges_.items[i].listed) edges_.list.push_back(i);
  }
  std::vector<std::vector<std::size_t>> nodes(edges_.items.size());  // of each edge
  for (const auto& [edge, node] : incidences_) nodes[edge].push_back(node);
  for (const std::size_t edge : edges_.list) {
    const Items::Item& item = edges_.items[edge];
    if (nodes[edge].empty())
      fail(Fault::format, source_, ": edge ", in_quotes(edges_.name(edge)), " has no nodes");
    // An edge of one node that the list of nodes names as well adds nothing but its weight.
    if (nodes[edge].size() == 1 && nodes_.items[nodes[edge][0]].listed && std::isnan(item.weight)) continue;
    for (const std::size_t node : nodes[edge]) builder.add(std::string_view(nodes_.name(node)));
    end_simplex(nodes[edge].size() - 1, item.weight);
  }
}

ComplexFile HifReader::finish(const ReadOptions& options) {
  ListBuilder builder(source_, "simplex");
  std::vector<std::vector<double>> weights;  // per order
  list_simplices(builder, weights);
  ComplexFile file{builder.build(has_weights_ ? Repeats::refuse : Repeats::merge, options), {}};
  file.values.resize(file.listed.lists.size());
  weights.resize(std::min(weights.size(), file.values.size()));
  for (std::size_t k = 0; k < weights.size(); ++k) {
    bool any = false;
    for (const double weight : weights[k]) any |= !std::isnan(weight);
    if (any) file.values[k] = Signal{weights[k].size(), 1, std::move(weights[k]), {"weight"}, {}, 0};
  }
  return file;
}

}  // namespace

ComplexFile parse_hif(std::string_view bytes, std::string_view source, const ReadOptions& options) {
  HifReader reader(source);
  reader.read(bytes);
  if (!reader.is_asc() && !options.close_hypergraph) {
    fail(Fault::format, source,
         ": 'network-type' must be 'asc' (an abstract simplicial complex); to take every hyperedge as a "
         "simplex with "
         "all its faces, read with close_hypergraph");
  }
  return reader.finish(options);
}

}  // namespace gsan
