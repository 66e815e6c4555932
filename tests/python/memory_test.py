"""Tensors in memory that waits for the next ones: gsan.pool_memory()."""
import subprocess
import sys

STEPS = """
import os, sys, torch, gsan
torch.manual_seed(0)
x = torch.randn(3000, 64)
if "pooled" in sys.argv:
    gsan.pool_memory()
layer = torch.nn.Linear(64, 64)
for _ in range(4):
    layer.zero_grad()
    y = torch.tanh(layer(x)).square().mean()
    y.backward()
if "forked" in sys.argv:
    child = os.fork()
    if child == 0:
        torch.set_num_threads(1)
        total = sum(torch.ones(5000).sum().item() for _ in range(100))
        os._exit(0 if total == 500000 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
print(y.item(), layer.weight.grad.double().sum().item())
"""


def run(*words):
    done = subprocess.run([sys.executable, "-c", STEPS, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pooled_memory_changes_no_bit():
    assert run("pooled") == run()


def test_a_forked_process_computes_with_pooled_memory():
    assert run("pooled", "forked") == run()
