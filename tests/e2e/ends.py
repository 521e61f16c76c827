# SPDX-License-Identifier: MIT
"""However a target ends, its status, streams and the whole profile are there.

Arguments: the target `ends`, then the name of the end, then what that end needs.
"""

import sys

import harness


def main():
    command = sys.argv[1:]
    bare = harness.Run(command)
    run, report, truth, _ = harness.measure(command, ("-q",), 1)
    assert run.status == bare.status, f"status {run.status}, bare {bare.status}"
    assert run.output == bare.output, "stdout is not that of the bare run"
    assert run.errors == bare.errors, f"stderr is not that of the bare run: {run.errors.decode()}"
    ticks = report.ticks_of(function="before_the_end")
    expected = truth.seconds["before_the_end"] * 100
    print(f"status {run.status}, {ticks:.0f} ticks, {expected:.1f} expected")
    assert abs(ticks - expected) <= 4 + harness.LAG + 0.02 * expected, "ticks are missing"


main()
