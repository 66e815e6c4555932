#include "apps/gsan/console/gpu_facts.h"

#include <dlfcn.h>

namespace gsan::app {
namespace {

// Of cuda.h: numbers of CUdevice_attribute, which never change.
constexpr int multiprocessor_count = 16, l2_cache_size = 38, capability_major = 75, capability_minor = 76;

// libcuda.so.1, the part of the driver that programs call; every function returns 0 on success.
class Driver {
 public:
  Driver() : library_(::dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL)) {}  // stays loaded: CUDA has it, too

  template <class... Arguments>
  bool call(const char* function, Arguments... arguments) const {
    if (!library_) return false;
    const auto found = reinterpret_cast<int (*)(Arguments...)>(::dlsym(library_, function));
    return found && found(arguments...) == 0;
  }
  std::size_t attribute(int device, int which) const {
    int value = 0;
    return call("cuDeviceGetAttribute", &value, which, device) ? static_cast<std::size_t>(value) : 0;
  }

 private:
  void* library_;
};

}  // namespace

std::optional<GpuFacts> gpu_facts(int index) {
  const Driver driver;
  GpuFacts facts;
  int device = 0;
  char name[256] = {};
  if (!driver.call("cuInit", 0u) || !driver.call("cuDeviceGet", &device, index) ||
      !driver.call("cuDeviceGetName", &name[0], static_cast<int>(sizeof name) - 1, device))
    return std::nullopt;
  facts.name = name;
  facts.major = static_cast<int>(driver.attribute(device, capability_major));
  facts.minor = static_cast<int>(driver.attribute(device, capability_minor));
  facts.multiprocessors = static_cast<int>(driver.attribute(device, multiprocessor_count));
  facts.l2_bytes = driver.attribute(device, l2_cache_size);
  driver.call("cuDeviceTotalMem_v2", &facts.memory_bytes, device);
  driver.call("cuDriverGetVersion", &facts.driver);
  return facts;
}

}  // namespace gsan::app
