#pragma once
// The cases of one benchmark: timed, set beside the bound of the machine, told as a table and as JSON.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gsan/nn/safetensors.h"

#include "apps/gsan/bench/machine.h"
#include "apps/gsan/bench/timing.h"
#include "apps/gsan/bench/work.h"
#include "apps/gsan/console/options.h"

namespace gsan::app {

struct BenchOptions {
  int threads = 0;  ///< 0: what OMP_NUM_THREADS or the machine says
  int repeats = 5;
  double seconds = 0.5;
  std::string filter;
  std::string allocator = "retained";
  std::string export_folder;  ///< empty: nothing is written
  std::vector<std::string> look_in;
  std::string order = "random";  ///< of vertices: random, hilbert or given
  std::uint64_t seed = 0;
  std::string device = "cpu", precision = "float32";
  torch::Device place = torch::kCPU;  ///< `device`, opened
  ReportOptions report;

  torch::ScalarType type() const;  ///< of signals and weights: `precision`
  bool retains_memory() const { return allocator == "retained"; }
};

class BenchSuite {
 public:
  BenchSuite(std::string subject, const BenchOptions& options);

  const BenchOptions& options() const { return options_; }
  int threads() const { return threads_; }
  bool on_gpu() const { return options_.place.is_cuda(); }

  /// Whether the filter lets this case pass: part of its name.
  bool wants(const std::string& name) const;
  bool wants_any(const std::vector<std::string>& names) const;

  /// Times a case unless the filter leaves it out; `facts` go to its JSON. On a GPU it runs once more, for
  /// its memory. Its median in seconds, or 0: left out, or skipped as by attempt().
  double time(const std::string& name, Json facts, const Work& work, const std::function<void()>& run);

  /// A case that is no timing.
  void tell(const std::string& name, Json facts);

  /// Does the work; where the memory of the GPU is too small for it, or something has no kernel for bf16,
  /// NAME is skipped with that reason.
  void attempt(const std::string& name, const std::function<void()>& work);

  /// A case that cannot run here, and why.
  void skip(const std::string& name, const std::string& reason);

  /// A number that follows from several cases.
  void result(const std::string& name, double value);

  /// "NAME, backward over forward", where both times were measured: seconds forward, and forward and
  /// backward.
  void compare_passes(const std::string& name, double forward, double both);

  bool exports() const { return !options_.export_folder.empty(); }
  /// The tensors of a case as FOLDER/NAME.safetensors, '/' in the name as '_'.
  void export_tensors(const std::string& name, const NamedTensors& tensors);

  Json report();
  std::string text();

 private:
  const Roofline& roofline(int threads);  // measured when it is first asked for: it takes memory
  Json timed(const std::string& name, const Work& work, const std::function<void()>& run);
  std::string machine_text();
  std::string cases_text() const;
  void progress(const std::string& line) const;
  std::string subject_;
  const BenchOptions& options_;
  int threads_;
  std::map<int, Roofline> rooflines_;
  Json cases_ = Json::array(), told_ = Json::array(), skipped_ = Json::array(), results_ = Json::object(),
       files_ = Json::array();
};

}  // namespace gsan::app
