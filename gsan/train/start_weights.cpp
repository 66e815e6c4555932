#include "gsan/train/start_weights.h"

#include "gsan/core/hash.h"
#include "gsan/nn/weights.h"
#include "gsan/train/checkpoint.h"
#include "gsan/train/run_folder.h"

namespace gsan {
namespace fs = std::filesystem;
namespace {

fs::path start_file(const fs::path& from) {
  if (!fs::is_directory(from)) {
    if (!fs::exists(from)) fail(Fault::io, "--from: there is no run folder or weights file ", from.string());
    return from;
  }
  const fs::path best = RunFolder::best_checkpoint(from);
  if (!fs::exists(best))
    fail(Fault::io, "--from: ", from.string(), " holds no weights of a run: ", best.string(),
         " is missing; give the folder of a run or a weights file (.safetensors)");
  return best;
}

// A checkpoint to resume from holds them among other things.
SafetensorsFile weights_in(const fs::path& path) {
  SafetensorsFile file = read_weights(path);
  const Checkpoint checkpoint{file.tensors, file.metadata};
  if (!checkpoint.settings("state.").empty()) file.tensors = checkpoint.part("model.");
  return file;
}

}  // namespace

WeightsOrigin load_start_weights(const fs::path& from, Model& model) {
  const fs::path path = start_file(from);
  try {
    load_weights(weights_in(path), path.string(), *model, model_kind_name, model->description());
  } catch (const Error& error) {
    if (error.fault() != Fault::argument) throw;
    fail(error.fault(), "--from: ", error.what(),
         "\nThe model must be that of the weights, for data of the same shape. The config.yaml of a run has "
         "its "
         "settings: `gsan train RUN/config.yaml --from RUN`");
  }
  return {fs::absolute(path).lexically_normal().string(), sha256_file(path)};
}

void load_start_weights(const WeightsOrigin& origin, Model& model, const fs::path& run) {
  const std::string now = fs::exists(origin.path) ? sha256_file(origin.path) : "none";
  GSAN_CHECK(now == origin.sha256, run.string(),
             " had no checkpoint yet, and the weights that it began with, ", origin.path,
             ", are not what they were: SHA-256 ", origin.sha256, " then, ", now, " now; begin a new run");
  load_start_weights(fs::path(origin.path), model);
}

}  // namespace gsan
