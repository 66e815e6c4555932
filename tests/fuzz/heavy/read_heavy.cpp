// read_heavy FORMAT FILE: reads a file as the command would, with the standard limits, and prints what came
// of it: "SECONDS s, MIB MiB: read" or the error.

#include <chrono>
#include <cstdio>
#include <new>
#include <string>

#include <sys/resource.h>

#include "gsan/core/atomic_file.h"
#include "gsan/core/check.h"
#include "gsan/core/config.h"
#include "gsan/data/fetch/catalog_json.h"
#include "gsan/data/formats/arrays/drifters.h"
#include "gsan/data/formats/arrays/pickle.h"
#include "gsan/data/formats/read_complex.h"
#include "gsan/data/formats/signal.h"

namespace {

using namespace gsan;

void read(const std::string& format, const std::string& path) {
  if (format == "signal") {
    (void)read_signal(path);
  } else if (format == "pickle") {
    (void)parse_pickle(read_file(path), path);
  } else if (format == "catalog") {
    (void)read_catalog(path);
  } else if (format == "drifters") {
    (void)read_drifters(path);
  } else if (format == "config") {
    ConfigSchema schema;
    schema.add("a.b", std::vector<std::string>{}, "x");
    (void)parse_config(schema, read_file(path), path);
  } else {
    (void)read_complex(path, format);
  }
}

std::string answer(const std::string& format, const std::string& path) {
  try {
    read(format, path);
    return "read";
  } catch (const Error& error) {
    return "Error: " + std::string(error.what()).substr(0, 160);
  } catch (const std::bad_alloc&) {
    return "std::bad_alloc";
  }
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return 2;
  const auto begin = std::chrono::steady_clock::now();
  const std::string end = answer(words[1], words[2]);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%.3f s, %.0f MiB: %s\n", seconds.count(), static_cast<double>(usage.ru_maxrss) / 1024,
              end.c_str());
}
