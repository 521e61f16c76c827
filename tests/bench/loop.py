# SPDX-License-Identifier: MIT
"""Runs of /bin/true in a shell loop under one profiler: time against the bare loop, and memory."""

import bench

LOOP = "i=0; while [ $i -lt {} ]; do /bin/true; i=$((i + 1)); done"


def main():
    with bench.folder() as folder:
        runs = bench.peers(folder, ["sh", "-c", LOOP.format(1000)])
        runs.pop("perf record", None)
        costs = bench.rounds(runs, 3)
        bare = bench.median(costs["bare"], "elapsed")
        for name, of_name in costs.items():
            elapsed = bench.median(of_name, "elapsed")
            print(f"{name:12} {elapsed:7.3f} s for 1000 runs, {elapsed / bare:5.2f} x bare")
        for turns in (10, 100, 1000, 4000):
            command, environment = bench.peers(folder, ["sh", "-c", LOOP.format(turns)])["profrun"]
            print(f"profrun      {bench.Cost(command, environment).memory:7.1f} MB at most in "
                  f"{turns} runs")


main()
