# SPDX-License-Identifier: MIT
"""CPU time of a target at 100 Hz, with a profiler and without, and the target against itself.

Argument: the target.
"""

import statistics
import sys

import bench


def main():
    with bench.folder() as folder:
        runs = bench.peers(folder, sys.argv[1:])
        runs["bare again"] = runs["bare"]
        for name, (command, environment) in runs.items():
            runs[name] = (command, {**environment, "SEED": "1", "WORK": "0.5"})
        costs = bench.rounds(runs, 9)
    for name, of_name in costs.items():
        ratios = [cost.cpu / bare.cpu for cost, bare in zip(of_name, costs["bare"])]
        print(f"{name:12} CPU time {statistics.median(ratios):6.3f} x bare  "
              f"({min(ratios):.3f} to {max(ratios):.3f})")


main()
