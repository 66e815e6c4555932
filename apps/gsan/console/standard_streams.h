#pragma once
// Standard streams that the caller closed.

namespace gsan::app {

/// Opens /dev/null for every closed one of the descriptors 0, 1 and 2. Else the next files that are opened
/// get these numbers, and what is printed ends up in them: `gsan train … >&- 2>&-` wrote its progress into
/// metrics.jsonl. First thing in main().
void open_closed_streams();

}  // namespace gsan::app
