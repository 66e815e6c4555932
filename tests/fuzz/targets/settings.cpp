// Configs (overrides after the byte 0xFF), catalogs of datasets, splits of a user, headers of weights files.

#include "gsan/core/config.h"
#include "gsan/data/fetch/catalog_json.h"
#include "gsan/data/split.h"
#include "gsan/data/split_table.h"
#include "gsan/nn/detail/safetensors_header.h"

#include "target.h"

namespace gsan::fuzz {
namespace {

ConfigSchema make_schema() {
  ConfigSchema schema;
  schema.add("seed", 0, "seed");
  schema.add("task.name", "x", "task");
  schema.add("model.heads", 4, "heads", at_least(1));
  schema.add("model.kind", "gsan", "which network", one_of({"gsan", "gat", "scn", "sccnn"}));
  schema.add("model.widths", std::vector<std::int64_t>{8}, "widths");
  schema.add("train.rate", 0.1, "rate");
  schema.add("train.fast", false, "flag");
  schema.add("train.names", std::vector<std::string>{}, "names");
  return schema;
}

void check_parts(const Split& split, std::int64_t count) {
  for (const Items* part : {&split.train, &split.validation, &split.test})
    for (const std::int64_t item : *part) MUST(item >= 0 && item < count);
}

}  // namespace

FUZZ_TARGET(config) {
  static const ConfigSchema schema = make_schema();
  const std::string yaml(next_part(bytes));
  std::vector<std::string> overrides;
  if (!bytes.empty()) overrides.emplace_back(bytes);
  expect_error_or_result([&] {
    const Config config = parse_config(schema, yaml, "fuzzed", overrides);
    const std::string printed = config.to_yaml();
    MUST(parse_config(schema, printed, "printed").to_yaml() == printed);
  });
}

FUZZ_TARGET(catalog) {
  expect_error_or_result([&] {
    for (const Dataset& dataset : parse_catalog(bytes, "fuzzed")) MUST(!dataset.name.empty());
  });
}

FUZZ_TARGET(split) {
  const std::string path = input_file(bytes);
  expect_error_or_result([&] { check_parts(read_split(path, 8), 8); });
}

FUZZ_TARGET(split_table) {
  const std::string path = input_file(bytes);
  const bool by_name = bytes.size() % 2 == 0;
  const ItemTexts names{{"name"}, {{"a"}, {"b"}, {"c"}}},
      edges{{"v0", "v1"}, {{"1", "2"}, {"2", "3"}, {"x", "y"}}};
  expect_error_or_result([&] { check_parts(read_split_table(path, by_name ? names : edges), 3); });
}

// Two bytes for the length of the data, then the header.
FUZZ_TARGET(safetensors) {
  if (bytes.size() < 2) return;
  const std::uint64_t length = static_cast<unsigned char>(bytes[0]) | static_cast<unsigned char>(bytes[1])
                                                                          << 8;
  expect_error_or_result([&] {
    const SafetensorsHeader header = parse_safetensors_header(bytes.substr(2), length, "fuzzed");
    const auto again = parse_safetensors_header(print_safetensors_header(header), length, "printed");
    MUST(again.entries.size() == header.entries.size());
  });
}

}  // namespace gsan::fuzz
