"""Published architectures, one class each: names of the registry, no code of their own."""
from .model import Model


class GAT(Model):
    preset_name = "gat"


class GCN(Model):
    preset_name = "gcn"


class GCNChebyshev(Model):
    preset_name = "gcn-chebyshev"


class GCNPolynomial(Model):
    preset_name = "gcn-polynomial"


class GF(Model):
    preset_name = "gf"


class HodgeNet(Model):
    preset_name = "hodgenet"


class SNN(Model):
    preset_name = "snn"


class Bunch(Model):
    preset_name = "bunch"


class PSNN(Model):
    preset_name = "psnn"


class MPSNFlow(Model):
    preset_name = "mpsn-flow"


class SCNN(Model):
    preset_name = "scnn"


class SCF(Model):
    preset_name = "scf"


class SAT(Model):
    preset_name = "sat"


class SAN(Model):
    preset_name = "san"


class CFSC(Model):
    preset_name = "cf-sc"


class SCCNN(Model):
    preset_name = "sccnn"


class GSCCN(Model):
    preset_name = "gsccn"


class GSAN(Model):
    preset_name = "gsan"


class GSANJoint(Model):
    preset_name = "gsan-joint"


class GSANHodge(Model):
    preset_name = "gsan-hodge"


class GSANNoAttention(Model):
    preset_name = "gsan-no-attention"


class GSANNormalized(Model):
    preset_name = "gsan-normalized"


class GSANOnlyLower(Model):
    preset_name = "gsan-only-lower"


class GSANOnlyUpper(Model):
    preset_name = "gsan-only-upper"


class GSANOnlyLowerNormalized(Model):
    preset_name = "gsan-only-lower-normalized"


class GSANOnlyUpperNormalized(Model):
    preset_name = "gsan-only-upper-normalized"


class GSANNoSharing(Model):
    preset_name = "gsan-no-sharing"


class MPSN(Model):
    preset_name = "mpsn"


class GIN(Model):
    preset_name = "gin"


class MLP(Model):
    preset_name = "mlp"


__all__ = [
    "GAT", "GCN", "GCNChebyshev", "GCNPolynomial", "GF", "HodgeNet", "SNN", "Bunch", "PSNN", "MPSNFlow", "SCNN",
    "SCF", "SAT", "SAN", "CFSC", "SCCNN", "GSCCN", "GSAN", "GSANJoint", "GSANHodge", "GSANNoAttention",
    "GSANNormalized", "GSANOnlyLower", "GSANOnlyUpper", "GSANOnlyLowerNormalized", "GSANOnlyUpperNormalized",
    "GSANNoSharing", "MPSN", "GIN", "MLP",
]
