#pragma once
// The tables of the paper as a page: measured beside printed, from the structs that docs/RESULTS.md is made
// of.

#include <filesystem>
#include <string>

namespace gsan::report::html {

/// Whether the folder holds records of tables: a .jsonl file, and no run.
bool is_results_folder(const std::filesystem::path& folder);

/// From the records of EXPERIMENTS/results and the plan EXPERIMENTS/tables.json; an error where that is
/// missing.
std::string tables_page(const std::filesystem::path& results);

}  // namespace gsan::report::html
