# SPDX-License-Identifier: MIT
"""Each process of a program that forks a lot has counts of its own, and its own parent.

Argument: the target `families`.
"""

import json
import os
import sys

import harness

RATE = 1000


def main():
    with harness.scratch() as folder:
        report = os.path.join(folder, "report")
        run = harness.Run([harness.PROFRUN, "--no-save", "-q", "--json", "--ticks=timer",
                           f"--rate={RATE}", "-o", report, sys.argv[1]])
        assert run.status == 0, run.errors
        with open(report, encoding="utf-8") as file:
            facts = json.load(file)["run"]
    told = {}
    for line in run.output.decode().splitlines():
        pid, parent = map(int, line.split())
        told[pid] = parent
    first = facts["processes"][0]["pid"]
    seen = {process["pid"]: process["parent"] for process in facts["processes"]}
    assert len(seen) == len(facts["processes"]), "one of them is there twice"
    assert len(told) == 1 + 20 * (1 + 3), len(told)
    assert set(seen) == set(told), (sorted(set(told) ^ set(seen)), facts["notes"])
    assert all(seen[pid] == parent for pid, parent in told.items() if pid != first), seen
    assert sum(process["ticks"] for process in facts["processes"]) == facts["ticks"] > 0, facts
    assert facts["lost_ticks"] == 0, facts
    print(f"{len(seen)} processes, {facts['ticks']} ticks of {facts['cpu_seconds']:.2f} s")


main()
