#pragma once
// What the command says when the memory ends.

#include <exception>
#include <string>

namespace gsan::app {

/// Whether the exception says that there is no more memory: of the C++ library, of torch's allocators, or of
/// a GPU and its libraries.
bool is_out_of_memory(const std::exception& error);

/// One sentence: what was asked for, where that is known, and what to do.
std::string out_of_memory_text(const std::exception& error);

}  // namespace gsan::app
