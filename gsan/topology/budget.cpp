#include "gsan/topology/budget.h"

#include <iomanip>
#include <sstream>

#include "gsan/core/check.h"
#include "gsan/core/failpoint.h"

namespace gsan {
namespace {

std::string whole(double number) {
  std::ostringstream text;
  if (number < 0x1p53)
    text << std::fixed << std::setprecision(0) << number;
  else
    text << std::setprecision(4) << number;
  return text.str();
}

std::string size(double bytes) {
  if (bytes < 0x1p20) return whole(bytes) + " bytes";
  return whole(bytes / 0x1p20) + " MiB";
}

}  // namespace

void check_simplices(const Limits& limits, std::string_view who, double count, std::string_view what) {
  if (count <= static_cast<double>(limits.max_simplices)) return;
  fail(Fault::resource, who, ": at least ", whole(count), " simplices ", what,
       ", more than max_simplices = ", limits.max_simplices,
       "; raise max_simplices, or ask for a lower order");
}

void check_memory(const Limits& limits, std::string_view who, double bytes, std::string_view what) {
  may_lack_memory("topology.memory");  // what is checked here is about to be allocated
  if (bytes <= static_cast<double>(limits.max_memory)) return;
  fail(Fault::resource, who, ": at least ", size(bytes), what.starts_with('(') ? " " : " for ", what,
       ", more than max_memory = ", size(static_cast<double>(limits.max_memory)),
       "; raise max_memory, or ask for a lower order");
}

}  // namespace gsan
