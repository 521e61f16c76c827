# SPDX-License-Identifier: MIT
"""What the benchmarks share. They report, side by side in one run; they never decide.

Environment: PROFRUN names the built profrun.
"""

import os
import shutil
import statistics
import subprocess
import tempfile
import time

PROFRUN = os.environ.get("PROFRUN", "profrun")
LIBPROFILER = "libprofiler.so.0"


class Cost:
    """What one run cost, its children included: elapsed and CPU seconds, peak memory in MB."""

    def __init__(self, command, environment=None):
        start = time.monotonic()
        process = subprocess.Popen(command, env={**os.environ, **(environment or {})},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.elapsed = time.monotonic() - start
        self.cpu = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024
        self.status = process.returncode


def peak_memory(command):
    """MB of one run. What a child had at most begins with what its parent had when it was started,
    and Python has more than profrun needs: time(1) is the parent where it is installed."""
    if not shutil.which("time"):
        return Cost(command).memory
    with tempfile.NamedTemporaryFile("r") as peak:
        subprocess.run(["time", "-f", "%M", "-o", peak.name, *command], check=False,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        return int(peak.read().split()[-1]) / 1024


def has_libprofiler():
    return LIBPROFILER in subprocess.run(["/sbin/ldconfig", "-p"], check=False,
                                         capture_output=True, text=True).stdout


def peers(folder, command):
    """name -> (command under that profiler, environment), for those that are installed."""
    runs = {
        "bare": (command, {}),
        "profrun": ([PROFRUN, "-o", os.path.join(folder, "report"), *command], {}),
    }
    runs["profrun timer"] = ([PROFRUN, "--ticks=timer", *runs["profrun"][0][1:]], {})
    if has_libprofiler():
        runs["gperftools"] = (command, {"LD_PRELOAD": LIBPROFILER,
                                        "CPUPROFILE": os.path.join(folder, "gperftools")})
    if shutil.which("perf"):
        runs["perf record"] = (["perf", "record", "-q", "-F", "99", "-o",
                                os.path.join(folder, "perf.data"), *command], {})
    return runs


def rounds(runs, count):
    """name -> costs, the candidates taking turns, so that all meet the same machine."""
    costs = {name: [] for name in runs}
    for _ in range(count):
        for name, (command, environment) in runs.items():
            costs[name].append(Cost(command, environment))
    return costs


def median(costs, what):
    return statistics.median(getattr(cost, what) for cost in costs)


def folder():
    return tempfile.TemporaryDirectory(prefix="profrun-bench-")
