// gsan lift: from a graph, points, a mesh or a grid to a simplicial complex.

#include "gsan/data/formats/lift.h"

#include <functional>
#include <memory>
#include <optional>
#include <sstream>

#include "gsan/core/atomic_file.h"
#include "gsan/data/formats/read_complex.h"
#include "gsan/data/formats/signal_order.h"
#include "gsan/data/formats/text/signal_csv.h"
#include "gsan/topology/hex_grid.h"
#include "gsan/topology/homology.h"

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/bounds.h"
#include "apps/gsan/console/input.h"
#include "apps/gsan/console/options.h"
#include "apps/gsan/console/table.h"

namespace gsan::app {
namespace {

struct LiftOptions {
  std::string path, format;
  ReadOptions reading;
  int max_order = 2;
  double threshold = 0;
  Index rows = 10, columns = 10;
  std::vector<std::string> holes;
  std::string output, points;
  ReportOptions report;

  /// `usual`: the format of a file whose extension is not that of another one.
  ComplexFile read(std::string_view usual = {}) const { return read_complex(path, format, reading, usual); }
  /// The same, no more than the edges of its simplices.
  ComplexFile read_graph() const {
    ReadOptions edges = reading;
    edges.max_order = 1;
    return read_complex(path, format, edges, "edges");
  }
};

using Lift = std::function<LabeledComplex(const LiftOptions&)>;

Disc parse_hole(const std::string& text) {
  std::istringstream stream(text);
  Disc hole;
  char first = 0, second = 0;
  GSAN_CHECK(stream >> hole.x >> first >> hole.y >> second >> hole.radius && first == ',' && second == ',' &&
                 stream.peek() == std::istringstream::traits_type::eof(),
             "--hole: must read X,Y,RADIUS, got '", text, "'");
  return hole;
}

LabeledComplex lift_hex(const LiftOptions& options) {
  std::vector<Disc> holes;
  for (const std::string& hole : options.holes) holes.push_back(parse_hole(hole));
  EmbeddedComplex grid = hex_grid(options.rows, options.columns, holes, options.reading.limits);
  const Index vertices = grid.complex.count(0);
  return {std::move(grid), Labels::consecutive(vertices)};
}

// --output and --points, both or none; the paths that were written.
Json write_files(LabeledComplex lifted, const LiftOptions& options, const std::string& source) {
  Json written = Json::array();
  std::optional<AtomicFile> points_file;
  if (!options.points.empty()) points_file.emplace(options.points);
  if (options.output.empty() && !points_file) return written;
  ComplexFile file = list_embedded(std::move(lifted.embedded), std::move(lifted.labels));
  if (points_file) {
    GSAN_CHECK(!file.values.empty() && file.values[0].columns > 0, "--points: ", source,
               " has no coordinates");
    points_file->stream() << print_signal_csv(
        to_listed_order(file.values[0], file.listed, 0, /*oriented=*/false));
  }
  if (!options.output.empty()) {
    file.values.clear();  // coordinates, not the weights or filtration values that a format may hold
    write_complex(options.output, file);
    written.push_back(options.output);
  }
  if (points_file) {
    points_file->commit();
    written.push_back(options.points);
  }
  return written;
}

ExitCode run(const LiftOptions& options, const std::string& kind, const Lift& lift) {
  LabeledComplex lifted = lift(options);
  const std::string source =
      options.path.empty() ? concat(options.rows, " x ", options.columns, " cells") : options.path;
  const SimplicialComplex complex = lifted.embedded.complex;
  Json report{{"command", "lift"}, {"kind", kind}, {"source", source}, {"order", complex.order()}};
  report["counts"] = Json::array();
  Table table({"order", "simplices"});
  for (int k = 0; k <= complex.order(); ++k) {
    report["counts"].push_back(complex.count(k));
    table.add({std::to_string(k), std::to_string(complex.count(k))});
  }
  report["euler_characteristic"] = euler_characteristic(complex);
  report["memory_bytes"] = complex.memory();
  report["files"] = write_files(std::move(lifted), options, source);
  options.report.write(report, concat(kind, " complex of ", source, "\n", table.text(),
                                      "Euler characteristic  ", report["euler_characteristic"].dump(),
                                      "\nmemory                ", show_bytes(complex.memory()), "\n"));
  return ExitCode::success;
}

}  // namespace

Command add_lift(CLI::App& app) {
  auto options = std::make_shared<LiftOptions>();
  auto action = std::make_shared<std::function<ExitCode()>>();
  CLI::App* command = app.add_subcommand("lift", "Build a complex from a graph, points, a mesh or a grid");
  command->require_subcommand(1);
  command->footer(
      "Example:\n  gsan lift hex --rows 8 --columns 10 --hole 4,3,1.5 --output grid.txt --points grid.csv");
  const auto add_kind = [&](const std::string& name, const std::string& help, const std::string& example,
                            const Lift& lift) {
    CLI::App* kind = command->add_subcommand(name, help);
    kind->footer("Example:\n  " + example);
    kind->add_option("--output", options->output,
                     "file for the simplices, all orders (.json: HIF, .gudhi: GUDHI, else text)");
    kind->add_option("--points", options->points, "CSV file for the coordinates of the vertices");
    options->report.add_to(*kind, false);
    kind->callback([=] { *action = [=] { return run(*options, name, lift); }; });
    return kind;
  };
  const auto add_file = [&](CLI::App* kind, const std::string& help) {
    kind->add_option("file", options->path, help)->required();
    add_reading(*kind, options->format, options->reading);
  };
  const auto add_lift_order = [&](CLI::App* kind) {
    kind->add_option("--max-order", options->max_order, "largest order of a simplex")
        ->check(CLI::Range(0, 127))
        ->capture_default_str();
  };

  CLI::App* clique = add_kind(
      "clique", "The cliques of a graph", "gsan lift clique edges.txt --max-order 3 --output complex.txt",
      [](const LiftOptions& o) { return lift_clique(o.read_graph(), o.max_order, o.reading.limits); });
  add_file(clique, "edge list: two vertices a line; of any other file its edges");
  add_lift_order(clique);
  CLI::App* rips =
      add_kind("rips", "Vietoris-Rips: points closer than a threshold",
               "gsan lift rips points.csv --threshold 1.2 --output complex.txt", [](const LiftOptions& o) {
                 return lift_rips(o.read("points"), o.threshold, o.max_order, o.reading.limits);
               });
  add_file(rips, "points as CSV, one a row");
  add_lift_order(rips);
  rips->add_option("--threshold", options->threshold, "longest edge")->required()->check(not_negative());
  add_file(add_kind("delaunay", "Delaunay triangulation of points in the plane or in space",
                    "gsan lift delaunay points.csv --output complex.txt",
                    [](const LiftOptions& o) { return lift_delaunay(o.read("points"), o.reading.limits); }),
           "points as CSV, two or three coordinates a row");
  CLI::App* mesh = add_kind("mesh", "A mesh, or any other file of simplices, with all its faces",
                            "gsan lift mesh mesh.off --output complex.txt --points mesh.csv",
                            [](const LiftOptions& o) { return lift_mesh(o.read()); });
  add_file(mesh, "OFF, OBJ, PLY, …");
  add_max_order(*mesh, options->reading);
  CLI::App* hex = add_kind("hex", "A hexagonal grid in the plane, with holes",
                           "gsan lift hex --rows 8 --columns 10 --hole 4,3,1.5 --output grid.txt", lift_hex);
  hex->add_option("--rows", options->rows, "rows of cells")->check(not_negative())->capture_default_str();
  hex->add_option("--columns", options->columns, "cells in a row")
      ->check(not_negative())
      ->capture_default_str();
  hex->add_option("--hole", options->holes, "X,Y,RADIUS: take out the cells around a point; may be repeated");
  add_limits(*hex, options->reading.limits);
  return {command, [action] { return (*action)(); }};
}

}  // namespace gsan::app
