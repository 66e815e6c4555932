#include "gsan/train/recipes.h"

#include <filesystem>

#include "gsan/core/atomic_file.h"
#include "gsan/core/nearest.h"
#include "gsan/core/text.h"

namespace gsan {
namespace {

bool is_file(std::string_view name) { return name.ends_with(".yaml") || name.ends_with(".yml"); }

// What follows `extends:` at the start of a line, without the comment: a part of the text, or empty.
std::string_view extended_by(std::string_view text) {
  constexpr std::string_view key = "extends:";
  while (!text.starts_with(key)) {
    const std::size_t end = text.find('\n');
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
  }
  text.remove_prefix(key.size());
  text = text.substr(0, text.find_first_of("\r\n"));
  return trimmed(text.substr(0, text.find(" #")));
}

std::string_view without_quotes(std::string_view text) {
  const bool has_quotes =
      text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  return has_quotes ? text.substr(1, text.size() - 2) : text;
}

}  // namespace

std::string recipe_source(const Recipe& recipe) { return concat(recipe_folder, recipe.name, ".yaml"); }

std::string recipe_name(std::string_view task, Protocol protocol) {
  return std::string(task) + (protocol == Protocol::published ? "-published" : "");
}

const Recipe& find_recipe(std::string_view name) {
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes()) {
    if (recipe.name == name) return recipe;
    names.emplace_back(recipe.name);
  }
  fail(Fault::argument, "unknown recipe '", name, "'; did you mean '", nearest_word(std::string(name), names),
       "'?");
}

ConfigText::Document find_config(const std::string& name, const std::string& source) {
  if (!is_file(name)) {
    const Recipe& recipe = find_recipe(name);
    return {std::string(recipe.text), recipe_source(recipe)};
  }
  const std::filesystem::path path = std::filesystem::path(source).parent_path() / name;
  return {read_file(path), path.string()};
}

std::string with_absolute_base(const std::string& text, const std::string& source) {
  const std::string_view written = extended_by(text), name = without_quotes(written);
  if (!is_file(name)) return text;
  const std::filesystem::path base =
      std::filesystem::absolute(std::filesystem::path(source).parent_path() / name);
  const auto at = static_cast<std::size_t>(written.data() - text.data());
  return concat(text.substr(0, at), '"', base.lexically_normal().string(), '"',
                text.substr(at + written.size()));
}

}  // namespace gsan
