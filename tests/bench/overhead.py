# SPDX-License-Identifier: MIT
"""What a profiler costs the program: its own CPU clock with and without, at 100 and 1000 Hz, and
against itself; and what CPU time the profiler uses beside it while the program runs.

Arguments: the targets. Each does the same work in every run.
"""

import os
import shutil
import statistics
import sys

import bench

ROUNDS = 7
WORK = {"SEED": "1", "WORK": "0.25", "TURNS_PER_MS": "1000000"}


def candidates(folder, target, rate):
    """name -> (command, environment)"""
    report = os.path.join(folder, "report")
    found = {"bare": ([target], {}), "bare again": ([target], {})}
    for ticks in ("timer", "kernel"):
        found[f"profrun {ticks}"] = ([bench.PROFRUN, "--no-save", f"--ticks={ticks}",
                                      f"--rate={rate}", "-o", report, target], {})
    if bench.has_libprofiler():
        found["gperftools"] = ([target], {"LD_PRELOAD": bench.LIBPROFILER, "CPUPROFILE": report,
                                          "CPUPROFILE_FREQUENCY": str(rate)})
    if shutil.which("perf"):
        found["perf record"] = (["perf", "record", "-q", "-F", str(rate - 1), "-o",
                                 os.path.join(folder, "perf.data"), target], {})
    return found


def own_clock(path):
    with open(path, encoding="utf-8") as file:
        return sum(float(line.split()[2]) for line in file if line.split()[1] == "cpu")


def measure(command, environment, truth):
    """(the program's CPU time, all CPU time)."""
    cost = bench.Cost(command, {**WORK, "TRUTH": truth, **environment})
    own = own_clock(truth)
    os.unlink(truth)
    return own, cost.cpu


def compare(folder, target, rate):
    commands = candidates(folder, target, rate)
    times = {name: [] for name in commands}
    for _ in range(ROUNDS):
        for name, command in commands.items():
            times[name].append(measure(*command, os.path.join(folder, "truth")))
    print(f"{os.path.basename(target)}, {rate} Hz")
    for name, pairs in times.items():
        ratios = [own / bare for (own, _), (bare, _) in zip(pairs, times["bare"])]
        beside = statistics.median((both - own) / own for own, both in pairs)
        print(f"  {name:14} own CPU clock {statistics.median(ratios):6.3f} x bare "
              f"({min(ratios):.3f} to {max(ratios):.3f}), {100 * beside:5.1f} % beside it")


def main():
    with bench.folder() as folder:
        for target in sys.argv[1:]:
            for rate in (100, 1000):
                compare(folder, os.path.abspath(target), rate)


main()
