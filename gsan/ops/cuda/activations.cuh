#pragma once
// Activations and their slopes, as torch computes them.

#include "gsan/ops/cuda/rows.cuh"
#include "gsan/ops/cuda/sum_activation.h"

namespace gsan::ops::cuda {

constexpr double leaky = 0.01;

__device__ __forceinline__ float exp_minus_one(float x) { return expm1f(x); }
__device__ __forceinline__ double exp_minus_one(double x) { return expm1(x); }
__device__ __forceinline__ float error_function(float x) { return erff(x); }
__device__ __forceinline__ double error_function(double x) { return erf(x); }
__device__ __forceinline__ float hyperbolic_tangent(float x) { return tanhf(x); }
__device__ __forceinline__ double hyperbolic_tangent(double x) { return tanh(x); }
__device__ __forceinline__ float logistic(float x) { return 1 / (1 + expf(-x)); }
__device__ __forceinline__ double logistic(double x) { return 1 / (1 + exp(-x)); }

/// x = σ(x).
template <int V, class T>
__device__ __forceinline__ void activate(Activation activation, T (&x)[V]) {
  switch (activation) {
    case Activation::identity:
      return;
    case Activation::relu:  // a NaN stays one
#pragma unroll
      for (int v = 0; v < V; ++v) x[v] = x[v] < 0 ? T(0) : x[v];
      return;
    case Activation::leaky_relu:
#pragma unroll
      for (int v = 0; v < V; ++v) x[v] = x[v] > 0 ? x[v] : x[v] * static_cast<T>(leaky);
      return;
    case Activation::elu:
#pragma unroll
      for (int v = 0; v < V; ++v) x[v] = x[v] <= 0 ? exp_minus_one(x[v]) : x[v];
      return;
    case Activation::gelu:
#pragma unroll
      for (int v = 0; v < V; ++v)
        x[v] = x[v] * T(0.5) * (1 + error_function(x[v] * static_cast<T>(0.70710678118654752440)));
      return;
    case Activation::tanh:
#pragma unroll
      for (int v = 0; v < V; ++v) x[v] = hyperbolic_tangent(x[v]);
      return;
    case Activation::sigmoid:
#pragma unroll
      for (int v = 0; v < V; ++v) x[v] = logistic(x[v]);
  }
}

/// g = g σ' at the result y.
template <int V, class T>
__device__ __forceinline__ void multiply_slopes(Activation activation, const T (&y)[V], T (&g)[V]) {
#pragma unroll
  for (int v = 0; v < V; ++v) {
    if (activation == Activation::relu) g[v] = y[v] <= 0 ? T(0) : g[v];
    if (activation == Activation::leaky_relu) g[v] = y[v] > 0 ? g[v] : g[v] * static_cast<T>(leaky);
    if (activation == Activation::elu) g[v] = y[v] <= 0 ? g[v] * (y[v] + 1) : g[v];
    if (activation == Activation::tanh) g[v] = g[v] * (1 - y[v] * y[v]);
    if (activation == Activation::sigmoid) g[v] = g[v] * (1 - y[v]) * y[v];
  }
}

}  // namespace gsan::ops::cuda
