#pragma once
// What the flaws of the published protocols do: numbers that experiments/flaws.py measured and left in
// flaws.json of the folder of results.

#include <filesystem>
#include <string>

namespace gsan::report {

/// The measurements of a table as Markdown; says so where there are none.
std::string flaws_markdown(const std::filesystem::path& results, const std::string& table);

}  // namespace gsan::report
