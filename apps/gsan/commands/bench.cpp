// gsan bench: how fast the parts of the library are on this machine, and how far that is from what the
// machine could do at most.

#include "apps/gsan/bench/bench.h"

#include <memory>

#include "apps/gsan/commands/command.h"

namespace gsan::app {
namespace {

struct Subject {
  const char* name;
  const char* help;
  const char* example;
  Benchmark (*add)(CLI::App& command);
  const char* order;  // of the vertices, unless asked for; empty: none
  bool has_data, has_export;
};

constexpr Subject subjects[] = {
    {"attention", "Attention over the edges of a planar complex, and around a hub",
     "gsan bench attention --points 2000 --hub 200 --features 16 --seconds 0.1", add_attention_bench,
     "random", false, true},
    {"layer", "Layers of one order and of all orders, on one thread and on several",
     "gsan bench layer --points 2000 --width 8 --seconds 0.1 --filter delaunay-2000", add_layer_bench,
     "random", true, true},
    {"train", "Epochs of training on many small complexes and on one complex",
     "gsan bench train --seconds 0.1 --repeats 1 --filter flow", add_train_bench, "", true, true},
    {"scale", "How time grows with the size of the complex", "gsan bench scale --edges 1000,10000",
     add_scale_bench, "hilbert", false, false},
    {"memory", "Memory of a training step, and how often it allocates", "gsan bench memory --edges 10000",
     add_memory_bench, "", true, false}};

void add_shared(CLI::App& command, BenchOptions& options, const Subject& subject) {
  command
      .add_option("--threads", options.threads,
                  "threads of the CPU (default: OMP_NUM_THREADS, else all cores)")
      ->check(CLI::Range(1, 4096));
  command.add_option("--repeats", options.repeats, "timed runs of a case, after one to warm up")
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
    command.add_option("--order", options.order, "of the vertices: random, or along a Hilbert curve")
        ->check(CLI::IsMember({"random", "hilbert"}))
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
      *chosen = {options, [=, &subject] {
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
