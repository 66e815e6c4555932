"""gsan.nn modules and gsan.data loaders among several processes, by torch's own means."""
import socket

import pytest
import torch
import torch.distributed
import torch.multiprocessing
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data.distributed import DistributedSampler

import gsan
from conftest import random_complex, signals_on

RANKS = 2
needs_gloo = pytest.mark.skipif(not (torch.distributed.is_available() and torch.distributed.is_gloo_available()),
                                reason="this torch has no Gloo")


def samples(count=6, width=2):
    made = []
    for i in range(count):
        complex = random_complex(i, vertices=6 + i, edges=8 + 2 * i, max_rank=2)
        made.append(gsan.data.Sample(complex, signals_on(complex, width, seed=i), y=i % 2, key=i))
    return made


def model():
    torch.manual_seed(0)
    return gsan.nn.GSAN(in_channels=2, hidden_channels=4, n_layers=2)


def loss_of(module, batch):
    return sum(x.pow(2).sum() for x in module(batch) if x is not None)


def batches_of(rank, epoch=0):
    sampler = DistributedSampler(samples(), num_replicas=RANKS, rank=rank, shuffle=True, seed=1)
    sampler.set_epoch(epoch)
    return list(gsan.data.DataLoader(samples(), batch_size=2, sampler=sampler))


def train_as_rank(rank, port, folder):
    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=RANKS)
    try:
        # A batch without triangles leaves their weights without gradients.
        module = DistributedDataParallel(model(), find_unused_parameters=True)
        optimizer = torch.optim.SGD(module.parameters(), lr=1e-3)
        first = None
        for batch in batches_of(rank):
            optimizer.zero_grad()
            loss_of(module, batch).backward()
            first = first or [p.grad.clone() for p in module.parameters()]
            optimizer.step()
        torch.save((first, [p.detach().clone() for p in module.parameters()]), f"{folder}/{rank}.pt")
    finally:
        torch.distributed.destroy_process_group()


@needs_gloo
def test_modules_train_inside_distributed_data_parallel(tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    torch.multiprocessing.spawn(train_as_rank, args=(port, str(tmp_path)), nprocs=RANKS)
    gradients, weights = zip(*(torch.load(tmp_path / f"{rank}.pt") for rank in range(RANKS)))
    assert all(torch.equal(a, b) for a, b in zip(*weights)) and all(torch.equal(a, b) for a, b in zip(*gradients))
    # The mean over the ranks of what each of them finds by itself.
    alone = []
    for rank in range(RANKS):
        module = model()
        loss_of(module, batches_of(rank)[0]).backward()
        alone.append([p.grad for p in module.parameters()])
    for found, *own in zip(gradients[0], *alone):
        assert torch.allclose(found, torch.stack(own).mean(0), rtol=1e-4, atol=1e-6)
    assert any(not torch.equal(a, b) for a, b in zip(weights[0], model().parameters()))


def test_a_distributed_sampler_gives_every_sample_to_one_rank():
    seen = [int(key) for rank in range(RANKS) for batch in batches_of(rank) for key in batch.keys]
    assert sorted(seen) == list(range(6))
    orders = [[int(key) for batch in batches_of(0, epoch) for key in batch.keys] for epoch in (0, 1)]
    assert orders[0] != orders[1]
