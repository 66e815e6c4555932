"""Timed as `gsan bench` times: one run to warm up, then at least so many and so long; the median counts."""
import statistics
import time

MOST_SECONDS = 60


def milliseconds(run, repeats, seconds):
    run()
    times = []
    while True:
        start = time.perf_counter()
        run()
        times.append(1e3 * (time.perf_counter() - start))
        total = sum(times) / 1e3
        if total >= MOST_SECONDS or (len(times) >= repeats and total >= seconds):
            return {"milliseconds": statistics.median(times), "min_milliseconds": min(times),
                    "spread_percent": 100 * (max(times) - min(times)) / statistics.median(times), "runs": len(times)}
