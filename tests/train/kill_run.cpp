// A training run to be killed: kill_run FOLDER starts it or, where the folder holds one, resumes it. It
// writes "training" when the first step begins, and FOLDER/final.safetensors at the end. A checkpoint after
// every step.

#include <iostream>

#include <ATen/Parallel.h>

#include "train/sample_run.h"

int main(int count, char** arguments) {
  using namespace gsan;
  if (count != 2) {
    std::cerr << "usage: kill_run FOLDER\n";
    return 2;
  }
  try {
    at::set_num_threads(1);
    const std::filesystem::path path = arguments[1];
    const bool resume = std::filesystem::exists(path / "manifest.json");
    TinyProblem problem(sample_seed);
    bool announced = false;
    problem.before_step = [&](std::int64_t, std::int64_t) {
      if (!announced) std::cout << "training" << std::endl;
      announced = true;
    };
    TrainOptions options = sample_options();
    options.epochs = 150;
    options.patience = 0;
    options.checkpoint_seconds = 0;
    RunFolder folder = resume ? RunFolder::open(path) : new_folder(path);
    Trainer trainer(problem, options, sample_seed, {&folder, nullptr, nullptr});
    if (resume) {
      trainer.resume();
    } else {
      trainer.run();
    }
    save_weights(path / "final.safetensors", problem.module(), problem.kind(), problem.options());
    return 0;
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
