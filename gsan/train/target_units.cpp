#include "gsan/train/target_units.h"

#include <nlohmann/json.hpp>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/json_text.h"

namespace gsan {
namespace {

std::filesystem::path file_of(const std::filesystem::path& run) { return run / "targets.json"; }

}  // namespace

void write_target_units(const std::filesystem::path& run, const std::optional<TargetScale>& units) {
  if (!units) return;
  const nlohmann::ordered_json object{{"shift", units->shift}, {"scale", units->scale}};
  write_file_atomically(file_of(run), object.dump() + "\n");
}

std::optional<TargetScale> read_target_units(const std::filesystem::path& run) {
  if (!std::filesystem::exists(file_of(run))) return std::nullopt;
  try {
    const auto object = nlohmann::json::parse(checked_json(read_file(file_of(run)), file_of(run).string()));
    return TargetScale{object.at("shift").get<double>(), object.at("scale").get<double>()};
  } catch (const nlohmann::json::exception& error) {
    fail(Fault::format, file_of(run).string(),
         ": expected shift and scale of the targets: ", json_reason(error.what()));
  }
}

}  // namespace gsan
