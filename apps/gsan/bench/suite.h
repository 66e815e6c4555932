#pragma once
// The cases of one benchmark: timed, set beside the bound of the machine, told as a table and as JSON.

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gsan/nn/safetensors.h"

#include "apps/gsan/bench/machine.h"
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
  std::string order = "random";
  std::uint64_t seed = 0;
  ReportOptions report;

  bool retains_memory() const { return allocator == "retained"; }
};

/// Seconds of every timed run, increasing.
struct Timing {
  std::vector<double> seconds;
  double processor = 0;  ///< seconds of a run, on average, summed over all threads

  double median() const;
  double least() const { return seconds.front(); }
  double spread() const { return (seconds.back() - seconds.front()) / median(); }
};

/// No case runs longer than this, however many repeats are asked for.
inline constexpr double most_seconds = 60;

/// Once to warm up, then at least `repeats` times and `seconds` long.
Timing time_runs(const std::function<void()>& run, int repeats, double seconds);

class BenchSuite {
 public:
  BenchSuite(std::string subject, const BenchOptions& options);

  const BenchOptions& options() const { return options_; }
  int threads() const { return threads_; }

  /// Whether the filter lets this case pass: part of its name.
  bool wants(const std::string& name) const;
  bool wants_any(const std::vector<std::string>& names) const;

  /// Times a case unless the filter leaves it out; `facts` go to its JSON. Its median in seconds, or 0.
  double time(const std::string& name, Json facts, const Work& work, const std::function<void()>& run);

  /// A case that is no timing.
  void tell(const std::string& name, Json facts);

  /// A case that cannot run here, and why.
  void skip(const std::string& name, const std::string& reason);

  /// A number that follows from several cases.
  void result(const std::string& name, double value);

  bool exports() const { return !options_.export_folder.empty(); }
  /// The tensors of a case as FOLDER/NAME.safetensors, '/' in the name as '_'.
  void export_tensors(const std::string& name, const NamedTensors& tensors);

  Json report();
  std::string text();

 private:
  const Roofline& roofline(int threads);  // measured when it is first asked for: it takes memory
  void progress(const std::string& line) const;
  std::string subject_;
  const BenchOptions& options_;
  int threads_;
  std::map<int, Roofline> rooflines_;
  Json cases_ = Json::array(), told_ = Json::array(), skipped_ = Json::array(), results_ = Json::object(),
       files_ = Json::array();
};

}  // namespace gsan::app
