#pragma once
// The subjects of `gsan bench`, a file each: every one declares its options and returns what to run on a
// suite.

#include <functional>

#include <CLI/CLI.hpp>

#include "apps/gsan/bench/suite.h"

namespace gsan::app {

using Benchmark = std::function<void(BenchSuite&)>;

Benchmark add_attention_bench(CLI::App& command);
Benchmark add_layer_bench(CLI::App& command);
Benchmark add_train_bench(CLI::App& command);
Benchmark add_scale_bench(CLI::App& command);
Benchmark add_memory_bench(CLI::App& command);

}  // namespace gsan::app
