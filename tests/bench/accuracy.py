# SPDX-License-Identifier: MIT
"""The largest error of any function's share, in points, against what the program measured of
itself: at the same 100 ticks per second of CPU time, side by side.

Arguments: the targets.
"""

import collections
import csv
import os
import re
import shutil
import statistics
import subprocess
import sys

import bench

ROUNDS = 5
WORK = "0.5"


def read(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def profrun_shares(_, path):
    with open(path, encoding="utf-8", newline="") as file:
        return [(row["function"], float(row["percent"])) for row in csv.DictReader(file)]


def gperftools_shares(target, path):
    return [(name, float(percent)) for percent, name in re.findall(
        r"^ *\d+ +([\d.]+)% +[\d.]+% +\d+ +[\d.]+% (.*)$",
        read("google-pprof", "--text", target, path), re.M)]


def perf_shares(_, path):
    return [(name, float(percent)) for percent, name in re.findall(
        r"^ *([\d.]+)% +\[.\] (\S+)",
        read("perf", "report", "-i", path, "--stdio", "-s", "symbol"), re.M)]


def candidates(folder, target):
    """(what is written, name -> (command, environment, its reader))"""
    path = os.path.join(folder, "profile")
    found = {}
    for ticks in ("timer", "kernel"):
        found[f"profrun {ticks}"] = ([bench.PROFRUN, "-q", "--no-save", "--csv",
                                      f"--ticks={ticks}", "-o", path, target], {}, profrun_shares)
    if bench.has_libprofiler() and shutil.which("google-pprof"):
        found["gperftools"] = ([target], {"LD_PRELOAD": bench.LIBPROFILER, "CPUPROFILE": path},
                               gperftools_shares)
    if shutil.which("perf"):
        found["perf record"] = (["perf", "record", "-q", "-F", "99", "-o", path, target], {},
                                perf_shares)
    return path, found


def largest_error(truth, shares):
    """In points. A function can have several rows."""
    seconds, shown = collections.Counter(), collections.Counter()
    with open(truth, encoding="utf-8") as file:
        for _, name, of_name in map(str.split, file):
            seconds[name] += float(of_name)
    cpu = seconds.pop("cpu")
    seconds.pop("delay")
    for name, percent in shares:
        shown[name] += percent
    return max(abs(shown[name] - 100 * own / cpu) for name, own in seconds.items())


def compare(folder, target):
    path, found = candidates(folder, target)
    truth, errors = os.path.join(folder, "truth"), {name: [] for name in found}
    for seed in range(ROUNDS):
        for name, (command, environment, reader) in found.items():
            bench.Cost(command, {"TRUTH": truth, "SEED": str(seed), "WORK": WORK, **environment})
            errors[name].append(largest_error(truth, reader(target, path)))
            os.unlink(truth)
    print(os.path.basename(target))
    for name, of_name in errors.items():
        print(f"  {name:14} {statistics.median(of_name):5.1f} points, at most {max(of_name):5.1f}",
              flush=True)


def main():
    with bench.folder() as folder:
        for target in sys.argv[1:]:
            compare(folder, os.path.abspath(target))


main()
