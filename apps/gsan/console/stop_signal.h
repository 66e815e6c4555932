#pragma once
// Ctrl-C (SIGINT) and SIGTERM as a wish to stop: the first sets a flag, the second ends the process at once.

#include <atomic>

namespace gsan::app {

/// From now on both signals set the flag that is returned.
const std::atomic<bool>& catch_stop_signals();

}  // namespace gsan::app
