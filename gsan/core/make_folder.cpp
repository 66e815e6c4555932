#include "gsan/core/make_folder.h"

#include <cerrno>
#include <system_error>

#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"

namespace gsan {

void make_folder(const std::filesystem::path& path) {
  std::error_code error;
  if (fails_at("make_folder")) {
    error = {errno, std::generic_category()};
  } else {
    std::filesystem::create_directories(path, error);
  }
  if (error) fail(Fault::io, "cannot make the folder ", path, ": ", error.message());
}

}  // namespace gsan
