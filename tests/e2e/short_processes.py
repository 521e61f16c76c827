# SPDX-License-Identifier: MIT
"""A thousand processes of a millisecond each: the kernel's clock gives each its share, although
hardly any lasts as long as a tick at the default rate.

Argument: how many processes.
"""

import json
import os
import resource
import sys

import harness

RATE = 1000
ROUNDING = 0.41  # ticks, the standard deviation at a process's beginning and end
SIGMAS = 5
MEMORY = 256 << 10  # kB


def main():
    count = int(sys.argv[1])
    loop = f"i=0; while [ $i -lt {count} ]; do /bin/true; i=$((i + 1)); done"
    with harness.scratch() as folder:
        report = os.path.join(folder, "report")
        run = harness.Run([harness.PROFRUN, "--no-save", "--json", "--ticks=kernel",
                           f"--rate={RATE}", "-o", report, "sh", "-c", loop])
        harness.skip_if_refused(run)
        with open(report, encoding="utf-8") as file:
            facts = json.load(file)["run"]
    error = facts["ticks"] / RATE - facts["cpu_seconds"]
    allowed = 0.005 * facts["cpu_seconds"] + (2 + SIGMAS * ROUNDING * count ** 0.5) / RATE
    print(f"{count} processes: {facts['ticks']} ticks for {facts['cpu_seconds']:.3f} s, "
          f"{error:+.3f} s, {allowed:.3f} allowed; {len(facts['processes'])} have ticks")
    assert run.status == 0 and facts["lost_ticks"] == 0, facts
    assert abs(error) <= allowed, "the total is off"
    assert len(facts["processes"]) > count / 4, "processes are missing"
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < MEMORY


main()
