"""turbo-gnn's GATv2 aggregation, from a checkout of it whose kernels are built (github.com/yandex-research/
On-Efficient-Scaling-Of-GNNs). Nothing of it is part of this repository."""
import sys


class TurboGnn:
    """Raises ImportError where `folder` has no package turbo_gnn that can be imported."""

    def __init__(self, folder):
        sys.path.insert(0, str(folder))
        import turbo_gnn
        self.package = turbo_gnn

    def calls(self, graph, slope):
        """The aggregation of x, y, v as functions, plain and tuned for this graph."""
        adjacency = self.package.AdjacencyForwardBackwardWithNodeBuckets.from_edge_list(
            graph.index.cpu(), num_nodes=graph.count).to(graph.index.device)

        def call(**tuning):
            def aggregate(x, y, v):
                result = self.package.gatv2_aggr(adjacency, x.unsqueeze(1), x_neighbors=y.unsqueeze(1),
                                                 attention_weights=v.unsqueeze(0), negative_slope=slope, **tuning)
                return result.squeeze(1)
            return aggregate

        return {"turbo-gnn": call(), "turbo-gnn, autotuned": call(autotune=True)}
