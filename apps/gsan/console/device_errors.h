#pragma once
// What errors of CUDA mean for a user. torch reports them with words of its own and of the CUDA runtime; a
// class, or a code, for each of them does not reach us.

#include <exception>
#include <optional>
#include <string>

namespace gsan::app {

/// One sentence with what to do: this gsan was built without CUDA; no GPU, or no driver; a driver that is
/// older than the CUDA of torch; kernels that were not compiled for this GPU. Nothing for any other error.
std::optional<std::string> device_error_text(const std::exception& error);

}  // namespace gsan::app
