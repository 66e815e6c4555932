"""One module, one complex, several threads and processes."""
import copy
import os
import threading
import time

import pytest
import torch

import gsan


@pytest.fixture
def sample():
    data = gsan.datasets.islands(signals=6)
    model = gsan.nn.GSAN([0, 1, 0], 4, readout="pooled", seed=0, attention_dropout=0.9)
    return data, model


def answers(data, model):
    with torch.no_grad():
        return model(data.complex, data.signals)


def test_a_call_in_one_mode_never_changes_one_in_the_other(sample):
    """train() and eval() were one flag of one C++ module, which a call of another thread was computing with."""
    data, model = sample
    evaluated = copy.copy(model)  # the same tensors and the same core
    evaluated.training = False
    expected = answers(data, evaluated)
    assert not torch.equal(expected, answers(data, model.train()))
    stop = threading.Event()

    def train():
        while not stop.is_set():
            answers(data, model)

    thread = threading.Thread(target=train)
    thread.start()
    try:
        assert all(torch.equal(answers(data, evaluated), expected) for _ in range(60))
    finally:
        stop.set()
        thread.join()


def test_modes_share_weights_and_gradients(sample):
    data, model = sample
    answers(data, model.eval()), answers(data, model.train())
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(0.5)
    fresh = copy.deepcopy(model)
    assert torch.equal(answers(data, model.eval()), answers(data, fresh.eval()))
    model(data.complex, data.signals).sum().backward()
    fresh(data.complex, data.signals).sum().backward()
    for a, b in zip(model.parameters(), fresh.parameters()):
        assert (a.grad is None) == (b.grad is None)
        assert a.grad is None or torch.equal(a.grad, b.grad)


def test_random_numbers_of_others_are_not_rewound(sample):
    """A module that is made for other tensors drew first values and then set torch's generator back."""
    layer = gsan.nn.SimplicialLayer.preset("gsan", 2, 2)
    state = {name: value.clone() for name, value in layer.state_dict().items()}
    data, _ = sample
    x = [torch.ones(data.complex.shape[k], 2) if k == 1 else None for k in range(len(data.complex.shape))]
    torch.manual_seed(5)
    expected = torch.rand(4)
    torch.manual_seed(5)
    torch.func.functional_call(layer.eval(), state, (data.complex, x))
    assert torch.equal(torch.rand(4), expected)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this system")
def test_a_forked_worker_inherits_no_held_lock(sample):
    data, model = sample
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # OpenMP's own threads do not survive a fork
    model.eval()
    stop = threading.Event()

    def compute():
        while not stop.is_set():
            answers(data, model)
            answers(data, gsan.nn.GSAN([0, 1, 0], 4, readout="pooled", seed=1).eval())

    thread = threading.Thread(target=compute)
    thread.start()
    try:
        for _ in range(12):
            child = os.fork()
            if child == 0:
                code = 1
                try:
                    answers(data, model)
                    code = 0
                finally:
                    os._exit(code)
            end = time.monotonic() + 20
            while (ended := os.waitpid(child, os.WNOHANG)) == (0, 0) and time.monotonic() < end:
                time.sleep(0.005)
            if ended == (0, 0):
                os.kill(child, 9)
                os.waitpid(child, 0)
            assert ended[0] == child and ended[1] == 0, "the child hangs or failed"
    finally:
        stop.set()
        thread.join()
        torch.set_num_threads(threads)
