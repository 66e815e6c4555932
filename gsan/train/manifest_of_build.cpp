// What this build is: apart from manifest.cpp, which is free of torch.

#include <ATen/Parallel.h>
#include <torch/version.h>

#include "gsan/train/manifest.h"
#include "gsan/train/revision.h"  // made by the build

namespace gsan {

Manifest make_manifest(std::uint64_t seed) {
  Manifest manifest;
  manifest.gsan = GSAN_VERSION;
  manifest.torch = TORCH_VERSION;
  manifest.compiler = GSAN_COMPILER;
  manifest.git_revision = GSAN_GIT_REVISION;
  manifest.seed = seed;
  manifest.threads = at::get_num_threads();
  return manifest;
}

}  // namespace gsan
