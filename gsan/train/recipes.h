#pragma once
// The settings that come with gsan: recipes/*.yaml, contained in the library. A recipe says everything that a
// task is started with under a protocol; `gsan train trajectory` is recipes/trajectory.yaml.

#include <string>
#include <string_view>
#include <vector>

#include "gsan/core/config_text.h"
#include "gsan/tasks/task.h"

namespace gsan {

struct Recipe {
  std::string_view name;  ///< of the file, without ".yaml"
  std::string_view text;
};

const std::vector<Recipe>& recipes();

/// Sources of recipes in messages begin so, which no path of a user's file does:
/// "gsan:recipes/trajectory.yaml:3: …".
inline constexpr std::string_view recipe_folder = "gsan:recipes/";
std::string recipe_source(const Recipe& recipe);

/// "trajectory", "trajectory-published": the recipe of a task under a protocol.
std::string recipe_name(std::string_view task, Protocol protocol);

/// An error names the nearest one for an unknown name.
const Recipe& find_recipe(std::string_view name);

/// What `extends: NAME` in the file `source` means: a recipe, or a file (a path that ends with .yaml, from
/// the folder of `source`).
ConfigText::Document find_config(const std::string& name, const std::string& source);

/// The text of the config `source` with the path of a file that it extends made absolute, so that the text
/// can be kept elsewhere.
std::string with_absolute_base(const std::string& text, const std::string& source);

}  // namespace gsan
