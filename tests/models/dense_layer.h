#pragma once
// What the published equations are made of, as plain dense float64 matrices: boundary operators, Laplacians,
// masked softmax, projectors. One head of a layer at a time; only its parameters are taken from the layer.

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "gsan/nn/simplicial_layer.h"

#include "hodge/dense_reference.h"

namespace gsan::dense {

inline Tensor power(const Tensor& S, int p) { return torch::matrix_power(S, p); }
inline Tensor identity(std::int64_t n) { return torch::eye(n, torch::kFloat64); }
inline Tensor diagonal_matrix(const Tensor& d) { return torch::diag(d); }
inline Tensor pseudo_inverse(const Tensor& matrix) { return torch::linalg_pinv(matrix); }
inline double largest_eigenvalue(const Tensor& L) { return torch::linalg_eigvalsh(L).max().item<double>(); }

/// Σ_p S^p X W_p from p = first on.
inline Tensor filter(const Tensor& S, const Tensor& X, const std::vector<Tensor>& W, int first) {
  Tensor sum = torch::zeros({X.size(0), W.front().size(1)}, torch::kFloat64);
  for (std::size_t p = 0; p < W.size(); ++p) sum = sum + power(S, first + static_cast<int>(p)).mm(X).mm(W[p]);
  return sum;
}

/// (I − L/λ̄)^T, L = BᵀB + B'B'ᵀ, λ̄ its largest absolute row sum before the two cancel (spec 4).
inline Tensor projector(const Tensor& lower, const Tensor& upper, int steps) {
  const Tensor L = lower.t().mm(lower) + upper.mm(upper.t());
  const Tensor rows = lower.abs().t().mm(lower.abs()).sum(1) + upper.abs().mm(upper.abs().t()).sum(1);
  const double bound = rows.numel() > 0 ? rows.max().item<double>() : 0;
  return power(identity(L.size(0)) - (bound > 0 ? 1 / bound : 1) * L, steps);
}

struct Head {
  const SimplicialLayerImpl& layer;
  const SimplicialComplex& complex;
  const Cochains& z;
  int head;

  int order() const { return layer.options().order; }
  /// The one order of a model for one kind of simplex.
  int k() const { return layer.options().active_orders().front(); }

  Tensor B(int j) const { return dense_boundary(complex, j); }
  Tensor Ld(int i) const { return dense_lower_laplacian(complex, i); }
  Tensor Lu(int i) const { return dense_upper_laplacian(complex, i); }
  Tensor L(int i) const { return dense_laplacian(complex, i); }
  Tensor Q(int i) const { return projector(B(i), B(i + 1), layer.options().harmonic_steps); }

  /// The stacked weights of this name, [F_in, F_out] each.
  std::vector<Tensor> W(const std::string& name) const {
    std::vector<Tensor> matrices;
    for (const Tensor& W : layer.weight(name).detach().select(2, head).unbind(1)) matrices.push_back(W);
    return matrices;
  }
  /// A single matrix: harmonic, identity.
  Tensor matrix(const std::string& name) const { return layer.weight(name).detach().select(1, head); }

  /// ‖_p X W_p
  static Tensor stacked(const Tensor& X, const std::vector<Tensor>& W) { return X.mm(torch::cat(W, 1)); }

  /// softmax over the neighbours in L (and i itself) of LReLU(a[:D]·h_i + a[D:]·h_j), slope 0.2.
  Tensor alpha(const std::string& name, const Tensor& h, const Tensor& L) const {
    const Tensor a = layer.attention(name)->parameter("a").detach()[head];
    const std::int64_t D = h.size(1);
    const Tensor scores = h.mv(a.narrow(0, 0, D)).unsqueeze(1) + h.mv(a.narrow(0, D, D)).unsqueeze(0);
    const Tensor stranger = (L == 0).fill_diagonal_(false);
    return torch::leaky_relu(scores, 0.2).masked_fill(stranger, -INFINITY).softmax(1);
  }

  /// g of spec 6 on order i: log softmax of the MLP over the simplices.
  Tensor g(int i) const {
    const LearnedMetric& metric = layer.metric(i);
    const Tensor hidden =
        torch::leaky_relu(z[i].mm(metric->W1.detach().select(1, head)) + metric->b1.detach()[head], 0.2);
    return (hidden.mv(metric->W2.detach()[head]) + metric->b2.detach()[head]).log_softmax(0);
  }
  /// B_W,j, empty outside 1 … K.
  Tensor weighted(int j) const {
    if (j < 1 || j > order()) return B(j);
    return diagonal_matrix((g(j - 1) / 2).exp()).mm(B(j)).mm(diagonal_matrix((-g(j) / 2).exp())) /
           std::sqrt(j + 1.0);
  }
};

/// Sum of all terms before σ, one tensor per order, undefined for an order that the model has not.
using Equation = std::function<Cochains(const Head&)>;
using Sigma = std::function<Tensor(const Tensor&)>;

/// σ of each head, side by side.
inline Cochains evaluate(const SimplicialLayerImpl& layer, const SimplicialComplex& complex,
                         const Cochains& z, const Equation& equation, const Sigma& sigma) {
  Cochains y(static_cast<std::size_t>(layer.options().order) + 1);
  for (int head = 0; head < layer.options().heads; ++head) {
    const Cochains of_head = equation(Head{layer, complex, z, head});
    for (std::size_t k = 0; k < of_head.size(); ++k) {
      if (!of_head[k].defined()) continue;
      const Tensor value = sigma(of_head[k]);
      y[k] = y[k].defined() ? torch::cat({y[k], value}, 1) : value;
    }
  }
  return y;
}

}  // namespace gsan::dense
