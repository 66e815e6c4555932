#pragma once
// Before torch's own header (GSAN_STD_THREADS): all of it but parallel_for, which uses std::thread.

#define parallel_for parallel_for_of_torch
#include_next <ATen/Parallel.h>
#undef parallel_for

#include "../../by_threads.h"

namespace at {

template <class Function>
void parallel_for(std::int64_t begin, std::int64_t end, std::int64_t grain, const Function& function) {
  gsan::test::by_threads(get_num_threads(), begin, end, grain, function);
}

}  // namespace at
