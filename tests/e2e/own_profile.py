# SPDX-License-Identifier: MIT
"""Programs that profile themselves do so under profrun, which has its own profile of them.

Arguments: the target `own_profile`, and the same built with -pg if that is possible.
"""

import os
import subprocess
import sys

import harness

PROGRAM, *GPROF = map(os.path.abspath, sys.argv[1:])


def own_share(report):
    """The loop is inlined or not, and asks the clock."""
    return sum(report.share(function=name) for name in ("own_burn", "main"))


def both_count(way):
    run, report = harness.profile([PROGRAM, way], ("--ticks=timer",))
    own = int(run.output.split()[-1])
    print(f"{way}: {own} ticks of its own, {report.ticks:.0f} of profrun's")
    assert run.status == 0 and len(run.output.split()) == 1, run.output
    # Both see one second of CPU time at 100 Hz; timers may be late on a busy machine.
    assert 50 <= own <= 150 and 60 <= report.ticks <= 120, (own, report.ticks)
    assert own_share(report) > 0.7, report.rows


def the_reference_gives_way():
    run, report = harness.profile([PROGRAM, "timer"], ("--ticks=libc",))
    assert run.status == 0 and int(run.output) >= 60, run.output
    assert not report.ticks or report.ticks < 10, report.rows
    assert b"SIGPROF" in run.errors, run.errors


def gprof_is_right(program):
    with harness.scratch() as folder:
        bare = subprocess.run([program], cwd=folder, check=True, capture_output=True).stdout
        assert os.path.exists(os.path.join(folder, "gmon.out")), "no gmon.out without profrun"
        os.unlink(os.path.join(folder, "gmon.out"))
        report_path = os.path.join(folder, "report.csv")
        run = subprocess.run([harness.PROFRUN, "--ticks=timer", "--csv", "--no-save", "-o",
                              report_path, program], cwd=folder, check=True,
                             capture_output=True)
        assert run.stdout == bare, run.stdout
        report = harness.Profile(report_path)
        assert own_share(report) > 0.7, report.rows
        if harness.has("gprof"):
            flat = subprocess.run(["gprof", "-b", "-p", program, "gmon.out"], cwd=folder,
                                  check=True, capture_output=True, text=True).stdout
            line = next(line for line in flat.splitlines() if line.endswith("own_burn"))
            print(f"gprof: {line.strip()}")
            assert float(line.split()[0]) > 70, flat


both_count("profil")
both_count("timer")
the_reference_gives_way()
for profiled in GPROF:
    gprof_is_right(profiled)
