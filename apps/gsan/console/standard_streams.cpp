#include "apps/gsan/console/standard_streams.h"

#include <cstdlib>

#include <fcntl.h>
#include <unistd.h>

namespace gsan::app {

void open_closed_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) != -1) continue;
    // open() takes the least free number, which is this one: the lower ones are open by now.
    if (::open("/dev/null", O_RDWR) != descriptor) std::abort();
  }
}

}  // namespace gsan::app
