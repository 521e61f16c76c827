# SPDX-License-Identifier: MIT
"""Where the program ticks itself, static programs run as bare and are named; what ran before them
keeps its profile.

Arguments: the target `ends`, the static program (where one can be built).
"""

import sys

import harness

TIMER = ("--ticks=timer",)


def main():
    if len(sys.argv) < 3:
        harness.skip("static programs cannot be linked here")
    ends, static = sys.argv[1:]
    run, report = harness.profile([static], TIMER)
    assert (run.status, run.output) == (6, b"the static program ran\n"), run.status
    assert b"statically linked" in run.errors, run.errors.decode()
    assert not report.rows, report.rows
    run, report, truth, _ = harness.measure([ends, "exec", static], TIMER, 1)
    assert (run.status, run.output) == (6, b"the static program ran\n"), run.status
    assert b"statically linked" in run.errors, run.errors.decode()
    ticks, expected = report.ticks_of(function="before_the_end"), 100 * truth.cpu
    assert abs(ticks - expected) <= 5, f"{ticks} ticks before the exec, {expected:.1f} expected"


main()
