"""Ranks on two hosts, and ranks that lose their disk or their network, in namespaces of their own: nothing of the machine is touched.

Needs the rights to make namespaces (root, or user namespaces) and the programs unshare, nsenter and ip; skipped without."""
import os
import shlex
import signal
import subprocess
import time
import unittest

from command_case import BINARY, ENVIRONMENT, IO
from processes_test import HAS_RANKS, HOST, TORCHRUN
from training_case import TrainingCase


def is_possible(*words):
    try:
        return subprocess.run(words, capture_output=True, timeout=20).returncode == 0
    except OSError:
        return False


HAS_MOUNTS = is_possible("unshare", "-m", "sh", "-c", "mount -t tmpfs none /mnt")
HAS_NETWORKS = is_possible("unshare", "-n", "sh", "-c", "ip link add name first type veth peer name second && nsenter --version")

HAS_FROZEN_DISKS = HAS_MOUNTS and is_possible("unshare", "-m", "sh", "-c", """
  image=$(mktemp) && trap 'rm -f "$image"' EXIT && truncate -s 8M "$image" && mkfs.ext4 -q "$image" && mount -o loop "$image" /mnt &&
  fsfreeze -f /mnt && fsfreeze -u /mnt""")

# A disk that stops for 20 s once there is a checkpoint on it.
SLOW_DISK = """
truncate -s 32M image && mkfs.ext4 -q image && mkdir disk && mount -o loop image disk
"$@" & run=$!
until [ -e disk/run/checkpoints/last.safetensors ] || ! kill -0 $run; do sleep 0.02; done
fsfreeze -f disk; sleep 20; fsfreeze -u disk
wait $run; code=$?
cp -r disk/run run
exit $code
"""

# Two hosts, connected by one cable; `there` runs a command on the second.
HOSTS = """
unshare -n sleep 1000 & other=$!
trap 'kill $other' EXIT
there() { nsenter -t $other -n "$@"; }
while [ "$(readlink /proc/$other/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.01; done
ip link add name first type veth peer name second
ip link set second netns $other
ip link set lo up; ip address add 10.9.0.1/24 dev first; ip link set first up
there ip link set lo up; there ip address add 10.9.0.2/24 dev second; there ip link set second up
"""

# Rank 0 on the first host, which holds the store, rank 1 on the second. Once there is a checkpoint all packets between them go to
# an address that nobody has.
LOST_NETWORK = HOSTS + """
export WORLD_SIZE=2 MASTER_ADDR=10.9.0.1 MASTER_PORT=29500
RANK=0 GLOO_SOCKET_IFNAME=first "$@" 2>errors-0 >/dev/null & zero=$!
RANK=1 GLOO_SOCKET_IFNAME=second there "$@" 2>errors-1 >/dev/null & one=$!
until [ -e run/checkpoints/last.safetensors ] || ! kill -0 $zero; do sleep 0.05; done
ip neigh replace 10.9.0.2 lladdr 02:00:00:00:00:01 dev first nud permanent
there ip neigh replace 10.9.0.1 lladdr 02:00:00:00:00:02 dev second nud permanent
date +%s.%N >cut
for number in 0 1; do
  wait $([ $number = 0 ] && echo $zero || echo $one); echo $? >code-$number
  date +%s.%N >end-$number
done
"""

# A launcher on each host: torchrun TORCHRUN WORDS…
TORCHRUN_ON_BOTH = HOSTS + """
torchrun=$1; shift
words="--no-python --nnodes=2 --nproc-per-node=1 --rdzv-backend=static --master-addr=10.9.0.1 --master-port=29500"
GLOO_SOCKET_IFNAME=first "$torchrun" $words --node-rank=0 "$@" & zero=$!
GLOO_SOCKET_IFNAME=second there "$torchrun" $words --node-rank=1 "$@" & one=$!
wait $zero; first=$?
wait $one && exit $first
"""


@unittest.skipUnless(HAS_RANKS, "this build has no Gloo: it trains in one process")
class RankFaults(TrainingCase):
    def setUp(self):
        super().setUp()
        self.data = self.own_data(signals=50)

    def words(self, output, *more, epochs):
        return [BINARY, *self.training(self.data, "--seed", 3, "train.checkpoint_seconds=0", *more, epochs=epochs, output=output)]

    @unittest.skipUnless(HAS_MOUNTS, "a file system of one's own cannot be mounted here")
    def test_a_full_disk_on_rank_0_stops_all(self):
        (self.folder / "disk").mkdir()
        words = shlex.join(map(str, self.words("disk/run", "--processes", "2", epochs=200)))
        script = f"mount -t tmpfs -o size=256k none disk && head -c 160K /dev/zero >disk/other; {words}"
        began = time.monotonic()
        run = subprocess.run(["unshare", "-m", "sh", "-c", script], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True,
                             timeout=120)
        self.assertLess(time.monotonic() - began, 30)
        self.assertEqual(run.returncode, IO, run.stderr)
        self.assertRegex(run.stderr, rf"gsan: rank 0 on {HOST}: .*No space left on device")
        self.assertRegex(run.stderr, rf"gsan: rank 1 on {HOST} stops: rank 0 on {HOST}: .*No space left on device")

    @unittest.skipUnless(HAS_FROZEN_DISKS, "a disk of one's own cannot be stopped here")
    def test_a_write_of_rank_0_that_takes_20_seconds_is_waited_for(self):
        whole = self.folder / "whole"
        self.gsan(*self.words(whole, "--processes", 2, epochs=15)[1:])
        run = subprocess.run(["unshare", "-m", "bash", "-c", SLOW_DISK, "slow-disk",
                              *map(str, self.words("disk/run", "--processes", 2, epochs=15))],
                             cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=180)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assert_same_run(whole, self.folder / "run")

    @unittest.skipUnless(HAS_NETWORKS, "a network of one's own cannot be made here")
    def test_a_lost_network_stops_both_sides(self):
        process = subprocess.Popen(["unshare", "-n", "bash", "-c", LOST_NETWORK, "lost-network", *self.words("run", epochs=100000)],
                                   cwd=self.folder, env=ENVIRONMENT, start_new_session=True, stderr=subprocess.PIPE, text=True)
        self.addCleanup(lambda: process.poll() is None and os.killpg(process.pid, signal.SIGKILL))
        _, script_errors = process.communicate(timeout=120)
        read = lambda name: (self.folder / name).read_text() if (self.folder / name).exists() else script_errors
        self.assertEqual([read("code-0").strip(), read("code-1").strip()], [str(IO), str(IO)], read("errors-0") + read("errors-1"))
        for number in (0, 1):
            self.assertLess(float(read(f"end-{number}")) - float(read("cut")), 30)
        self.assertRegex(read("errors-0"), rf"rank 0 on {HOST} stops: rank 1 on {HOST} has not answered")
        self.assertRegex(read("errors-1"), rf"rank 1 on {HOST} stops: .*rank 0 on {HOST}")
        self.checkpoints(self.folder / "run")

    @unittest.skipUnless(HAS_NETWORKS and TORCHRUN.exists(), "a network of one's own cannot be made here, or there is no torchrun")
    def test_torchrun_on_two_hosts_trains_the_bits_of_one_process(self):
        one = self.folder / "one"
        self.gsan(*self.words(one, "--processes", 1, epochs=4)[1:])
        run = subprocess.run(["unshare", "-n", "bash", "-c", TORCHRUN_ON_BOTH, "two-hosts", TORCHRUN, *map(str, self.words("two", epochs=4))],
                             cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assert_same_run(one, self.folder / "two")


if __name__ == "__main__":
    unittest.main()
