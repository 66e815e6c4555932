#include "gsan/train/class_names.h"

#include <nlohmann/json.hpp>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/json_text.h"

namespace gsan {
namespace {

std::filesystem::path file_of(const std::filesystem::path& run) { return run / "classes.json"; }

}  // namespace

void write_class_names(const std::filesystem::path& run, const std::vector<std::string>& names) {
  if (names.empty()) return;
  const auto replace = nlohmann::json::error_handler_t::replace;  // a name may hold any bytes
  write_file_atomically(file_of(run), nlohmann::json(names).dump(-1, ' ', false, replace) + "\n");
}

std::vector<std::string> read_class_names(const std::filesystem::path& run) {
  if (!std::filesystem::exists(file_of(run))) return {};
  try {
    return nlohmann::json::parse(checked_json(read_file(file_of(run)), file_of(run).string()))
        .get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception& error) {
    fail(Fault::format, file_of(run).string(),
         ": expected a list of the names of the classes: ", json_reason(error.what()));
  }
}

}  // namespace gsan
