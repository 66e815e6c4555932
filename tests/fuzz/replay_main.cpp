// fuzz_replay FOLDER …: runs every target on the files of FOLDER/TARGET. Any compiler, no libFuzzer: a
// finding that was mended stays mended. Prints how many inputs each target read. A folder of no target is an
// error where the build has all of them; without torch those of runs are missing.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <set>
#include <vector>

#include "gsan/core/atomic_file.h"

#include "target.h"

int main(int count, char** words) {
  namespace fs = std::filesystem;
  std::map<std::string, int> inputs;
  for (const gsan::fuzz::Target& target : gsan::fuzz::targets()) inputs[std::string(target.name)] = 0;
  int unknown = 0;
  for (int w = 1; w < count; ++w) {
    for (const fs::directory_entry& folder : fs::directory_iterator(words[w])) {
      const std::string name = folder.path().filename().string();
      const auto target = std::find_if(gsan::fuzz::targets().begin(), gsan::fuzz::targets().end(),
                                       [&](const gsan::fuzz::Target& each) { return each.name == name; });
      if (target == gsan::fuzz::targets().end()) {
        std::printf("%s: no target of this build has that name\n", name.c_str());
        ++unknown;
        continue;
      }
      for (const fs::directory_entry& file : fs::recursive_directory_iterator(folder)) {
        if (!file.is_regular_file()) continue;
        const std::string bytes = gsan::read_file(file.path());
        const std::vector<char> exact(bytes.begin(), bytes.end());
        target->run({exact.data(), exact.size()});
        ++inputs[name];
      }
    }
  }
  for (const auto& [name, read] : inputs) std::printf("%-14s %d inputs\n", name.c_str(), read);
  return GSAN_FUZZ_ALL_TARGETS && unknown > 0 ? 1 : 0;
}
