#pragma once
// How untrained models respond to data: what `gsan inspect --model NAME --data DATA` prints.

#include <string>
#include <vector>

#include <torch/types.h>

#include "apps/gsan/console/options.h"

namespace gsan::app {

struct DiagnosisQuestion {
  std::string data;                   ///< a folder or the name of a dataset
  std::string task;                   ///< empty: the one task that can read the data
  std::vector<std::string> models;    ///< at least one
  std::vector<std::string> settings;  ///< key=value of a config
  std::uint64_t seed = 0;
};

/// Per model: name, parameters and a list of layers (train/diagnosis.h).
Json diagnose_models(const DiagnosisQuestion& question, torch::Device device);
std::string diagnosis_text(const Json& report);

}  // namespace gsan::app
