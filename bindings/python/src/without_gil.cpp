#include "bindings/python/src/without_gil.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace gsan::python {
namespace {

struct Calls {
  std::mutex mutex;
  std::condition_variable ended;
  int count = 0;  // under way, of all threads
};

// Never freed: threads may outlive the module, and a child process leaves its parent's behind.
Calls* calls = new Calls;
thread_local int own_calls = 0;  // a call may call Python, which may fork
std::optional<std::unique_lock<std::mutex>> held_for_fork;

void before_fork() {
  const pybind11::gil_scoped_release release;
  std::unique_lock lock(calls->mutex);
  calls->ended.wait_for(lock, std::chrono::seconds(5), [] { return calls->count == own_calls; });
  held_for_fork = std::move(lock);  // no call begins before the fork is done
}

void after_fork_in_parent() { held_for_fork.reset(); }

void after_fork_in_child() {
  held_for_fork->release();  // of a mutex that other threads may have waited for
  held_for_fork.reset();
  calls = new Calls;
  calls->count = own_calls;
}

}  // namespace

WithoutGil::WithoutGil() {
  const std::lock_guard lock(calls->mutex);
  ++calls->count;
  ++own_calls;
}

WithoutGil::~WithoutGil() {
  {
    const std::lock_guard lock(calls->mutex);
    --calls->count;
    --own_calls;
  }
  calls->ended.notify_all();
}

void register_at_fork() {
  namespace py = pybind11;
  py::module_::import("os").attr("register_at_fork")(
      py::arg("before") = py::cpp_function(before_fork),
      py::arg("after_in_parent") = py::cpp_function(after_fork_in_parent),
      py::arg("after_in_child") = py::cpp_function(after_fork_in_child));
}

}  // namespace gsan::python
