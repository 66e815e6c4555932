#include "gsan/models/registry.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gsan/core/nearest.h"

namespace gsan {
namespace {

constexpr std::string_view gsan_citation =
    "Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural "
    "networks. IEEE TSIPN, 2024.";

constexpr Preset table[] = {
    {"gat", "y_i = s(sum_j a_ij z_j W), vertices",
     "Velickovic, Cucurull, Casanova, Romero, Lio, Bengio: Graph attention networks. ICLR, 2018.",
     presets::gat},
    {"gcn", "Y = s(D~^-1/2 (A+I) D~^-1/2 Z W), vertices",
     "Kipf, Welling: Semi-supervised classification with graph convolutional networks. ICLR, 2017.",
     presets::gcn},
    {"gcn-chebyshev", "Y = s(sum_p T_p(2 L0/lambda_max - I) Z W_p), vertices",
     "Defferrard, Bresson, Vandergheynst: Convolutional neural networks on graphs with fast localized "
     "spectral "
     "filtering. NeurIPS, 2016.",
     presets::gcn_chebyshev},
    {"gcn-polynomial", "Y = s(sum_p L~0^p Z W_p), vertices",
     "the filter of gcn-chebyshev in powers, as in Yang, Isufi: Convolutional learning on simplicial "
     "complexes. arXiv, "
     "2023.",
     presets::gcn_polynomial},
    {"gf", "Y = sum_p L~0^p Z W_p, vertices",
     "Sandryhaila, Moura: Discrete signal processing on graphs. IEEE TSP, 2013.", presets::gf},
    {"hodgenet", "Y = s(sum_p (Ld_1)^p Z W_p), edges",
     "Roddenberry, Segarra: HodgeNet: graph neural networks for edge data. Asilomar, 2019.",
     presets::hodgenet},
    {"snn", "Y = s(sum_p T_p(L_k/lambda_max) Z W_p), one order",
     "Ebli, Defferrard, Spreemann: Simplicial neural networks. NeurIPS workshop TDA and beyond, 2020.",
     presets::snn},
    {"bunch", "Y_k = s((Ld+Lu)~ Z_k W + B_k^T~ Z_k-1 W' + B_k+1~ Z_k+1 W'')",
     "Bunch, You, Fung, Singh: Simplicial 2-complex convolutional neural networks. NeurIPS workshop TDA and "
     "beyond, "
     "2020.",
     presets::bunch},
    {"psnn", "Y = tanh(Ld Z W_1 + Z W_0 + Lu Z W_2), one order",
     "Roddenberry, Glaze, Segarra: Principled simplicial neural networks for trajectory prediction. ICML, "
     "2021.",
     presets::psnn},
    {"mpsn-flow", "y_i = s(z_i W_0 + sum_lower o_ij z_j W_1 + sum_upper o_ij z_j W_2), one order",
     "Bodnar, Frasca, Wang, Otter, Montufar, Lio, Bronstein: Weisfeiler and Lehman go topological: message "
     "passing "
     "simplicial networks. ICML, 2021.",
     presets::mpsn_flow},
    {"scnn", "Y = s(Z W_0 + sum_p Ld^p Z W_p + sum_p Lu^p Z W'_p), one order",
     "Yang, Isufi, Leus: Simplicial convolutional neural networks. ICASSP, 2022.", presets::scnn},
    {"scf", "Y = Z W_0 + sum_p Ld^p Z W_p + sum_p Lu^p Z W'_p, one order",
     "Yang, Isufi, Schaub, Leus: Simplicial convolutional filters. IEEE TSP, 2022.", presets::scf},
    {"sat", "Y = s((b*a_d) Z W + (b*a_u) Z W), scores from |Z W|, one order",
     "Goh, Bodnar, Lio: Simplicial attention networks. ICLR workshop GTRL, 2022.", presets::sat},
    {"san", "Y = s(sum_p a_d^p Z W_p + sum_p a_u^p Z W'_p + Q^ Z W_h), one order",
     "Giusti, Battiloro, Di Lorenzo, Sardellitti, Barbarossa: Simplicial attention neural networks. arXiv, "
     "2022.",
     presets::san},
    {"cf-sc", "sccnn without s",
     "Isufi, Yang: Convolutional filtering in simplicial complexes. ICASSP, 2022.", presets::cf_sc},
    {"sccnn", "Y_k = s(Z_k W_0 + sum_p Ld^p (Z_k W_p + B_k^T Z_k-1 W'_p) + the same above)",
     "Yang, Isufi: Convolutional learning on simplicial complexes. arXiv, 2023.", presets::sccnn},
    {"gsccn", "Y = s(sum_j sum_q (D^(j))^q Z W_jq + Q^ Z W_h)", gsan_citation, presets::gsccn},
    {"gsan", "gsccn with attention in the place of each Laplacian", gsan_citation, presets::gsan},
    {"gsan-joint", "gsan with one W_q for all components and one operator per order", gsan_citation,
     presets::gsan_joint},
    {"gsan-hodge", "gsccn of the Laplacians of a learned metric", gsan_citation, presets::gsan_hodge},
    {"gsan-no-attention", "gsan with Hodge Laplacians on both sides", gsan_citation,
     presets::gsan_no_attention},
    {"gsan-normalized", "gsan with L/lambda_max on both sides", gsan_citation, presets::gsan_normalized},
    {"gsan-only-lower", "gsan with attention below, Lu above", gsan_citation, presets::gsan_only_lower},
    {"gsan-only-upper", "gsan with attention above, Ld below", gsan_citation, presets::gsan_only_upper},
    {"gsan-only-lower-normalized", "gsan with attention below, Lu/lambda_max above", gsan_citation,
     presets::gsan_only_lower_normalized},
    {"gsan-only-upper-normalized", "gsan with attention above, Ld/lambda_max below", gsan_citation,
     presets::gsan_only_upper_normalized},
    {"gsan-no-sharing", "gsan with its own weights for every order and side", gsan_citation,
     presets::gsan_no_sharing},
};

}  // namespace

std::span<const Preset> all_presets() { return table; }

const Preset& find_preset(std::string_view name) {
  std::string wanted(name);
  std::replace(wanted.begin(), wanted.end(), '_', '-');
  std::vector<std::string> known;
  for (const Preset& preset : table) {
    if (preset.name == wanted) return preset;
    known.emplace_back(preset.name);
  }
  fail(Fault::argument, "unknown model '", name, "'; did you mean '", nearest_word(wanted, known),
       "'? `gsan models` lists all of them");
}

}  // namespace gsan
