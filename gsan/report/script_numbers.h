#pragma once
// Numbers that no `gsan reproduce` measures but a script of experiments/, which leaves them in a file of the
// folder of results: flaws.py what the flaws of the published protocols do, wl_kernel.py the kernel of Table
// III.

#include <filesystem>
#include <string>

namespace gsan::report {

/// The numbers of FILE.json about a table as Markdown; says so where there are none.
std::string script_numbers_markdown(const std::filesystem::path& results, const std::string& file,
                                    const std::string& table);

}  // namespace gsan::report
