"""To and from the objects of other packages. Each is imported when it is used."""
from .pyg import from_pyg, from_pyg_batch, to_pyg, to_pyg_batch
from .topobench import TopoBenchBackbone, from_topobench, to_topobench

__all__ = ["TopoBenchBackbone", "from_pyg", "from_pyg_batch", "from_topobench", "to_pyg", "to_pyg_batch", "to_topobench"]
