"""Tensors in memory that waits for the next ones: gsan.pool_memory()."""
import subprocess
import sys

STEPS = """
import sys, torch, gsan
torch.manual_seed(0)
x = torch.randn(3000, 64)
if "pooled" in sys.argv:
    gsan.pool_memory()
layer = torch.nn.Linear(64, 64)
for _ in range(4):
    layer.zero_grad()
    y = torch.tanh(layer(x)).square().mean()
    y.backward()
print(y.item(), layer.weight.grad.double().sum().item())
"""

REUSE = """
import torch, gsan
gsan.pool_memory()
first = torch.empty(8 << 20, dtype=torch.uint8)
where = first.data_ptr()
del first
other = torch.empty(9 << 20, dtype=torch.uint8)
again = torch.empty(8 << 20, dtype=torch.uint8).fill_(3)
assert again.data_ptr() == where and other.data_ptr() != where and int(again[-1]) == 3
"""

# A thread takes and gives back blocks all the time while children are forked.
FORKS = """
import os, threading, torch, gsan
torch.set_num_threads(1)
gsan.pool_memory()
is_over = False
def work():
    while not is_over:
        torch.empty(5000)
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
for _ in range(200):
    child = os.fork()
    if child == 0:
        os._exit(0 if torch.ones(5000).sum().item() == 5000 else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
is_over = True
for thread in threads:
    thread.join()
"""


def run(program, *words):
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", program, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pooled_memory_changes_no_bit():
    assert run(STEPS, "pooled") == run(STEPS)


def test_a_freed_block_is_the_next_tensor_of_its_size():
    run(REUSE)


def test_forked_processes_inherit_no_lock_of_the_memory():
    run(FORKS)
