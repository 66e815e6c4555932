#pragma once
// How exactly a model computes.

#include <optional>
#include <string_view>
#include <utility>

#include <torch/types.h>

#include "gsan/core/options.h"

namespace gsan {

enum class Precision {
  float32,
  bf16,     ///< weights in float32; products and what is kept of them in bfloat16, by torch's autocast
  float64,  ///< weights and data
};

template <>
struct EnumNames<Precision> {
  static constexpr std::pair<Precision, std::string_view> names[] = {
      {Precision::float32, "float32"}, {Precision::bf16, "bf16"}, {Precision::float64, "float64"}};
};

/// Of weights and data.
constexpr torch::ScalarType type_of(Precision precision) {
  return precision == Precision::float64 ? torch::kFloat64 : torch::kFloat32;
}

/// While it lives, torch's ops compute in bfloat16 on the device, where that is enough (torch.autocast).
/// Casts of weights are kept until its end.
class Autocast {
 public:
  explicit Autocast(torch::Device device);
  ~Autocast();
  Autocast(const Autocast&) = delete;
  Autocast& operator=(const Autocast&) = delete;

 private:
  torch::DeviceType device_;
  bool was_enabled_;
  torch::ScalarType type_before_;
};

}  // namespace gsan
