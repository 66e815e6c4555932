#pragma once

#include <string>

namespace gsan::app {

/// docs/config.md: every key of every task, protocol and model, from the code that reads them.
std::string keys_page();

}  // namespace gsan::app
