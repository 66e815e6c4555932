#!/usr/bin/env python3
"""A campaign of libFuzzer over all targets, on several cores, from prebuilt files alone: scripts/fuzz.sh builds them and
starts this, and its portable folder holds all of it.

    campaign.py --program gsan_fuzz --light gsan_fuzz --inputs FOLDER … --corpora FOLDER --seconds 600 --jobs 16 [TARGET …]

A target runs for a slice of time; the next slice goes to the target that has had the least time of those that are
short of their goal (GOAL executions, SLOW of slow readers; earlier campaigns of --record count), and when none is, of
all. So no target starves, and a slow one takes no time from the others. Two of three slices make short inputs alone,
which are read several times faster. At the end corpora are minimised. Exit code 1 when something was found: the input
goes into tests/fuzz/regressions/TARGET, with the mend."""
import argparse
import ctypes
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

import records

GOAL, SLOW = 10_000_000, 1_000_000
# Readers that start a process for each input. Copying a process costs most of their time, and twice as much under the
# address sanitizer, whose reports there nobody sees: the child's end, however it comes, is an error about the file. They
# have the program without it.
FORKING = {"drifters"}
# Those; archives that unpack to a mebibyte; YAML that is printed and read again; tables of boundaries.
SLOW_TARGETS = FORKING | {"zip", "gzip", "config", "signal_order"}
ENOUGH = 3  # findings of a target, after which it is left alone: it would find the same again
LIMITS = ["-timeout=20", "-rss_limit_mb=2048", "-malloc_limit_mb=1024"]
# Bytes of an input. The least HDF5 file with all tables has 4640.
SHORT, LONGEST, LONGEST_OF = 256, 4096, {"drifters": 8192}


def longest_of(name):
    return LONGEST_OF.get(name, LONGEST)


def keep_addresses():
    """Of the child: the sanitizer of clang 14 does not bear all layouts that newer kernels choose at random."""
    ctypes.CDLL(None).personality(0x0040000)


class Slice:
    """One process of libFuzzer on one target."""

    def __init__(self, campaign, name, number, seconds, longest):
        self.name, self.began = name, time.monotonic()
        self.log = campaign.corpora / "logs" / f"{name}.{number}"
        self.deadline = self.began + seconds + 60
        self.file = open(self.log, "wb")
        self.process = campaign.start(name, self.file, longest, f"-max_total_time={seconds}", "-print_final_stats=1",
                                      f"-artifact_prefix={campaign.findings / name}/", campaign.corpus(name),
                                      *campaign.given(name))

    def ended(self):
        if self.process.poll() is None and time.monotonic() < self.deadline:
            return False
        if self.process.poll() is None:  # a hang that libFuzzer did not end
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.file.close()
        return True

    def numbers(self):
        text = self.log.read_text(errors="replace")
        self.log.unlink()
        last = lambda pattern: int((re.findall(pattern, text, re.M) or ["0"])[-1])
        # Without final numbers: the last line of progress.
        executions = last(r"^stat::number_of_executed_units: *(\d+)") or last(r"^#(\d+)\t")
        return {"executions": executions, "seconds": time.monotonic() - self.began, "edges": last(r"cov: (\d+)")}


class Campaign:
    def __init__(self, words):
        self.program, self.light = words.program.resolve(), words.light.resolve()
        self.inputs = [folder.resolve() for folder in words.inputs]
        self.corpora = words.corpora.resolve()
        self.findings, self.jobs, self.seconds = self.corpora / "findings", words.jobs, words.seconds
        self.environment = dict(os.environ)
        self.environment["ASAN_OPTIONS"] = "detect_leaks=1"
        known = self.known()
        unknown = set(words.targets) - set(known)
        if unknown:
            sys.exit(f"campaign.py: no target {', '.join(sorted(unknown))}; known are: {' '.join(known)}")
        self.names = words.targets or known
        for folder in [self.corpora / "logs", *(self.findings / n for n in self.names), *map(self.corpus, self.names)]:
            folder.mkdir(parents=True, exist_ok=True)

    def known(self):
        told = subprocess.run([self.program], env=self.environment_of(self.program, "none"), capture_output=True,
                              text=True, preexec_fn=keep_addresses).stderr
        names = re.findall(r"^GSAN_FUZZ_TARGET must name a target: (.*)$", told, re.M)
        return names[0].split() if names else sys.exit(f"campaign.py: {self.program} does not run here:\n{told}")

    def corpus(self, name):
        return self.corpora / "corpus" / name

    def given(self, name):
        return [folder / name for folder in self.inputs if (folder / name).is_dir()]

    def environment_of(self, program, name):
        libraries = program.parent / "lib"  # of a portable folder
        paths = {"LD_LIBRARY_PATH": str(libraries)} if libraries.is_dir() else {}
        return {**self.environment, **paths, "GSAN_FUZZ_TARGET": name}

    def start(self, name, output, longest, *words, program=None):
        program = program or (self.light if name in FORKING else self.program)
        return subprocess.Popen(["nice", "-n", "19", program, *LIMITS, f"-max_len={longest}", *map(str, words)],
                                cwd=self.corpora, stdout=output, stderr=subprocess.STDOUT,
                                env=self.environment_of(program, name), preexec_fn=keep_addresses, start_new_session=True)

    def choose_leaks(self):
        """Leaks are looked for by tracing the process, which some containers forbid."""
        probe = self.start(self.names[0], subprocess.PIPE, LONGEST, "-runs=1", program=self.program)
        if b"LeakSanitizer has encountered a fatal error" in probe.communicate()[0]:
            self.environment["ASAN_OPTIONS"] = "detect_leaks=0"
            print("leaks are not looked for: this machine does not let a process be traced")

    def found(self, name):
        return sum(path.is_file() for path in (self.findings / name).iterdir())

    def run(self, before):
        """Numbers by target. `before`: those of earlier campaigns."""
        self.choose_leaks()
        numbers = {name: {"executions": 0, "seconds": 0, "edges": 0} for name in self.names}
        end = time.monotonic() + self.seconds
        each = max(2, min(60, int(self.seconds * self.jobs / len(self.names) / 3)))
        used = dict.fromkeys(self.names, 0.0)  # with what running slices may use
        slices = dict.fromkeys(self.names, 0)
        running, count = [], 0

        def is_short(name):
            goal = SLOW if name in SLOW_TARGETS else GOAL
            return before.get(name, {}).get("executions", 0) + numbers[name]["executions"] < goal

        while running or time.monotonic() < end:
            left = int(end - time.monotonic())
            while len(running) < self.jobs and left > 0:
                free = [name for name in self.names if self.found(name) < ENOUGH]
                if not free:
                    break
                name = min([n for n in free if is_short(n)] or free, key=used.get)
                count += 1
                slices[name] += 1
                short = name not in LONGEST_OF and slices[name] % 3
                running.append(Slice(self, name, count, min(each, left), SHORT if short else longest_of(name)))
                used[name] += min(each, left)
            if not running:
                break
            time.sleep(0.1)
            for one in [one for one in running if one.ended()]:
                running.remove(one)
                for key, value in one.numbers().items():
                    total = numbers[one.name]
                    total[key] = max(total[key], value) if key == "edges" else round(total[key] + value)
        for name in self.names:
            numbers[name]["findings"] = self.found(name)
        return numbers

    def minimise(self, seconds):
        """Each corpus becomes the fewest inputs that cover what it and the given inputs cover; those that are not done in
        time stay as they are."""
        waiting, running, end = list(self.names), {}, time.monotonic() + seconds
        while waiting or running:
            if time.monotonic() > end:
                waiting.clear()
                for process in running.values():
                    os.killpg(process.pid, signal.SIGKILL)  # merging starts a process of its own
            while waiting and len(running) < self.jobs:
                name = waiting.pop()
                small = self.corpora / "small" / name
                shutil.rmtree(small, ignore_errors=True)
                small.mkdir(parents=True)
                running[name] = self.start(name, subprocess.DEVNULL, longest_of(name), "-merge=1", small, self.corpus(name),
                                           *self.given(name))
            time.sleep(0.1)
            for name in [name for name, process in running.items() if process.poll() is not None]:
                if running.pop(name).returncode == 0:
                    shutil.rmtree(self.corpus(name))
                    (self.corpora / "small" / name).rename(self.corpus(name))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, required=True, help="with address and undefined sanitizers")
    parser.add_argument("--light", type=pathlib.Path, required=True, help="without address sanitizer, for readers that start processes")
    parser.add_argument("--inputs", type=pathlib.Path, nargs="*", default=[], help="folders with a folder per target, read only")
    parser.add_argument("--corpora", type=pathlib.Path, required=True, help="what is found and kept: corpus/, findings/")
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--merge-seconds", type=int, default=600, help="for minimising corpora, after --seconds")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--record", type=pathlib.Path, help="JSON file that the numbers are added to")
    parser.add_argument("--revision", default="", help="of the source, for the record")
    parser.add_argument("--output", type=pathlib.Path, help="folder for packed corpora, findings and the numbers of this campaign")
    parser.add_argument("--list", action="store_true", help="the targets")
    parser.add_argument("targets", nargs="*")
    words = parser.parse_intermixed_args()
    campaign = Campaign(words)
    if words.list:
        print("\n".join(campaign.names))
        return 0
    before = records.read(words.record)
    record = records.made(campaign.run(before["targets"]), words.revision, words.seconds, words.jobs)
    records.print_table(record)
    if words.record:
        records.write(words.record, records.summed([before, record]))
    if words.output:
        words.output.mkdir(parents=True, exist_ok=True)
        records.write(words.output / "record.json", record)
    campaign.minimise(words.merge_seconds)
    if words.output:
        records.pack(campaign.corpora / "corpus", words.output / "corpus")
        shutil.copytree(campaign.findings, words.output / "findings", dirs_exist_ok=True)
    found = sum(target["findings"] for target in record["targets"].values())
    if found:
        print(f"campaign.py: {found} findings lie in {campaign.findings}", file=sys.stderr)
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
