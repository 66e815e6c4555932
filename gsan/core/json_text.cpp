#include "gsan/core/json_text.h"

#include <algorithm>

#include "gsan/core/check.h"
#include "gsan/core/quoted.h"

namespace gsan {

std::string_view checked_json(std::string_view text, std::string_view source) {
  constexpr int deepest = 64;
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') {
        ++i;
      } else if (c == '"') {
        in_string = false;
      }
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest)
        fail(Fault::format, source, ": byte ", i, ": JSON is nested deeper than ", deepest, " brackets");
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return text;
}

std::string json_reason(std::string_view what) {
  if (what.starts_with("[json.exception.")) what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
  return escaped(what);
}

}  // namespace gsan
