#pragma once
// The report on one run, or on several side by side.

#include <filesystem>
#include <string>
#include <vector>

#include <torch/types.h>

namespace gsan::report::html {

struct RunPageOptions {
  torch::Device device = torch::kCPU;
  bool opens_data = true;  ///< false: only what the run folders hold
};

/// An error names a folder that is not a run; everything else that is missing is said on the page.
std::string run_page(const std::vector<std::filesystem::path>& runs, const RunPageOptions& options = {});

}  // namespace gsan::report::html
