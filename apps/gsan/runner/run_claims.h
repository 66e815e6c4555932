#pragma once
// Who works on which run of a folder, among processes of any machines that share it.

#include <chrono>
#include <filesystem>
#include <map>
#include <string>

namespace gsan::app {

/// A claim is a file that its holder rewrites again and again: one that stays as it is for `silence` belongs
/// to a process that is lost, and whoever wants the run takes it over; on the same machine at once. Clocks of
/// machines are not compared.
class RunClaims {
 public:
  RunClaims(std::filesystem::path folder, std::chrono::milliseconds silence);
  ~RunClaims();  ///< gives back what it holds
  RunClaims(const RunClaims&) = delete;

  /// False where another process holds the run. A name is a path below the folder.
  bool try_take(const std::string& run);
  void give_back(const std::string& run);

  /// Keeps the claims of this process; to be called several times within the silence.
  void beat();

 private:
  using Clock = std::chrono::steady_clock;
  struct Seen {
    std::string content;
    Clock::time_point since;
  };
  std::filesystem::path file(const std::string& run) const;
  void write(const std::string& run);
  bool is_own(const std::string& run) const;
  bool is_lost(const std::string& run, const std::string& claim);

  std::filesystem::path folder_;
  std::chrono::milliseconds silence_;
  std::string owner_;
  std::int64_t beats_ = 0;
  Clock::time_point last_beat_ = Clock::now();
  std::map<std::string, Seen> others_;  // claims that were in the way
  std::map<std::string, bool> held_;
};

}  // namespace gsan::app
