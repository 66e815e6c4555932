#include "apps/gsan/console/input.h"

#include "gsan/core/check.h"
#include "gsan/core/text.h"
#include "gsan/data/formats/lift.h"
#include "gsan/data/formats/read_complex.h"
#include "gsan/topology/examples.h"
#include "gsan/topology/subcomplex.h"

#include "apps/gsan/console/options.h"

namespace gsan::app {
namespace {

std::string format_names() {
  return joined(complex_formats(), ", ", [](const ComplexFormat& format) { return format.name; });
}

std::string example_names() {
  return joined(examples(), ", ", [](const Example& example) { return example.name; });
}

CLI::Option_group* add_source(CLI::App& command, InputOptions& options, const char* file,
                              const char* how_many) {
  CLI::Option_group* source = command.add_option_group("Complex", how_many);
  source->add_option(
      file, options.path,
      "simplices (one a line), edge or hyperedge list, points, HIF JSON, GUDHI text, OFF, OBJ, PLY, "
      "or Benson's PREFIX-nverts.txt; gzipped or not");
  source->add_option("--example", options.example, concat("a built-in complex: ", example_names()));
  return source;
}

}  // namespace

void add_max_order(CLI::App& command, ReadOptions& reading) {
  command
      .add_option("--max-order", reading.max_order,
                  "the skeleton of this order: larger simplices contribute their faces of it, and are never "
                  "formed (default: everything)")
      ->type_name("K")
      ->check(CLI::Range(0, 127));
}

void add_reading(CLI::App& command, std::string& format, ReadOptions& reading) {
  command.add_option("--format", format, concat("of the file (default: detected): ", format_names()));
  command.add_flag("--skip-degenerate", reading.skip_degenerate,
                   "leave out self loops and faces that repeat a vertex instead of refusing them");
  command.add_flag("--close-hypergraph", reading.close_hypergraph,
                   "take every hyperedge of a HIF file as a simplex with all its faces");
  add_limits(command, reading.limits);
}

void InputOptions::add_to(CLI::App& command, bool is_required) {
  add_source(command, *this, "file", is_required ? "exactly one of" : "at most one of")
      ->require_option(is_required ? 1 : 0, 1);
  add_reading(command, format, reading);
  add_max_order(command, reading);
}

void InputOptions::add_optional_to(CLI::App& command) {
  add_source(command, *this, "--complex", "at most one of")->require_option(0, 1);
  add_reading(command, format, reading);
  add_max_order(command, reading);
}

Input InputOptions::read() const {
  if (example.empty()) return {read_complex(path, format, reading), path, false};
  EmbeddedComplex embedded = example_complex(example);
  if (reading.max_order >= 0 && reading.max_order < embedded.complex.order())
    embedded.complex = skeleton(embedded.complex, reading.max_order).complex;
  Labels labels = Labels::consecutive(embedded.complex.count(0));
  return {list_embedded(std::move(embedded), std::move(labels)), "example " + example, true};
}

}  // namespace gsan::app
