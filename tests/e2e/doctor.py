# SPDX-License-Identifier: MIT
"""What the doctor says of this machine and of programs.

Arguments: the target `one_thread`, and a static program if there is one.
"""

import os
import resource
import subprocess
import sys

import harness
from harness import PROFRUN, Run

DYNAMIC, *STATIC = sys.argv[1:]


def doctor(*words, **options):
    """(status, findings): each finding's verdict and text by its name; the last of a name wins."""
    run = Run([PROFRUN, "doctor", *words], **options)
    findings = {}
    for line in run.output.decode().splitlines():
        if line[:6].strip() in ("ok", "less", "no"):
            findings[line[6:20].strip()] = (line[:6].strip(), line[22:])
    return run, findings


def the_machine_is_looked_at():
    run, findings = doctor()
    assert run.status == 0 and not run.errors, run.errors
    assert len(run.output.splitlines()) <= 24, "more than a screenful"
    for name in ("preload", "CPU timers", "kernel clock", "ticks", "ptrace", "/proc", "limits"):
        assert name in findings, (name, run.output)
    assert findings["preload"][0] == "ok", run.output
    assert findings["CPU timers"][0] == "ok", run.output


def a_low_limit_is_named():
    run, findings = doctor(preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_SIGPENDING, (100, 100)))
    assert findings["limits"][0] == "less" and b"ulimit -i" in run.output, run.output


def programs_have_their_kind():
    run, findings = doctor(DYNAMIC)
    assert run.status == 0 and findings["kind"][0] == "ok", run.output
    assert findings["names"] == ("ok", "it has functions and source lines"), run.output
    for static in STATIC:
        run, findings = doctor(static)
        assert "statically linked" in findings["kind"][1], run.output
        assert b"--ticks=kernel" in run.output, run.output
        assert run.status == (1 if findings["kind"][0] == "no" else 0)


def a_stripped_program_lacks_names():
    if not harness.has("strip"):
        return
    with harness.scratch() as folder:
        stripped = os.path.join(folder, "stripped")
        subprocess.run(["strip", "-o", stripped, DYNAMIC], check=True)
        run, findings = doctor(stripped)
        assert run.status == 0 and findings["names"][0] == "less", run.output


def scripts_are_followed():
    with harness.scratch() as folder:
        script = os.path.join(folder, "script")
        with open(script, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\nexit 0\n")
        os.chmod(script, 0o700)
        run, findings = doctor(script)
        assert "run by" in findings["kind"][1], run.output


def what_is_not_there_is_said():
    run, _ = doctor("/nowhere/at/all")
    assert run.status == 127 and run.errors.count(b"\n") == 1, run.errors
    with open("/dev/full", "wb") as full:
        status = subprocess.run([PROFRUN, "doctor"], stdout=full, stderr=subprocess.DEVNULL,
                                check=False).returncode
    assert status == 125, status


def a_program_of_that_name_can_be_run():
    with harness.scratch() as folder:
        program = os.path.join(folder, "doctor")
        with open(program, "w", encoding="ascii") as file:
            file.write("#!/bin/sh\necho said $1\n")
        os.chmod(program, 0o700)
        run = Run([PROFRUN, "--no-save", "-q", "--", "doctor", "this"],
                  {"PATH": folder + ":" + os.environ["PATH"]})
        assert run.output == b"said this\n", (run.output, run.errors)


the_machine_is_looked_at()
a_low_limit_is_named()
programs_have_their_kind()
a_stripped_program_lacks_names()
scripts_are_followed()
what_is_not_there_is_said()
a_program_of_that_name_can_be_run()
