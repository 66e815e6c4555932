#pragma once
// Calls that compute without Python's global lock, and processes that fork meanwhile.
//
// A child process has only the thread that forked: a lock that another thread held at that moment stays held
// in it for ever. So fork() waits until the calls of other threads have ended (os.register_at_fork), for at
// most five seconds: a training in another thread does not stop a program from starting workers.

#include <pybind11/pybind11.h>

namespace gsan::python {

/// Releases the global lock for as long as it lives, as pybind11's own, and is counted.
class __attribute__((visibility("hidden"))) WithoutGil {
 public:
  WithoutGil();
  ~WithoutGil();
  WithoutGil(const WithoutGil&) = delete;

 private:
  pybind11::gil_scoped_release release_;
};

/// Tells Python whom to ask around a fork.
void register_at_fork();

}  // namespace gsan::python
