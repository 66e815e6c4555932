#pragma once
// Modules that are made only to hold values of others.

namespace gsan {

/// While one lives, stream_from_torch() (nn/initialization.h) of this thread gives a fixed seed and draws
/// nothing: torch's generator belongs to all threads, and nobody's random numbers shall notice a module whose
/// first values are overwritten.
class WithoutTorchSeed {
 public:
  WithoutTorchSeed();
  ~WithoutTorchSeed();
  WithoutTorchSeed(const WithoutTorchSeed&) = delete;
};

}  // namespace gsan
