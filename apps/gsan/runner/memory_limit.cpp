#include "apps/gsan/runner/memory_limit.h"

#include <ATen/Parallel.h>

#include "gsan/core/check.h"
#include "gsan/core/process_memory.h"
#include "gsan/core/text.h"
#include "gsan/topology/limits.h"

#include "apps/gsan/console/bounds.h"
#include "apps/gsan/runner/retained_memory.h"

namespace gsan::app {

void MemoryLimit::add_to(CLI::App& command) {
  command
      .add_option("--max-memory", bytes,
                  "of the whole process: what would need more ends with exit code 5: 500M, 8G, ...")
      ->transform(CLI::AsSizeValue(false))
      ->check(positive())
      ->type_name("SIZE");
}

std::size_t MemoryLimit::apply(bool is_cpu) const {
  if (bytes == 0) return Limits{}.max_memory;
  if (!is_cpu) return bytes;
  // The threads are made before the limit holds: torch cannot do without them.
  at::parallel_for(0, at::get_num_threads(), 1, [](std::int64_t, std::int64_t) {});
  const std::size_t now = resident_memory();
  if (bytes <= now)
    fail(Fault::resource, "--max-memory: ", show_bytes(bytes),
         " is less than what the command takes itself, ", show_bytes(now), "; allow more");
  ask_for_memory_in_small_steps();
  limit_further_memory(bytes - now);
  return bytes;
}

}  // namespace gsan::app
