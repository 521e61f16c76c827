# SPDX-License-Identifier: MIT
"""What it costs a program to make threads and processes, and a real project to be built: elapsed
and CPU time against the bare run, those of the program itself and those of everything, profrun's
launch, look-ups and report included.

Arguments: makes_many, and folders whose projects `make` can build.
"""

import os
import statistics
import subprocess
import sys

import bench

ROUNDS = 9
COUNT = 10000


def ways(folder):
    """name -> what stands before the command; "bare again" tells what is only chance."""
    report = os.path.join(folder, "report")
    found = {"bare": [], "bare again": []}
    for ticks in ("timer", "kernel"):
        found[ticks] = [bench.PROFRUN, "--no-save", f"--ticks={ticks}", "-o", report]
    return found


def itself(path):
    """(elapsed, CPU) as the program measured them, if it did."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="ascii") as file:
        times = tuple(float(word) for word in file.read().split())
    os.unlink(path)
    return times


def measure(command, path):
    """(elapsed, CPU of it all, the program's own elapsed and CPU if it told them)."""
    cost = bench.Cost(command)
    assert cost.status == 0, (command, cost.status)
    return (cost.elapsed, cost.cpu, *(itself(path) or ()))


def spread(times, bare):
    ratios = [ours / theirs for ours, theirs in zip(times, bare)]
    return f"{statistics.median(ratios):6.3f} ({min(ratios):.3f} to {max(ratios):.3f})"


def compare(name, command, folder, prepare=lambda: None):
    times = {way: [] for way in ways(folder)}
    for _ in range(ROUNDS):
        for way, before in ways(folder).items():
            prepare()
            times[way].append(measure([*before, *command], os.path.join(folder, "own")))
    columns = {way: list(zip(*rows)) for way, rows in times.items()}
    bare = columns.pop("bare")
    print(f"{name}, bare {statistics.median(bare[0]):.3f} s elapsed and "
          f"{statistics.median(bare[1]):.3f} s of CPU; times bare:")
    for way, found in columns.items():
        for title, ours, theirs in zip(("elapsed", "CPU", "its own elapsed", "its own CPU"),
                                       found, bare):
            print(f"  {way:10} {title:15} {spread(ours, theirs)}")


def main():
    program, *projects = sys.argv[1:]
    with bench.folder() as folder:
        for kind in "threads", "processes":
            compare(kind, [program, kind, str(COUNT), os.path.join(folder, "own")], folder)
        for project in projects:
            make = ["make", "-s", "-C", project]
            compare(project, [*make, "-j2"], folder,
                    lambda make=make: subprocess.run([*make, "clean"], check=True,
                                                     stdout=subprocess.DEVNULL,
                                                     stderr=subprocess.DEVNULL))


main()
