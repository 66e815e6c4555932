// read_heavy FORMAT FILE: reads a file as the command would, with the standard limits, and prints what came
// of it: "SECONDS s, MIB MiB: read" or the error.

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
  const std::string end = answer(words[1], words[2]);
  rusage usage{}, children{};
  getrusage(RUSAGE_SELF, &usage);
  getrusage(RUSAGE_CHILDREN, &children);
  double seconds = 0;  // of the processor
  for (const timeval& time : {usage.ru_utime, usage.ru_stime, children.ru_utime, children.ru_stime})
    seconds += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  std::printf("%.3f s, %.0f MiB: %s\n", seconds, static_cast<double>(usage.ru_maxrss) / 1024, end.c_str());
}
