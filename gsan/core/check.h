#pragma once
// Errors of the whole library. A message says who complains, which rule was
// broken, with which values, and what to do about it:
//
//   "Incidence::boundary: x must have 42 rows (the 1-simplices), got 40; pass a signal on the edges"
//
// The library throws `Error`; it never prints and never exits.

#include <sstream>
#include <stdexcept>
#include <string>

namespace gsan {

/// What kind of thing went wrong; the command maps each kind to its exit code.
enum class Fault {
  argument,  ///< a value that the caller passed breaks a rule
  format,    ///< a file or text does not follow its format
  resource,  ///< a stated limit (max_simplices, max_memory) would be exceeded
  io,        ///< the file system or the network said no
  numeric,   ///< an iteration did not converge, or a number is not finite
};

class Error : public std::runtime_error {
 public:
  Error(Fault fault, const std::string& message) : std::runtime_error(message), fault_(fault) {}
  Fault fault() const { return fault_; }

 private:
  Fault fault_;
};

/// Concatenates its parts as `operator<<` prints them.
template <class... Parts>
std::string concat(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

template <class... Parts>
[[noreturn]] void fail(Fault fault, const Parts&... parts) {
  throw Error(fault, concat(parts...));
}

}  // namespace gsan

/// Throws Error(Fault::argument) with the concatenated parts unless `condition` holds.
/// The parts are evaluated only on failure.
#define GSAN_CHECK(condition, ...)                        \
  do {                                                    \
    if (!(condition)) [[unlikely]]                        \
      ::gsan::fail(::gsan::Fault::argument, __VA_ARGS__); \
  } while (false)
