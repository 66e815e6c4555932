#pragma once
// The memory of this process as the system counts it, and a limit for it.

#include <cstddef>

namespace gsan {

/// Bytes in physical memory now; 0 where the system does not say.
std::size_t resident_memory();

/// The most that there were since the process began, or since forget_peak_memory().
std::size_t peak_resident_memory();

/// Gives freed memory back to the system, and lets the peak begin anew where the system can.
void forget_peak_memory();

/// From now on the process can take about so many bytes more than now: an allocation beyond fails, as
/// std::bad_alloc or as the error of torch's allocator, before the system has to end the process. Stacks of
/// threads that are to come count, too. False where the system has no such limit.
bool limit_further_memory(std::size_t bytes);

}  // namespace gsan
