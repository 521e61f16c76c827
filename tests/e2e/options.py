# SPDX-License-Identifier: MIT
"""What the options of sampling and reporting change, and what they must not.

Arguments: the targets `libraries`, `children`, `one_thread`.
"""

import json
import os
import socket
import sys

import harness

SHORT = {"WORK": "0.5"}
VARIABLES = (b"LD_PRELOAD=", b"PROFRUN_ARENA=")


def main_only(libraries):
    _, report, truth, _ = harness.measure([libraries], ("--main-only",), 1, SHORT)
    objects = {row["object"] for row in report.rows if not row["function"].startswith("[")}
    assert objects == {"libraries"}, objects
    outside = report.ticks_of(function="[outside libraries]")
    expected = 100 * (truth.cpu - truth.seconds["in_program"])
    print(f"main only: {outside:.0f} ticks outside, {expected:.0f} expected")
    assert abs(outside - expected) <= 0.05 * expected + 4 + harness.LAG, "time outside is missing"
    assert abs(report.ticks - 100 * truth.cpu) <= 0.5 * truth.cpu + 4 + harness.LAG


def no_follow(children):
    _, report, truth, _ = harness.measure([children], ("--no-follow",), 1, SHORT)
    assert not report.select(function="in_child") and not report.select(function="in_executed")
    ticks, expected = report.ticks_of(function="in_parent"), 100 * truth.seconds["in_parent"]
    print(f"{ticks} ticks, {expected:.1f} expected")
    assert abs(ticks - expected) <= 0.005 * expected + 4 + harness.LAG


def environment():
    bare = harness.Run(["env"]).output.splitlines()
    follow = harness.Run([harness.PROFRUN, "-q", "env"]).output.splitlines()
    alone = harness.Run([harness.PROFRUN, "-q", "--no-follow", "env"]).output.splitlines()
    assert [line for line in follow if not line.startswith(VARIABLES)] == bare, follow
    assert alone == bare, alone


def signal():
    """The chosen signal, and no other, gets a handler: RTMIN+5 is 39, bit 38."""
    status = ["grep", "SigCgt", "/proc/self/status"]
    bare = int(harness.Run(status).output.split()[1], 16)
    run = harness.Run([harness.PROFRUN, "-q", "--ticks=timer", "--signal=RTMIN+5", *status])
    assert int(run.output.split()[1], 16) == bare | 1 << 38, run.output


def libc_ticks(one_thread):
    """The C library's own profil() in the same frame. Its clock is the kernel's tick, whose total
    is off on a busy machine: only the share is compared, at six sigma of 400 ticks."""
    _, report, truth, _ = harness.measure([one_thread], ("--ticks=libc",), 1)
    share, true = report.share(function="half"), truth.seconds["half"] / truth.cpu
    print(f"libc: {report.ticks:.0f} ticks, half {100 * share:.1f} %, true {100 * true:.1f} %")
    assert report.ticks > 200 and abs(share - true) < 0.15


def hiding(one_thread):
    """What is hidden is summed in a last row; percentages stay those of the whole."""
    for options, names in ((("--top=2",), {"half", "quarter"}),
                           (("--min=20",), {"half", "quarter"}),
                           (("--focus=^(half|fiftieth)$",), {"half", "fiftieth"})):
        _, report, truth, _ = harness.measure([one_thread], options, 1, SHORT)
        *rows, last = report.rows
        assert {row["function"] for row in rows} <= names, (options, report.rows)
        assert last["function"] == "[other]", (options, last)
        error = report.ticks - 100 * truth.cpu
        assert abs(error) <= 0.5 * truth.cpu + 4 + harness.LAG, options
        assert abs(float(last["cumulative_percent"]) - 100) < 0.001, last


def output_names():
    with harness.scratch() as folder:
        pattern = os.path.join(folder, "%h-%q{WORD}-%%-%p")
        run = harness.Run([harness.PROFRUN, "-q", "-o", pattern, "true"], {"WORD": "a word"})
        (name,) = os.listdir(folder)
    assert run.status == 0, run.errors
    *start, pid = name.rsplit("-", 1)
    assert start == [f"{socket.gethostname()}-a word-%"] and pid.isdigit(), name


def options_from_environment():
    run = harness.Run([harness.PROFRUN, "true"], {"PROFRUN_OPTIONS": "-q '--format'=csv"})
    assert run.errors.startswith(b"function,") or b"\nfunction," in run.errors, run.errors


def repeated(folder, end):
    """The run of a script three times, if it lets: (Run, the report's notes)."""
    program, report = os.path.join(folder, "program"), os.path.join(folder, "report")
    with open(program, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\necho run\n{end}\n")
    os.chmod(program, 0o755)
    run = harness.Run([harness.PROFRUN, "--no-save", "-q", "--repeat=3", "--json", "-o", report,
                       program])
    with open(report, encoding="utf-8") as file:
        return run, json.load(file)["run"]["notes"]


def repeat():
    """What was run is reported, however the last run ends and if there is no further one."""
    with harness.scratch() as folder:
        run, notes = repeated(folder, "exit 3")
        assert (run.status, run.output) == (3, b"run\n" * 3), run.errors
        assert "the sum of 3 runs" in notes, notes
        run, notes = repeated(folder, "kill -9 $$")
        assert (run.status, run.output) == (-9, b"run\n"), run.errors
        run, notes = repeated(folder, 'rm "$0"')
        assert (run.status, run.output) == (127, b"run\n"), run.errors
        assert run.errors.startswith(b"profrun: cannot run "), run.errors
        assert any(note.startswith("the sum of 1 of 3 runs") for note in notes), notes


def main():
    libraries, children, one_thread = sys.argv[1:]
    environment()
    signal()
    output_names()
    options_from_environment()
    repeat()
    main_only(libraries)
    no_follow(children)
    libc_ticks(one_thread)
    hiding(one_thread)


main()
