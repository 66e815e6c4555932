#include "gsan/models/precision.h"

#include <ATen/autocast_mode.h>

namespace gsan {

Autocast::Autocast(torch::Device device)
    : device_(device.type()),
      was_enabled_(at::autocast::is_autocast_enabled(device_)),
      type_before_(at::autocast::get_autocast_dtype(device_)) {
  at::autocast::set_autocast_enabled(device_, true);
  at::autocast::set_autocast_dtype(device_, torch::kBFloat16);
  at::autocast::increment_nesting();
}

Autocast::~Autocast() {
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  at::autocast::set_autocast_dtype(device_, type_before_);
  at::autocast::set_autocast_enabled(device_, was_enabled_);
}

}  // namespace gsan
