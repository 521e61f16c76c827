# SPDX-License-Identifier: MIT
"""Threads are kept apart, by name and id, when that is asked for.

Arguments: --ticks of the runs, then the targets `named_threads`, `short_threads` and `children`.
"""

import os
import sys

import binomial
import harness
from harness import PROFRUN, Run, profile

TICKS = f"--ticks={sys.argv[1]}"
NAMED, SHORT, CHILDREN = sys.argv[2:]


def by_name(report):
    """The ticks of all threads of one name."""
    names = {}
    for row in report.rows:
        name = row["thread"].rpartition(" (")[0]
        names[name] = names.get(name, 0.0) + float(row["ticks"])
    return names


def shares_of_threads_are_true():
    run, report, truth, _ = harness.measure([NAMED], (TICKS, "--threads", "--by=thread"), 1)
    harness.skip_if_refused(run)
    assert report.header[0] == "thread", report.header
    names = by_name(report)
    trials = report.effective()
    for name, seconds in truth.seconds.items():
        share = names.pop(name.replace("_", " ")) / report.ticks
        print(f"{name}: {share:.4f}, true {seconds / truth.cpu:.4f}")
        assert binomial.plausible(share, trials, seconds / truth.cpu), name
    # The main thread, which calibrates, and [unknown]: threads that are being taken down.
    assert set(names) <= {"named_threads", ""}, names


def each_thread_has_one_row():
    with harness.scratch() as folder:
        saved = os.path.join(folder, "saved")
        run, report = profile([SHORT], (TICKS, "--threads", "--by=thread,function",
                                        f"--save={saved}"))
        assert run.status == 0
        threads = {row["thread"] for row in report.rows}
        assert 100 < len(threads) <= 201, len(threads)
        # What the account says of the kernel without a sample is of no thread.
        assert all(row["function"] == "[kernel]" for row in report.select(thread="[unknown]"))
        again = Run([PROFRUN, "--csv", "--by=thread,function", "report", saved])
        assert again.status == 0, again.errors
        assert sorted(again.output.decode().splitlines()[1:]) == sorted(
            ",".join(row.values()) for row in report.rows), "reading it changed it"
        twice = Run([PROFRUN, "--csv", "--by=thread,function", "report", saved, saved])
        rows = list(harness.csv.DictReader(twice.output.decode().splitlines()))
        assert sum(float(row["ticks"]) for row in rows) == 2 * report.ticks


def processes_have_threads_of_their_own():
    _, report = profile([CHILDREN], (TICKS, "--threads", "--by=process,thread"))
    for row in report.rows:
        # Each of them has one thread, which is called as the program.
        if row["function"] != "[kernel]" or row["thread"] != "[unknown]":
            assert row["thread"] == row["process"], row
    assert len({row["process"] for row in report.rows}) >= 3


def asking_later_is_answered_clearly():
    with harness.scratch() as folder:
        saved = os.path.join(folder, "saved")
        Run([PROFRUN, TICKS, "-q", "-o/dev/null", f"--save={saved}", "true"])
        run = Run([PROFRUN, "--by=thread", "report", saved])
        assert run.status == 125 and b"--threads" in run.errors, run.errors
        assert not run.output
    run = Run([PROFRUN, "--by=thread", "true"])
    assert run.status == 125 and run.errors.count(b"\n") == 1 and b"--threads" in run.errors


shares_of_threads_are_true()
each_thread_has_one_row()
processes_have_threads_of_their_own()
asking_later_is_answered_clearly()
