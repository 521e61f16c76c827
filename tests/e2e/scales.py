# SPDX-License-Identifier: MIT
"""Coarser buckets: the same totals; functions that share a bucket are estimates and say so.

Argument: the target `one_thread`.
"""

import sys

import harness

RATE = 250


def check(command, scale):
    """The total is exact at every scale; fine buckets are no estimates, coarse ones are."""
    _, report, truth, _ = harness.measure(
        command, (f"--rate={RATE}", f"--scale={scale:#x}"), 1)
    error = report.ticks / RATE - truth.cpu
    estimated = sum(float(row["ticks"]) for row in report.select(estimated="1")) / report.ticks
    print(f"scale {scale:#x}: {report.ticks:.0f} ticks for {truth.cpu:.3f} s, "
          f"{100 * estimated:.1f} % estimated")
    assert abs(error) <= 0.005 * truth.cpu + 4 / RATE, "the total is off"
    assert report.thousandths % 1000 == 0, "the rows do not add up to whole ticks"
    return estimated, report.share(function="half") - truth.seconds["half"] / truth.cpu


def main():
    command = sys.argv[1:]
    for scale in (0x10000, 0x8000):
        estimated, error = check(command, scale)
        assert estimated < 0.01, "functions of many buckets are shown as estimates"
        assert abs(error) < 0.08, f"the share of a large function is off by {error}"
    for scale in (0x400, 2):
        estimated, _ = check(command, scale)
        assert estimated > 0.5, "functions that share a bucket are not shown as estimates"


main()
