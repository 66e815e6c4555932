#pragma once
// Work of a library that may crash on damaged files, in a process of its own.

#include <functional>
#include <string>
#include <string_view>

namespace gsan {

/// Runs `work` in a child process and returns the bytes that it returned. An Error of the work is thrown
/// here. A child that crashes, or runs for longer than `seconds` of processor time, is Fault::format: "`who`:
/// …". What the work prints is dropped. The work must not wait for other threads: the child has none.
std::string run_isolated(std::string_view who, int seconds, const std::function<std::string()>& work);

}  // namespace gsan
