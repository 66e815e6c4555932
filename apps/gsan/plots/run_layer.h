#pragma once
// A layer of a trained run at work on one item of its data: what pictures of responses and attention show.

#include <string>

#include <CLI/CLI.hpp>

#include "gsan/models/layer_view.h"
#include "gsan/train/loaded_run.h"

namespace gsan::app {

/// The run has its results.json.
bool is_finished(const std::string& run);

struct RunLayer {
  LoadedRun run;
  Batch item;  ///< simplices have the numbers of the data
  LayerView view;
  int order = 0;     ///< that is drawn
  std::string name;  ///< "gsan, layer 1 on test item 0"; of an unfinished run it says so
};

struct RunLayerOptions {
  std::string run, phase, weights = "best", data;
  int layer = 1, order = -1;
  std::int64_t item = 0;

  /// RUN, --layer, --order, --phase, --item, --weights and --data.
  void add_to(CLI::App& command, bool is_required);
  RunLayer load(torch::Device device) const;
};

}  // namespace gsan::app
