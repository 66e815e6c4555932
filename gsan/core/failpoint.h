#pragma once
// Named points at which the system may say no: before a write, a rename, a sync, a lock, a fork, a large
// allocation. A test makes one of them fail; what follows must be an error with a reason, files that are
// whole, and a run that resumes.
//
//   const ssize_t written = fails_at("atomic_file.write") ? -1 : ::write(…);
//
// Only builds with tests have them (GSAN_TESTS); elsewhere fails_at() is a function that returns false. Two
// variables of the environment control them:
//
//   GSAN_FAILPOINT=N         the N-th point that the process reaches, counted from 1, fails
//
//   GSAN_FAILPOINT_LOG=FILE  every point that is reached is a line of FILE, and points are counted by its
//                            lines: those of a command and of the processes that it starts together

#include <new>

namespace gsan {

/// Whether the call that follows is to fail: then errno says that the disk is full.
bool fails_at(const char* point);

/// The same for memory.
inline void may_lack_memory(const char* point) {
  if (fails_at(point)) throw std::bad_alloc();
}

}  // namespace gsan
