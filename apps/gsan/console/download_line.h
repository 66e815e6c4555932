#pragma once
// How far a download is: a line that is written over, on a terminal; nothing elsewhere.

#include <cstdint>
#include <string>

namespace gsan::app {

/// Clears the line when it ends, also by an exception.
class DownloadLine {
 public:
  DownloadLine() = default;
  DownloadLine(const DownloadLine&) = delete;
  DownloadLine& operator=(const DownloadLine&) = delete;
  ~DownloadLine();

  void start(const std::string& url) { url_ = url; }
  void show(std::uint64_t received, std::uint64_t total);  ///< total 0: not known

 private:
  std::string url_;
  bool shown_ = false;
};

}  // namespace gsan::app
