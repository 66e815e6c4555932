#pragma once
// Published architectures as settings of one layer (nn/simplicial_layer). Each function returns the options
// of its model's layer; every option may be changed afterwards.
//
// In the equations Z_k is the input of order k, L^d and L^u its lower and upper Laplacian, α an attentional
// operator over its lower (d) or upper (u) neighbours, Q̂ the harmonic projector.

#include "gsan/nn/simplicial_layer_options.h"

namespace gsan {

struct PresetArguments {
  int in_channels = 1;
  int out_channels = 1;  ///< per head
  int order = 2;         ///< K of the complexes
  /// The order that a model for one kind of simplex works on; −1 = 0 for graph models, else 1. An error
  /// for models of all orders.
  int signal_order = -1;
  /// Length of the filter: J of the Dirac models, else the highest power; 0 = that of the publication. More
  /// than 1 is an error for models whose equation has one power.
  int length = 0;
  int heads = 1;
};

namespace presets {

/// y_i = σ(Σ_j α_ij z_j W) on vertices.
/// Veličković, Cucurull, Casanova, Romero, Liò, Bengio: Graph attention networks. ICLR 2018.
SimplicialLayerOptions gat(const PresetArguments& arguments);

/// Y = σ(D̃^{−1/2}(A + I)D̃^{−1/2} Z W) on vertices.
/// Kipf, Welling: Semi-supervised classification with graph convolutional networks. ICLR 2017.
SimplicialLayerOptions gcn(const PresetArguments& arguments);

/// Y = σ(Σ_{p=0…P} T_p(2 L_0/λ_max − I) Z W_p) on vertices, T_p the Chebyshev polynomials.
/// Defferrard, Bresson, Vandergheynst: Convolutional neural networks on graphs with fast localized spectral
/// filtering. NeurIPS 2016.
SimplicialLayerOptions gcn_chebyshev(const PresetArguments& arguments);

/// Y = σ(Σ_{p=0…P} L̃^p Z W_p) on vertices, L̃ = D^{−1/2} L_0 D^{−1/2}: the filter of gcn_chebyshev in the
/// powers that the public code behind the GCN row of Table IV computes (Yang, Isufi 2023).
SimplicialLayerOptions gcn_polynomial(const PresetArguments& arguments);

/// Y = σ(Σ_{p=0…P} T_p(L_k/λ_max) Z W_p) on one order, T_p the Chebyshev polynomials.
/// Ebli, Defferrard, Spreemann: Simplicial neural networks. NeurIPS workshop TDA and beyond, 2020.
SimplicialLayerOptions snn(const PresetArguments& arguments);

/// Y = tanh(L^d Z W_1 + Z W_0 + L^u Z W_2) on one order (PSNN, also SCoNe).
/// Roddenberry, Glaze, Segarra: Principled simplicial neural networks for trajectory prediction. ICML 2021.
SimplicialLayerOptions psnn(const PresetArguments& arguments);

/// Y = σ(Σ_{p=0…P} (L_1^d)^p Z W_p) on edges.
/// Roddenberry, Segarra: HodgeNet: graph neural networks for edge data. Asilomar 2019.
SimplicialLayerOptions hodgenet(const PresetArguments& arguments);

/// Y = σ(Z W_0 + Σ_{p=1…P} (L^d)^p Z W_p + Σ_{p=1…P} (L^u)^p Z W'_p) on one order.
/// Yang, Isufi, Leus: Simplicial convolutional neural networks. ICASSP 2022.
SimplicialLayerOptions scnn(const PresetArguments& arguments);

/// Y_k = σ((L̃^d + L̃^u) Z_k W + D2 B_kᵀ D1⁺ Z_{k−1} W' + B_{k+1} D3 Z_{k+1} W'') (scalings:
/// hodge/side_operator.h). Bunch, You, Fung, Singh: Simplicial 2-complex convolutional neural networks.
/// NeurIPS workshop TDA and beyond, 2020. Laplacians in the place of adjacencies, as in the published
/// comparisons.
SimplicialLayerOptions bunch(const PresetArguments& arguments);

/// Y_k = σ(Σ_{p=0…P} (L^d)^p (B_kᵀ Z_{k−1} W'_p + [p>0] Z_k W_p) + Z_k W_0 + the same above).
/// Yang, Isufi: Convolutional learning on simplicial complexes. 2023.
SimplicialLayerOptions sccnn(const PresetArguments& arguments);

/// Y = σ((β∘α^d) Z W + (β∘α^u) Z W), scores from |Z W|, on one order; weights and attention parameters of
/// both sides in common, as the paper of GSAN describes it (a public implementation has one set per side).
/// Goh, Bodnar, Liò: Simplicial attention networks. ICLR workshop GTRL 2022.
SimplicialLayerOptions sat(const PresetArguments& arguments);

/// Y = σ(Σ_p (α^d)^p Z W_p + Σ_p (α^u)^p Z W'_p + Q̂ Z W_h) on one order.
/// Giusti, Battiloro, Di Lorenzo, Sardellitti, Barbarossa: Simplicial attention neural networks. 2022.
SimplicialLayerOptions san(const PresetArguments& arguments);

/// eq. GSCCN_layer (spec 2).
/// Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
/// networks. IEEE Transactions on Signal and Information Processing over Networks, 2024. So are the next
/// three.
SimplicialLayerOptions gsccn(const PresetArguments& arguments);
SimplicialLayerOptions gsan(const PresetArguments& arguments);        ///< eq. GSAN_layer_matrix_sep (spec 3)
SimplicialLayerOptions gsan_joint(const PresetArguments& arguments);  ///< spec 5
SimplicialLayerOptions gsan_hodge(const PresetArguments& arguments);  ///< spec 6

/// Y = Σ_{p=0…P} L̃^p Z W_p on vertices: gcn_polynomial without σ.
/// Sandryhaila, Moura: Discrete signal processing on graphs. IEEE Transactions on Signal Processing, 2013.
SimplicialLayerOptions gf(const PresetArguments& arguments);

/// scnn without σ.
/// Yang, Isufi, Schaub, Leus: Simplicial convolutional filters. IEEE Transactions on Signal Processing, 2022.
SimplicialLayerOptions scf(const PresetArguments& arguments);

/// sccnn without σ.
/// Isufi, Yang: Convolutional filtering in simplicial complexes. ICASSP 2022.
SimplicialLayerOptions cf_sc(const PresetArguments& arguments);

/// y_i = σ(z_i W_0 + Σ_{lower j} o_ij z_j W_1 + Σ_{upper j} o_ij z_j W_2), o the relative orientation, on
/// edge flows. Bodnar, Frasca, Wang, Otter, Montúfar, Liò, Bronstein: Weisfeiler and Lehman go topological:
/// message passing simplicial networks. ICML 2021.
SimplicialLayerOptions mpsn_flow(const PresetArguments& arguments);

// Ablations of gsan.
SimplicialLayerOptions gsan_no_attention(
    const PresetArguments& arguments);                                     ///< Hodge Laplacians on both sides
SimplicialLayerOptions gsan_normalized(const PresetArguments& arguments);  ///< … divided by λ_max
SimplicialLayerOptions gsan_only_lower(const PresetArguments& arguments);  ///< attention below, L^u above
SimplicialLayerOptions gsan_only_upper(const PresetArguments& arguments);  ///< attention above, L^d below
SimplicialLayerOptions gsan_only_lower_normalized(
    const PresetArguments& arguments);  ///< attention below, L^u/λ_max above
SimplicialLayerOptions gsan_only_upper_normalized(
    const PresetArguments& arguments);  ///< attention above, L^d/λ_max below
SimplicialLayerOptions gsan_no_sharing(const PresetArguments& arguments);  ///< own weights per order and side

}  // namespace presets
}  // namespace gsan
