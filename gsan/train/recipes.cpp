#include "gsan/train/recipes.h"

#include <filesystem>
#include <regex>

#include "gsan/core/atomic_file.h"
#include "gsan/core/nearest.h"

namespace gsan {

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
  if (!name.ends_with(".yaml") && !name.ends_with(".yml")) {
    const Recipe& recipe = find_recipe(name);
    return {std::string(recipe.text), recipe_source(recipe)};
  }
  const std::filesystem::path path = std::filesystem::path(source).parent_path() / name;
  return {read_file(path), path.string()};
}

std::string with_absolute_base(const std::string& text, const std::string& source) {
  static const std::regex line("(^|\n)extends: *([^\\s#]+\\.ya?ml)");
  std::smatch found;
  if (!std::regex_search(text, found, line)) return text;
  const std::filesystem::path base =
      std::filesystem::absolute(std::filesystem::path(source).parent_path() / found[2].str());
  return concat(found.prefix().str(), found[1].str(), "extends: \"", base.lexically_normal().string(), "\"",
                found.suffix().str());
}

}  // namespace gsan
