// gsan bench: how fast the parts of the library are on this machine, and how far that is from what the
// machine could do at most.

#include "apps/gsan/bench/bench.h"

#include <memory>

#include "apps/gsan/commands/command.h"
#include "apps/gsan/console/device.h"

namespace gsan::app {
namespace {

struct Subject {
  const char* name;
  const char* help;
  const char* example;
  Benchmark (*add)(CLI::App& command);
  const char* order;  // of the vertices, unless asked for; empty: none
  bool has_data, has_export, has_precision;
};

constexpr Subject subjects[] = {
    {"attention", "Attention over the edges of a planar complex, and around a hub",
     "gsan bench attention --points 2000 --hub 200 --features 16 --seconds 0.1", add_attention_bench,
     "random", false, true, true},
    {"layer", "Layers of one order and of all orders, on one thread and on several",
     "gsan bench layer --points 2000 --width 8 --seconds 0.1 --filter delaunay-2000", add_layer_bench,
     "random", true, true, true},
    {"train", "Epochs of training on many small complexes and on one complex",
     "gsan bench train --seconds 0.1 --repeats 1 --filter flow", add_train_bench, "", true, true, false},
    {"scale", "How time grows with the size of the complex", "gsan bench scale --edges 1000,10000",
     add_scale_bench, "hilbert", false, false, true},
    {"memory", "Memory of a training step, and how often it allocates", "gsan bench memory --edges 10000",
     add_memory_bench, "", true, false, false}};

void add_machine(CLI::App& command, BenchOptions& options, const Subject& subject) {
  command
      .add_option(
          "--device", options.device,
          "where to compute: cpu, cuda, cuda:1; on a GPU times are of its own clock, and the bound is "
          "its copy bandwidth")
      ->capture_default_str();
  if (subject.has_precision) {
    command
        .add_option("--precision", options.precision,
                    "of signals and weights; bf16: with float32 scores, where there are kernels for it")
        ->check(CLI::IsMember({"float32", "bf16", "float64"}))
        ->capture_default_str();
  }
}

// Vertices of a complex of the user's are as given unless --order is.
void settle_order(const CLI::App& command, BenchOptions& options) {
  const auto is_given = [&](const char* name) {
    const CLI::Option* option = command.get_option_no_throw(name);
    return option && option->count() > 0;
  };
  if (!is_given("--order") && (is_given("--complex") || is_given("--example"))) options.order = "given";
}

void add_shared(CLI::App& command, BenchOptions& options, const Subject& subject) {
  add_machine(command, options, subject);
  command
      .add_option("--threads", options.threads,
                  "threads of the CPU (default: OMP_NUM_THREADS, else all cores)")
      ->check(CLI::Range(1, 4096));
  command
      .add_option("--repeats", options.repeats, "timed runs of a case, after one to warm up (three on a GPU)")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  command
      .add_option("--seconds", options.seconds,
                  "go on with a case until it ran so long; none is started again after 60 s")
      ->check(CLI::Range(0.0, 3600.0))
      ->capture_default_str();
  command.add_option("--filter", options.filter, "only cases whose name holds this text");
  command
      .add_option(
          "--allocator", options.allocator,
          "retained: freed memory stays with the process, as in every command; default: malloc as the "
          "environment sets it up")
      ->check(CLI::IsMember({"default", "retained"}))
      ->capture_default_str();
  if (!options.order.empty()) {
    command
        .add_option("--order", options.order,
                    "of the vertices: random, along a Hilbert curve, bisection (in which models compute on "
                    "large complexes), or as given (--complex)")
        ->check(CLI::IsMember({"random", "hilbert", "bisection", "cuthill-mckee", "given"}))
        ->capture_default_str();
  }
  if (subject.has_data) {
    command
        .add_option(
            "--look-in", options.look_in,
            "another folder of datasets, only read; may be given several times (environment: GSAN_DATA)")
        ->allow_extra_args(false);
  }
  if (subject.has_export) {
    command.add_option("--export", options.export_folder,
                       "folder for complex, signals, weights and results of the cases, as safetensors");
  }
  add_seed(command, options.seed);
  options.report.add_to(command, true);
}

}  // namespace

Command add_bench(CLI::App& app) {
  struct Chosen {
    std::shared_ptr<BenchOptions> options;
    std::function<ExitCode()> run;
  };
  auto chosen = std::make_shared<Chosen>();
  CLI::App* command = app.add_subcommand("bench", "How fast this machine computes, and what bounds it");
  command->require_subcommand(1);
  command->footer(concat("Example:\n  ", subjects[0].example));
  for (const Subject& subject : subjects) {
    CLI::App* part = command->add_subcommand(subject.name, subject.help);
    part->footer(concat("Example:\n  ", subject.example));
    auto options = std::make_shared<BenchOptions>();
    options->order = subject.order;
    const Benchmark run = subject.add(*part);
    add_shared(*part, *options, subject);
    part->callback([=, &subject] {
      settle_order(*part, *options);
      *chosen = {options, [=, &subject] {
                   options->place = open_device(options->device);
                   BenchSuite suite(subject.name, *options);
                   run(suite);
                   options->report.write(suite.report(), suite.text());
                   return ExitCode::success;
                 }};
    });
  }
  return {command, [chosen] { return chosen->run(); },
          [chosen] { return chosen->options->retains_memory(); }};
}

}  // namespace gsan::app
