"""Times and memory of work on a device. On a GPU: CUDA events around every run, several runs in the queue at a time, three
runs to warm up; the peak is that of torch's allocator in one more run. On the CPU, for trying things out, its clock."""
import statistics

import torch

from timing import MOST_SECONDS, milliseconds

WARM_UPS, RUNS_OF_A_ROUND = 3, 10


class DeviceClock:
    def __init__(self, device, repeats, seconds):
        self.device, self.repeats, self.seconds = torch.device(device), repeats, seconds

    def measure(self, run):
        """milliseconds (median), min_milliseconds, spread_percent, runs; on a GPU also the bytes that its allocator held
        before the first run, and at most in a later one."""
        if self.device.type != "cuda":
            return milliseconds(run, self.repeats, self.seconds)
        torch.cuda.synchronize(self.device)
        before = torch.cuda.memory_allocated(self.device)
        for _ in range(WARM_UPS):
            run()
        times = []
        while not times or sum(times) < 1e3 * MOST_SECONDS and (
                len(times) < self.repeats or sum(times) < 1e3 * self.seconds):
            times += self._round(run)
        median = statistics.median(times)
        return {"milliseconds": median, "min_milliseconds": min(times),
                "spread_percent": 100 * (max(times) - min(times)) / median, "runs": len(times),
                "before_bytes": before, "peak_bytes": self._peak(run)}

    def _round(self, run):
        marks = []
        for _ in range(RUNS_OF_A_ROUND):
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            run()
            end.record()
            marks.append((begin, end))
        torch.cuda.synchronize(self.device)
        return [begin.elapsed_time(end) for begin, end in marks]

    def _peak(self, run):
        torch.cuda.reset_peak_memory_stats(self.device)
        run()
        torch.cuda.synchronize(self.device)
        return torch.cuda.max_memory_allocated(self.device)

    def copy_rate(self):
        """Bytes per second, read + written, of a copy far larger than the caches."""
        numbers = 2 ** 28 if self.device.type == "cuda" else 2 ** 24
        source = torch.ones(numbers, device=self.device)
        target = torch.empty_like(source)
        return max(2 * source.nbytes / (self.measure(run)["min_milliseconds"] / 1e3)
                   for run in (lambda: target.copy_(source), lambda: torch.neg(source, out=target)))
