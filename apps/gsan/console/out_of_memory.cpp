#include "apps/gsan/console/out_of_memory.h"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include <c10/util/Exception.h>

#include "gsan/core/check.h"
#include "gsan/train/checkpoint.h"
#include "gsan/train/run_folder.h"

namespace gsan::app {
namespace {

// Errors of torch have no class of their own for memory of the CPU.
constexpr std::array texts{std::string_view("can't allocate memory"), std::string_view("out of memory"),
                           std::string_view("not enough memory"), std::string_view("ALLOC_FAILED")};

// What follows `before` in the text, up to `after`; empty: the text does not say.
std::string between(std::string_view text, std::string_view before, std::string_view after) {
  const auto at = text.find(before);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = text.substr(at + before.size());
  return std::string(rest.substr(0, rest.find(after)));
}

// torch: "… tried to allocate 800000000000 bytes. Error code 12 …", and on a GPU "Tried to allocate 20.00
// GiB. GPU 0 has a total capacity of 139.80 GiB of which 12.34 GiB is free. …".
std::string needed_text(std::string_view text) {
  const std::string asked = between(text, "ried to allocate ", ". ");
  const std::string total = between(text, "has a total capacity of ", " of which ");
  const std::string free = between(text, " of which ", " is free");
  std::string needed = asked.empty() ? "" : concat(": there is no room for ", asked, " more");
  if (!total.empty() && !free.empty())
    needed += concat(needed.empty() ? ": " : ", ", free, " of its ", total, " are free");
  return needed;
}

// Errors of CUDA's allocator name the device; those of cuBLAS and of the CUDA runtime only CUDA.
std::string place(std::string_view text) {
  const std::string gpu = between(text, ". GPU ", " has");
  if (!gpu.empty()) return concat(" on cuda:", gpu);
  return text.find("CUDA") == std::string_view::npos && text.find("CUBLAS") == std::string_view::npos
             ? ""
             : " on the GPU";
}

}  // namespace

bool is_out_of_memory(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) return true;
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr) return true;
  if (dynamic_cast<const c10::Error*>(&error) == nullptr) return false;
  const std::string_view what = error.what();
  return std::any_of(texts.begin(), texts.end(),
                     [&](std::string_view text) { return what.find(text) != std::string_view::npos; });
}

std::string out_of_memory_text(const std::exception& error, const std::string& during) {
  const auto* const of_torch = dynamic_cast<const c10::Error*>(&error);
  const std::string_view text = of_torch ? of_torch->what_without_backtrace() : error.what();
  // A network puts "layer 2 of 3: " before the error (models/backbones/network.cpp).
  const std::string at = place(text), layer = between(text.starts_with("layer ") ? text : "", "layer ", ": ");
  return concat("out of memory", at, layer.empty() ? "" : concat(" in layer ", layer),
                during.empty() ? "" : concat(" while ", during), needed_text(text),
                "; a model needs less with train.recompute=true, a smaller batch_size or "
                "model.hidden_channels, a complex with a lower order; ",
                at.empty()
                    ? "raise --max-memory where it was given"
                    : "nvidia-smi lists who else uses the GPU, --device cpu computes on the processor");
}

std::string resume_text(const std::filesystem::path& folder) {
  if (no_checkpoint(RunFolder::last_checkpoint(folder))) return "";
  return concat("; nothing that was saved is lost: once there is room, continue with  gsan train --resume ",
                folder.string());
}

}  // namespace gsan::app
