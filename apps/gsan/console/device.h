#pragma once
// The device that a command computes on, by its name.

#include <string>

#include <torch/types.h>

namespace gsan::app {

/// "cpu", "cuda" or "cuda:N", ready to compute: CUDA is started, and "cuda" is cuda:0. Fault::argument with
/// what to do where the name says no device, or one that cannot be used here (device_errors.h).
///
/// Before CUDA starts, CUBLAS_WORKSPACE_CONFIG is set to :4096:8 unless the environment has it: with the
/// workspace that it stands for, cuBLAS gives the same bits in every run. torch's own ops are told to do so,
/// too.
torch::Device open_device(const std::string& name);

/// The device of a rank that was given `name`: "cuda" is the GPU of its number on this machine, where there
/// are several.
std::string device_of_rank(const std::string& name, int local_rank);

/// Waits for everything that was started on the device; nothing on the CPU.
void synchronize(torch::Device device);

}  // namespace gsan::app
