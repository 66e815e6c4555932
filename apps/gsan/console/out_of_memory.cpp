#include "apps/gsan/console/out_of_memory.h"

#include <algorithm>
#include <array>
#include <new>
#include <string_view>

#include <c10/util/Exception.h>

#include "gsan/core/check.h"

namespace gsan::app {
namespace {

// Errors of torch have no class of their own for memory of the CPU.
constexpr std::array texts{std::string_view("can't allocate memory"), std::string_view("out of memory"),
                           std::string_view("not enough memory"), std::string_view("ALLOC_FAILED")};

// "800000000000 bytes" of "… tried to allocate 800000000000 bytes. Error code 12 …"; empty: it does not say.
std::string asked_for(std::string_view text) {
  constexpr std::string_view before = "ried to allocate ";
  const auto at = text.find(before);
  if (at == std::string_view::npos) return "";
  const std::string_view rest = text.substr(at + before.size());
  return std::string(rest.substr(0, rest.find(". ")));
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

std::string out_of_memory_text(const std::exception& error) {
  const std::string asked = asked_for(error.what());
  return concat("out of memory", asked.empty() ? "" : concat(": there is no room for ", asked, " more"),
                "; a model needs less with train.recompute=true, a smaller batch_size or "
                "model.hidden_channels, a complex with a lower order; raise --max-memory where it was given");
}

}  // namespace gsan::app
