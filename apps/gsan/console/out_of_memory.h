#pragma once
// What the command says when the memory ends.

#include <exception>
#include <filesystem>
#include <string>

namespace gsan::app {

/// Whether the exception says that there is no more memory: of the C++ library, of torch's allocators, or of
/// a GPU and its libraries.
bool is_out_of_memory(const std::exception& error);

/// One sentence: where it happened (`during`, "training runs/a"; empty: unknown), what was asked for and, on
/// a GPU, what was free, as far as the error says; and what to do.
std::string out_of_memory_text(const std::exception& error, const std::string& during = "");

/// How to continue the run in `folder` from the last checkpoint, as the end of that sentence; empty where it
/// has none.
std::string resume_text(const std::filesystem::path& folder);

}  // namespace gsan::app
