#pragma once
// The published equations of all presets, written with dense matrices.

#include <map>
#include <string>

#include "models/dense_layer.h"

namespace gsan::dense {

struct Published {
  Equation equation;
  Sigma sigma;
  bool has_one_power = false;  // the equation has no second power: a length is refused
};

inline Tensor none(const Tensor& x) { return x; }
inline Tensor tanh(const Tensor& x) { return x.tanh(); }
inline Tensor relu(const Tensor& x) { return x.clamp_min(0); }
inline Tensor leaky(const Tensor& x) { return torch::where(x > 0, x, 0.01 * x); }
inline Tensor elu(const Tensor& x) { return torch::where(x > 0, x, x.exp() - 1); }

/// A sum for the one order of the model.
inline Equation one_order(std::function<Tensor(const Head&, int k, const Tensor& Z)> sum) {
  return [sum = std::move(sum)](const Head& of) {
    Cochains y(static_cast<std::size_t>(of.order()) + 1);
    y[of.k()] = sum(of, of.k(), of.z[of.k()]);
    return y;
  };
}

/// A sum for each order.
inline Equation all_orders(std::function<Tensor(const Head&, int k)> sum) {
  return [sum = std::move(sum)](const Head& of) {
    Cochains y;
    for (int k = 0; k <= of.order(); ++k) y.push_back(sum(of, k));
    return y;
  };
}

inline std::string name(const char* use, int k, const char* side) { return concat(use, "_", k, "_", side); }

// ---------------------------------------------------------------------------------- graphs

// Veličković et al., eq. 4: σ(Σ_{j ∈ N_i} α_ij W h_j), α of eq. 3.
inline Tensor gat(const Head& of, int, const Tensor& Z) {
  const Tensor ZW = Z.mm(of.W("own_0_upper")[0]);
  const Tensor A = of.L(0) - diagonal_matrix(of.L(0).diagonal());
  return of.alpha("attention_0_upper_1", ZW, A).mm(ZW);
}

// Kipf and Welling, eq. 2: D̃^{−1/2}(A + I)D̃^{−1/2} Z W.
inline Tensor gcn(const Head& of, int, const Tensor& Z) {
  Tensor A = torch::zeros({of.complex.count(0), of.complex.count(0)}, torch::kFloat64);
  for (Index e = 0; e < of.complex.count(1); ++e) {
    const auto ends = of.complex.vertices(1, e);
    A[ends[0]][ends[1]] = A[ends[1]][ends[0]] = 1;
  }
  const Tensor with_loops = A + identity(A.size(0));
  const Tensor scaling = diagonal_matrix(with_loops.sum(1).rsqrt());
  return scaling.mm(with_loops).mm(scaling).mm(Z).mm(of.W("own_0_upper")[0]);
}

// Σ_p L̃^p Z W_p with L̃ = D^{−1/2} L_0 D^{−1/2}.
inline Tensor graph_filter(const Head& of, int, const Tensor& Z) {
  const Tensor L = of.L(0), degree = L.diagonal();
  const Tensor scaling = diagonal_matrix(torch::where(degree > 0, degree.rsqrt(), torch::zeros_like(degree)));
  return Z.mm(of.matrix("identity_0")) + filter(scaling.mm(L).mm(scaling), Z, of.W("own_0_upper"), 1);
}

// ------------------------------------------------------------------------------- one order

// Roddenberry and Segarra: a polynomial of L_1^d.
inline Tensor hodgenet(const Head& of, int k, const Tensor& Z) {
  return Z.mm(of.matrix(concat("identity_", k))) + filter(of.Ld(k), Z, of.W(name("own", k, "lower")), 1);
}

// Z W_0 + Σ_p T_p(S) Z W_p, T_p(λ) = cos(p arccos λ) on the spectrum.
inline Tensor chebyshev_filter(const Tensor& S, const Tensor& Z, const Tensor& W0,
                               const std::vector<Tensor>& taps) {
  const auto [values, vectors] = torch::linalg_eigh(S);
  Tensor sum = Z.mm(W0);
  int p = 0;
  for (const Tensor& W : taps) {
    const Tensor T = (values.clamp(-1, 1).acos() * ++p).cos();
    sum = sum + vectors.mm(diagonal_matrix(T)).mm(vectors.t()).mm(Z).mm(W);
  }
  return sum;
}

// Ebli et al.: Chebyshev polynomials of L_k/λ_max.
inline Tensor snn(const Head& of, int k, const Tensor& Z) {
  return chebyshev_filter(of.L(k) / largest_eigenvalue(of.L(k)), Z, of.matrix(concat("identity_", k)),
                          of.W(concat("own_", k)));
}

// The same filters in powers.
inline Tensor snn_powers(const Head& of, int k, const Tensor& Z) {
  const Tensor L = of.L(k) / largest_eigenvalue(of.L(k));
  return Z.mm(of.matrix(concat("identity_", k))) + filter(L, Z, of.W(concat("own_", k)), 1);
}

// Defferrard et al.: Chebyshev polynomials of 2 L_0/λ_max − I.
inline Tensor gcn_chebyshev(const Head& of, int, const Tensor& Z) {
  const Tensor L = of.L(0);
  return chebyshev_filter(2 * L / largest_eigenvalue(L) - identity(L.size(0)), Z, of.matrix("identity_0"),
                          of.W("own_0_upper"));
}

// Yang, Isufi, Leus, eq. 8: separate polynomials of L^d and L^u; PSNN is the one of degree 1.
inline Tensor scnn(const Head& of, int k, const Tensor& Z) {
  Tensor sum = Z.mm(of.matrix(concat("identity_", k)));
  if (k > 0) sum = sum + filter(of.Ld(k), Z, of.W(name("own", k, "lower")), 1);
  if (k < of.order()) sum = sum + filter(of.Lu(k), Z, of.W(name("own", k, "upper")), 1);
  return sum;
}

// Bodnar et al., oriented messages: neighbours only, with the sign of their relative orientation.
inline Tensor mpsn_flow(const Head& of, int k, const Tensor& Z) {
  const auto neighbors = [](const Tensor& L) { return L - diagonal_matrix(L.diagonal()); };
  return Z.mm(of.matrix(concat("identity_", k))) +
         neighbors(of.Ld(k)).mm(Z).mm(of.W(name("own", k, "lower"))[0]) +
         neighbors(of.Lu(k)).mm(Z).mm(of.W(name("own", k, "upper"))[0]);
}

// Goh, Bodnar, Liò, as the paper of GSAN compares it: attention below and above with one a and a W each.
inline Tensor sat(const Head& of, int k, const Tensor& Z) {
  Tensor sum;
  for (const char* side : {"lower", "upper"}) {
    const Tensor L = side == std::string("lower") ? of.Ld(k) : of.Lu(k);
    const Tensor ZW = Z.mm(of.W(name("own", k, side))[0]);
    const Tensor part = of.alpha(concat("attention_", k, "_shared_1"), ZW, L).mm(ZW);
    sum = sum.defined() ? sum + part : part;
  }
  return sum;
}

// The same with signs and one W, scores from |Z W|.
inline Tensor sat_oriented(const Head& of, int k, const Tensor& Z) {
  const Tensor ZW = Z.mm(of.W(concat("own_", k))[0]);
  Tensor sum = torch::zeros_like(ZW);
  for (const Tensor& L : {of.Ld(k), of.Lu(k)}) {
    const Tensor sign = (L - diagonal_matrix(L.diagonal())).sign() + identity(L.size(0));
    sum = sum + (sign * of.alpha(concat("attention_", k, "_shared_1"), ZW.abs(), L)).mm(ZW);
  }
  return sum;
}

// Giusti et al., eq. 10: powers of attentional Laplacians and the harmonic projector.
inline Tensor san(const Head& of, int k, const Tensor& Z) {
  Tensor sum = of.Q(k).mm(Z).mm(of.matrix("harmonic"));
  for (const char* side : {"lower", "upper"}) {
    const bool lower = side == std::string("lower");
    if (lower ? k == 0 : k == of.order()) continue;
    const std::vector<Tensor> W = of.W(name("own", k, side));
    const Tensor alpha =
        of.alpha(concat("attention_", k, "_", side, "_1"), Head::stacked(Z, W), lower ? of.Ld(k) : of.Lu(k));
    sum = sum + filter(alpha, Z, W, 1);
  }
  return sum;
}

// ------------------------------------------------------------------------------ all orders

// Yang and Isufi: own filters of both sides, and filtered projections of the neighbouring orders.
inline Tensor sccnn(const Head& of, int k) {
  Tensor sum = of.z[k].mm(of.matrix(concat("identity_", k)));
  if (k > 0) {
    sum = sum + filter(of.Ld(k), of.z[k], of.W(name("own", k, "lower")), 1) +
          filter(of.Ld(k), of.B(k).t().mm(of.z[k - 1]), of.W(name("neighbor", k, "lower")), 0);
  }
  if (k < of.order()) {
    sum = sum + filter(of.Lu(k), of.z[k], of.W(name("own", k, "upper")), 1) +
          filter(of.Lu(k), of.B(k + 1).mm(of.z[k + 1]), of.W(name("neighbor", k, "upper")), 0);
  }
  return sum;
}

// Bunch et al. on the orders n − 1, n, n + 1, n + 1 = K, as the published comparisons have it: n = 1 in the
// paper itself, n = 2 for tetrahedra. Symmetric normalisation of Schaub et al.
inline Cochains bunch(const Head& of) {
  const int n = of.order() - 1;
  const auto d2 = [&](int k) { return diagonal_matrix(of.B(k + 1).abs().sum(1).clamp_min(1)); };
  const auto d1 = [&](int k) { return (k + 1) * diagonal_matrix(of.B(k).abs().mm(d2(k)).sum(1)); };
  const auto d3 = [&](int k) { return identity(of.complex.count(k + 1)) / (k + 2); };
  const auto lower = [&](int k) {
    return d2(k).sqrt().mm(of.B(k).t()).mm(pseudo_inverse(d1(k))).mm(of.B(k)).mm(d2(k).sqrt());
  };
  const auto upper = [&](int k, const Tensor& D3) {
    const Tensor inverse = pseudo_inverse(d2(k).sqrt());
    return inverse.mm(of.B(k + 1)).mm(D3).mm(of.B(k + 1).t()).mm(inverse);
  };
  const Tensor D1 = d1(n), D2 = d2(n), D3 = d3(n), D5 = diagonal_matrix(of.B(n + 1).abs().sum(1));
  const Tensor L_first =
      n == 1 ? upper(0, identity(of.complex.count(1))) : lower(n - 1) + upper(n - 1, d3(n - 1));
  const Tensor L_middle = lower(n) + upper(n, D3);
  const Tensor L_last = of.B(n + 1).t().mm(pseudo_inverse(D5)).mm(of.B(n + 1));
  const Tensor &a = of.z[n - 1], &b = of.z[n], &c = of.z[n + 1];
  const auto own = [&](int k) { return of.W(concat("own_", k))[0]; };
  const auto from = [&](int k, const char* side) { return of.W(name("neighbor", k, side))[0]; };
  Cochains y(static_cast<std::size_t>(n) + 2);
  y[n - 1] = L_first.mm(a).mm(own(n - 1)) + pseudo_inverse(D1).mm(of.B(n)).mm(b).mm(from(n - 1, "upper"));
  y[n] = L_middle.mm(b).mm(own(n)) + D2.mm(of.B(n).t()).mm(pseudo_inverse(D1)).mm(a).mm(from(n, "lower")) +
         of.B(n + 1).mm(D3).mm(c).mm(from(n, "upper"));
  y[n + 1] =
      L_last.mm(c).mm(own(n + 1)) + of.B(n + 1).t().mm(pseudo_inverse(D5)).mm(b).mm(from(n + 1, "lower"));
  return y;
}

// eq. GSCCN_layer as it stands: Σ_j Σ_q (D^(j))^q Z W_{j,q} + Q̂ Z W_h with all orders stacked in Z and D^(j)
// the whole Dirac component of the operators `boundary`; `key` names the weights of component j.
inline Cochains dirac_layer(const Head& of, const std::function<Tensor(int)>& boundary,
                            const std::function<std::string(int)>& key) {
  const int K = of.order();
  std::vector<std::int64_t> start{0};
  for (int k = 0; k <= K; ++k) start.push_back(start.back() + of.complex.count(k));
  const Tensor Z = torch::cat(of.z, 0);
  Tensor sum = torch::zeros({Z.size(0), of.layer.options().out_channels}, torch::kFloat64);
  for (int j = 1; j <= K; ++j) {
    const Tensor B = boundary(j);
    Tensor D = torch::zeros({Z.size(0), Z.size(0)}, torch::kFloat64);
    D.narrow(0, start[j - 1], B.size(0)).narrow(1, start[j], B.size(1)).copy_(B);
    D.narrow(0, start[j], B.size(1)).narrow(1, start[j - 1], B.size(0)).copy_(B.t());
    const auto even = of.W("own_" + key(j)), odd = of.W("neighbor_" + key(j));
    for (std::size_t p = 0; p < even.size(); ++p)
      sum = sum + power(D, 2 * static_cast<int>(p) + 2).mm(Z).mm(even[p]);
    for (std::size_t p = 0; p < odd.size(); ++p)
      sum = sum + power(D, 2 * static_cast<int>(p) + 1).mm(Z).mm(odd[p]);
  }
  Cochains y;
  for (int k = 0; k <= K; ++k) {
    const Tensor Q = projector(boundary(k), boundary(k + 1), of.layer.options().harmonic_steps);
    y.push_back(sum.narrow(0, start[k], of.complex.count(k)) + Q.mm(of.z[k]).mm(of.matrix("harmonic")));
  }
  return y;
}

inline Cochains gsccn(const Head& of) {
  return dirac_layer(
      of, [&](int j) { return of.B(j); }, [](int j) { return std::to_string(j); });
}
inline Cochains gsan_hodge(const Head& of) {
  return dirac_layer(
      of, [&](int j) { return of.weighted(j); }, [](int j) { return std::to_string(j); });
}

enum class Stand { attention, hodge, normalized };  // what stands for the Laplacian of a side

// eq. GSAN_layer_matrix_sep, order by order and side by side.
inline Equation gsan(Stand below, Stand above, bool unshared = false) {
  return all_orders([=](const Head& of, int k) {
    Tensor sum = of.Q(k).mm(of.z[k]).mm(of.matrix("harmonic"));
    for (const bool lower : {true, false}) {
      if (lower ? k == 0 : k == of.order()) continue;
      const char* side = lower ? "lower" : "upper";
      const Tensor L = lower ? of.Ld(k) : of.Lu(k);
      const Tensor other = lower ? of.B(k).t().mm(of.z[k - 1]) : of.B(k + 1).mm(of.z[k + 1]);
      const std::string key = unshared ? concat(k, "_", side) : std::to_string(lower ? k : k + 1);
      const std::vector<Tensor> even = of.W("own_" + key), odd = of.W("neighbor_" + key);
      const auto S = [&](int use, const Tensor& X, const std::vector<Tensor>& W) {
        switch (lower ? below : above) {
          case Stand::attention:
            if (use == 2 && W.size() == 1) return identity(L.size(0));  // only its power 0 occurs
            return of.alpha(concat("attention_", k, "_", side, "_", use), Head::stacked(X, W), L);
          case Stand::normalized:
            return L / largest_eigenvalue(of.L(k));
          default:
            return L;
        }
      };
      sum = sum + filter(S(1, of.z[k], even), of.z[k], even, 1) + filter(S(2, other, odd), other, odd, 0);
    }
    return sum;
  });
}

// GSAN-Joint (spec 5): one W_q for all, one operator over N^d ∪ N^u for the even terms, no harmonic term.
inline Tensor gsan_joint(const Head& of, int k) {
  const std::vector<Tensor> even = of.W("own_all"), odd = of.W("neighbor_all");
  const Tensor neighbors = of.Ld(k).abs() + of.Lu(k).abs();
  Tensor sum = filter(of.alpha(concat("attention_", k, "_both_1"), Head::stacked(of.z[k], even), neighbors),
                      of.z[k], even, 1);
  if (k > 0) {
    const Tensor other = of.B(k).t().mm(of.z[k - 1]);
    sum = sum + filter(of.alpha(concat("attention_", k, "_lower_2"), Head::stacked(other, odd), of.Ld(k)),
                       other, odd, 0);
  }
  if (k < of.order()) {
    const Tensor other = of.B(k + 1).mm(of.z[k + 1]);
    sum = sum + filter(of.alpha(concat("attention_", k, "_upper_2"), Head::stacked(other, odd), of.Lu(k)),
                       other, odd, 0);
  }
  return sum;
}

/// One entry for each row of gsan/models/presets.def, by its name.
inline const std::map<std::string, Published, std::less<>>& published() {
  using enum Stand;
  static const std::map<std::string, Published, std::less<>> equations{
      {"gat", {one_order(gat), elu, true}},
      {"gcn", {one_order(gcn), relu, true}},
      {"gcn-chebyshev", {one_order(gcn_chebyshev), relu}},
      {"gcn-polynomial", {one_order(graph_filter), leaky}},
      {"gf", {one_order(graph_filter), none}},
      {"hodgenet", {one_order(hodgenet), relu}},
      {"snn", {one_order(snn), leaky}},
      {"bunch", {bunch, relu, true}},
      {"psnn", {one_order(scnn), tanh, true}},
      {"mpsn-flow", {one_order(mpsn_flow), tanh, true}},
      {"scnn", {one_order(scnn), leaky}},
      {"scf", {one_order(scnn), none}},
      {"sat", {one_order(sat), relu, true}},
      {"sat-oriented", {one_order(sat_oriented), relu, true}},
      {"san", {one_order(san), tanh}},
      {"cf-sc", {all_orders(sccnn), none}},
      {"sccnn", {all_orders(sccnn), leaky}},
      {"gsccn", {gsccn, tanh}},
      {"gsan", {gsan(attention, attention), tanh}},
      {"gsan-joint", {all_orders(gsan_joint), tanh}},
      {"gsan-hodge", {gsan_hodge, tanh}},
      {"gsan-no-attention", {gsccn, tanh}},
      {"gsan-normalized", {gsan(normalized, normalized), tanh}},
      {"gsan-only-lower", {gsan(attention, hodge), tanh}},
      {"gsan-only-upper", {gsan(hodge, attention), tanh}},
      {"gsan-only-lower-normalized", {gsan(attention, normalized), tanh}},
      {"gsan-only-upper-normalized", {gsan(normalized, attention), tanh}},
      {"gsan-no-sharing", {gsan(attention, attention, true), tanh}},
  };
  return equations;
}

}  // namespace gsan::dense
