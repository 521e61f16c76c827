# SPDX-License-Identifier: MIT
"""A profile that was kept gives the report of the run again, byte for byte, wherever it is read.

Argument: the target `one_thread`.
"""

import json
import os
import shutil
import stat
import subprocess
import sys

import harness

REPORTS = (
    ["--csv"],
    ["--csv", "--by=address"],
    ["--csv", "--by=process,function"],
    ["--csv", "--by=object", "--top=2"],
    ["--csv", "--by=line"],
    ["--csv", "--scale=0x1000"],
    ["--csv", "--scale=2"],
    ["--csv", "--no-demangle", "--clones"],
    ["--csv", "--focus=no such function"],
)


def profrun(*words, state, check=True):
    run = harness.Run([harness.PROFRUN, *words], {"XDG_STATE_HOME": state, "WORK": "0.06"})
    assert not check or run.status == 0, f"{words}: {run.status} {run.errors.decode()}"
    return run


def read(path):
    with open(path, "rb") as file:
        return file.read()


def same_again(command, folder):
    """The last run as CSV is the CSV of the run; so are JSON's rows, from a file elsewhere."""
    for options in REPORTS:
        report = os.path.join(folder, "report")
        profrun(*options, "-o", report, *command, state=folder)
        again = profrun(*options, "report", state=folder).output
        assert again == read(report), f"{options}: the report of the last run differs"
    saved, report = os.path.join(folder, "saved.pb.gz"), os.path.join(folder, "report")
    profrun("--json", "--no-save", f"--save={saved}", "-o", report, *command, state=folder)
    again = profrun("--json", "report", saved, state=folder).output
    before, after = json.loads(read(report)), json.loads(again)
    assert before["rows"] and before == after, "JSON differs"


def without_the_program(command, folder):
    """What was found when saving needs no objects later; what was not is looked up, and missed."""
    program = os.path.join(folder, "program")
    shutil.copy(command[0], program)
    profrun("--csv", "-o", f"{folder}/report", program, *command[1:], state=folder)
    os.remove(program)
    assert profrun("--csv", "report", state=folder).output == read(f"{folder}/report")
    asked = profrun("--by=line", "report", state=folder).output.decode()
    assert "no names for program: " in asked and "half" in asked, asked


def several_are_one(command, folder):
    """Counts of several files add up; different builds of a program stay apart."""
    names = [f"{folder}/{number}.pb.gz" for number in range(3)]
    ticks = 0
    for name in names:
        profrun("--csv", "-q", "-o", f"{folder}/report", f"--save={name}", *command, state=folder)
        ticks += harness.Profile(f"{folder}/report").ticks
    profrun("--csv", "-o", f"{folder}/report", "report", *names, state=folder)
    assert harness.Profile(f"{folder}/report").ticks == ticks, "the sum is not that of the parts"
    profrun("--rate=50", f"--save={names[0]}", *command, state=folder)
    run = profrun("report", *names, state=folder, check=False)
    assert run.status == 125 and b"a tick is 20 ms in one and 10 ms" in run.errors, run.errors


def kept_with_care(command, folder):
    """Only the user can read it; what cannot be kept is a line, and no torn file is left."""
    last = f"{folder}/profrun/last.pb.gz"
    profrun(*command, state=folder)
    assert stat.S_IMODE(os.stat(last).st_mode) == 0o600
    before = read(last)
    profrun("--no-save", *command, state=folder)
    assert read(last) == before, "--no-save kept something"
    run = profrun(*command, state="/dev/null", check=False)
    assert run.status == 0 and b"cannot write '/dev/null/profrun/last.pb.gz'" in run.errors
    run = profrun("--save=/dev/null/x", *command, state=folder, check=False)
    assert run.status == 125 and not run.output, "ran although nothing could be kept"
    with open(last, "wb") as file:
        file.write(before[:-20])
    run = profrun("report", state=folder, check=False)
    assert run.status == 125 and run.errors.count(b"\n") == 1, run.errors
    os.remove(last)
    run = profrun("report", state=folder, check=False)
    assert run.errors == b"profrun: no profile yet: run 'profrun PROGRAM' first\n"


def read_by_go(command, folder):
    """go tool pprof shows the same functions with the same times."""
    if not shutil.which("go"):
        return
    saved = f"{folder}/saved.pb.gz"
    profrun("--csv", "-o", f"{folder}/report", f"--save={saved}", *command, state=folder)
    top = subprocess.run(["go", "tool", "pprof", "-top", "-unit=ms", saved], check=True,
                         capture_output=True, text=True, env={**os.environ, "HOME": folder}).stdout
    shown = {line.split()[-1]: float(line.split()[0].rstrip("ms"))
             for line in top.split("cum%\n")[1].splitlines()}
    for row in harness.Profile(f"{folder}/report").rows:
        if row["estimated"] == "0":
            name = row["function"]
            assert shown.get(name) == 10 * float(row["ticks"]), f"{name}: {shown.get(name)}"


def short_programs(_, folder):
    """What is met in profrun's own module, at the start, can be read again like all else."""
    for _ in range(30):
        profrun("--rate=10000", "-o", os.devnull, "true", state=folder)
        profrun("--csv", "report", state=folder)


def main():
    with harness.scratch() as folder:
        for check in (same_again, without_the_program, several_are_one, kept_with_care,
                      short_programs, read_by_go):
            check(sys.argv[1:], folder)


main()
