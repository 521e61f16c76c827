# SPDX-License-Identifier: MIT
"""Threads and processes that no wrapper saw have their ticks, or are named as having none.

Argument: the target `strangers`.
"""

import os
import sys

import harness
from harness import profile

STRANGERS = sys.argv[1]
# Seconds of CPU time until profrun has found a stranger: it looks ten times a second, on a machine
# that may have other things to do.
UNSEEN = 0.6


def run_with_truth(way, **environment):
    with harness.scratch() as folder:
        path = os.path.join(folder, "truth")
        run, report = profile([STRANGERS, way], ("--ticks=timer",), {"TRUTH": path, **environment})
        truth = harness.Truth(path) if os.path.exists(path) else None
    return run, report, truth


def found(way):
    run, report, truth = run_with_truth(way)
    if run.status == 77:
        print(f"{way}: not possible here")
        return
    assert run.status == 0, (way, run.status, run.errors)
    seen, true = report.ticks_of(function="in_stranger") / 100, truth.seconds["in_stranger"]
    print(f"{way}: {seen:.2f} s of {true:.2f} s")
    assert true - UNSEEN < seen < true + 0.1, way
    assert b"behind profrun's back" not in run.errors, run.errors


def named(way, reason):
    run, _, _ = run_with_truth(way, WORK="0.5")
    if run.status == 77:
        print(f"{way}: not possible here")
        return
    assert run.status == 0, (way, run.status, run.errors)
    assert reason in run.errors and b"--ticks=kernel" in run.errors, run.errors


def left_alone(way):
    run, report, _ = run_with_truth(way, WORK="0.5")
    assert run.status == 0, (way, run.status, run.errors)
    assert report.ticks_of(function="in_known") > 0, (way, report.rows)


for name in "clone", "clone3", "namespace", "_Fork":
    found(name)
named("filtered", b"system calls are filtered")
named("blocked", b"the signal that ticks is blocked")
left_alone("vfork")
left_alone("executed")
