"""Published architectures, one class each: made by scripts/preset_pages.py from gsan/models/presets.def."""
from .model import Model


class GAT(Model):
    """y_i = s(sum_j a_ij z_j W), vertices

    Velickovic, Cucurull, Casanova, Romero, Lio, Bengio: Graph attention networks. ICLR, 2018.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gat"


class GCN(Model):
    """Y = s(D~^-1/2 (A+I) D~^-1/2 Z W), vertices

    Kipf, Welling: Semi-supervised classification with graph convolutional networks. ICLR, 2017.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gcn"


class GCNChebyshev(Model):
    """Y = s(sum_p T_p(2 L0/lambda_max - I) Z W_p), vertices

    Defferrard, Bresson, Vandergheynst: Convolutional neural networks on graphs with fast localized spectral
    filtering. NeurIPS, 2016.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gcn-chebyshev"


class GCNPolynomial(Model):
    """Y = s(sum_p L~0^p Z W_p), vertices

    the filter of gcn-chebyshev in powers, as in Yang, Isufi: Convolutional learning on simplicial complexes.
    arXiv, 2023.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gcn-polynomial"


class GF(Model):
    """Y = sum_p L~0^p Z W_p, vertices

    Sandryhaila, Moura: Discrete signal processing on graphs. IEEE TSP, 2013.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gf"


class HodgeNet(Model):
    """Y = s(sum_p (Ld_1)^p Z W_p), edges

    Roddenberry, Segarra: HodgeNet: graph neural networks for edge data. Asilomar, 2019.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "hodgenet"


class SNN(Model):
    """Y = s(sum_p T_p(L_k/lambda_max) Z W_p), one order

    Ebli, Defferrard, Spreemann: Simplicial neural networks. NeurIPS workshop TDA and beyond, 2020.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "snn"


class Bunch(Model):
    """Y_k = s((Ld+Lu)~ Z_k W + B_k^T~ Z_k-1 W' + B_k+1~ Z_k+1 W'')

    Bunch, You, Fung, Singh: Simplicial 2-complex convolutional neural networks. NeurIPS workshop TDA and
    beyond, 2020.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "bunch"


class PSNN(Model):
    """Y = tanh(Ld Z W_1 + Z W_0 + Lu Z W_2), one order

    Roddenberry, Glaze, Segarra: Principled simplicial neural networks for trajectory prediction. ICML, 2021.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "psnn"


class MPSNFlow(Model):
    """y_i = s(z_i W_0 + sum_lower o_ij z_j W_1 + sum_upper o_ij z_j W_2), one order

    Bodnar, Frasca, Wang, Otter, Montufar, Lio, Bronstein: Weisfeiler and Lehman go topological: message passing
    simplicial networks. ICML, 2021.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "mpsn-flow"


class SCNN(Model):
    """Y = s(Z W_0 + sum_p Ld^p Z W_p + sum_p Lu^p Z W'_p), one order

    Yang, Isufi, Leus: Simplicial convolutional neural networks. ICASSP, 2022.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "scnn"


class SCF(Model):
    """Y = Z W_0 + sum_p Ld^p Z W_p + sum_p Lu^p Z W'_p, one order

    Yang, Isufi, Schaub, Leus: Simplicial convolutional filters. IEEE TSP, 2022.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "scf"


class SAT(Model):
    """Y = s(a_d Z W + a_u Z W'), one attention for both sides, one order

    Goh, Bodnar, Lio: Simplicial attention networks. ICLR workshop GTRL, 2022.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "sat"


class SATOriented(Model):
    """Y = s((b*a_d) Z W + (b*a_u) Z W), scores from |Z W|, one order

    Goh, Bodnar, Lio: Simplicial attention networks. ICLR workshop GTRL, 2022.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "sat-oriented"


class SAN(Model):
    """Y = s(sum_p a_d^p Z W_p + sum_p a_u^p Z W'_p + Q^ Z W_h), one order

    Giusti, Battiloro, Di Lorenzo, Sardellitti, Barbarossa: Simplicial attention neural networks. arXiv, 2022.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "san"


class CFSC(Model):
    """sccnn without s

    Isufi, Yang: Convolutional filtering in simplicial complexes. ICASSP, 2022.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "cf-sc"


class SCCNN(Model):
    """Y_k = s(Z_k W_0 + sum_p Ld^p (Z_k W_p + B_k^T Z_k-1 W'_p) + the same above)

    Yang, Isufi: Convolutional learning on simplicial complexes. arXiv, 2023.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "sccnn"


class GSCCN(Model):
    """Y = s(sum_j sum_q (D^(j))^q Z W_jq + Q^ Z W_h)

    Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
    networks. IEEE TSIPN, 2024.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gsccn"


class GSAN(Model):
    """gsccn with attention in the place of each Laplacian

    Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
    networks. IEEE TSIPN, 2024.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gsan"


class GSANJoint(Model):
    """gsan with one W_q for all components and one operator per order

    Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
    networks. IEEE TSIPN, 2024.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gsan-joint"


class GSANHodge(Model):
    """gsccn of the Laplacians of a learned metric

    Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
    networks. IEEE TSIPN, 2024.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gsan-hodge"


class GSANNoAttention(Model):
    """gsan with Hodge Laplacians on both sides

    Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
    networks. IEEE TSIPN, 2024.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gsan-no-attention"


class GSANNormalized(Model):
    """gsan with L/lambda_max on both sides

    Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
    networks. IEEE TSIPN, 2024.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gsan-normalized"


class GSANOnlyLower(Model):
    """gsan with attention below, Lu above

    Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
    networks. IEEE TSIPN, 2024.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gsan-only-lower"


class GSANOnlyUpper(Model):
    """gsan with attention above, Ld below

    Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
    networks. IEEE TSIPN, 2024.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gsan-only-upper"


class GSANOnlyLowerNormalized(Model):
    """gsan with attention below, Lu/lambda_max above

    Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
    networks. IEEE TSIPN, 2024.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gsan-only-lower-normalized"


class GSANOnlyUpperNormalized(Model):
    """gsan with attention above, Ld/lambda_max below

    Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
    networks. IEEE TSIPN, 2024.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gsan-only-upper-normalized"


class GSANNoSharing(Model):
    """gsan with its own weights for every order and side

    Battiloro, Testa, Giusti, Sardellitti, Di Lorenzo, Barbarossa: Generalized simplicial attention neural
    networks. IEEE TSIPN, 2024.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gsan-no-sharing"


class MPSN(Model):
    """y_i = s(norm([MLP((1+e) x_i + sum upper messages) | MLP((1+e) x_i + sum faces)] W + w))

    Bodnar, Frasca, Wang, Otter, Montufar, Lio, Bronstein: Weisfeiler and Lehman go topological: message passing
    simplicial networks. ICML, 2021.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "mpsn"


class GIN(Model):
    """y_i = MLP((1+e) z_i + sum_j z_j), vertices

    Xu, Hu, Leskovec, Jegelka: How powerful are graph neural networks? ICLR, 2019.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "gin"


class MLP(Model):
    """y_i = s(z_i W + b), every simplex by itself

    Rumelhart, Hinton, Williams: Learning representations by back-propagating errors. Nature, 1986.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "mlp"


class Facets(Model):
    """y_i = w log(sum_f s(u h_f + c) e^(t h_f))/t + b over facets f of i, h_f = sum_j a_fj z_j over members j of f

    gsan: sums over facets. Specification, section 10, 2026.

    Arguments: see gsan.nn.Model.
    """

    preset_name = "facets"


__all__ = [
    "GAT", "GCN", "GCNChebyshev", "GCNPolynomial", "GF", "HodgeNet", "SNN", "Bunch", "PSNN", "MPSNFlow", "SCNN",
    "SCF", "SAT", "SATOriented", "SAN", "CFSC", "SCCNN", "GSCCN", "GSAN", "GSANJoint", "GSANHodge",
    "GSANNoAttention", "GSANNormalized", "GSANOnlyLower", "GSANOnlyUpper", "GSANOnlyLowerNormalized",
    "GSANOnlyUpperNormalized", "GSANNoSharing", "MPSN", "GIN", "MLP", "Facets",
]
