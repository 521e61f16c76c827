# SPDX-License-Identifier: MIT
"""What it costs to launch /bin/true, report included, against the bare run."""

import bench


def main():
    with bench.folder() as folder:
        runs = bench.peers(folder, ["/bin/true"])
        slow = {name: runs.pop(name) for name in list(runs) if name == "perf record"}
        costs = bench.rounds(runs, 200)
        costs.update(bench.rounds(slow, 5))
    bare = bench.median(costs["bare"], "elapsed")
    for name, of_name in costs.items():
        elapsed = bench.median(of_name, "elapsed")
        print(f"{name:12} {1e3 * elapsed:8.2f} ms  {elapsed / bare:7.2f} x bare")


main()
