# SPDX-License-Identifier: MIT
"""More than 65,536 ticks in one entry of a histogram are counted exactly.

Argument: the target `one_thread`, whose text is one bucket at the coarsest scale. Rates above the
kernel's own tick bring several ticks at once, so that seconds are enough.
"""

import sys

import harness

RATE = 10000
WORK = 2.5


def main():
    _, report, truth, _ = harness.measure(
        sys.argv[1:],
        (f"--rate={RATE}", "--scale=2", "--by=address"), 1,
        {"WORK": str(WORK)})
    buckets = {row["address"] for row in report.rows}
    greatest = max(report.ticks_of(address=bucket) for bucket in buckets)
    error = report.ticks / RATE - truth.cpu
    print(f"{greatest:.0f} ticks in one bucket, {error:+.4f} s of {truth.cpu:.3f} s")
    assert greatest > 70000, "no entry has wrapped: this proves nothing"
    assert abs(error) <= 0.005 * truth.cpu + 0.01, "the total is off"


main()
