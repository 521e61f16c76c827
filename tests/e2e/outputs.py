# SPDX-License-Identifier: MIT
"""Where reports go: streams, files that are whole or not there, and what failures do to a run.

Argument: the target `one_thread`.
"""

import gzip
import os
import subprocess
import sys

import harness

HEADER = ",".join(harness.COLUMNS).encode()
SHELL = ["sh", "-c", "echo before; \"$0\"; echo after"]


def profrun(*words, folder, shell=""):
    """Runs profrun; @shell is what a shell would write behind the command (redirections)."""
    command = [harness.PROFRUN, *words]
    if shell:
        command = ["sh", "-c", f'"$0" "$@" {shell}', *command]
    return harness.Run(command, {"XDG_STATE_HOME": folder, "WORK": "0.03"}, cwd=folder)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def streams(target, folder):
    """stderr by default after a run, stdout for report; -o names streams, too."""
    run = profrun("--csv", *SHELL, target, folder=folder)
    assert run.output == b"before\nafter\n" and run.errors.startswith(HEADER), run.errors
    run = profrun("--csv", "report", folder=folder)
    assert run.output.startswith(HEADER) and not run.errors
    for name in ("-", "/dev/stdout", "/dev/fd/1"):
        run = profrun("--csv", "-q", "-o", name, *SHELL, target, folder=folder, shell="> out")
        assert read(f"{folder}/out").startswith(b"before\nafter\n" + HEADER), name
        assert not run.errors, run.errors


def files(target, folder):
    """Through symbolic links, into FIFOs and devices, with patterns."""
    os.symlink("real", f"{folder}/link")
    profrun("--csv", "-q", "-o", "link", target, folder=folder)
    assert os.path.islink(f"{folder}/link") and read(f"{folder}/real").startswith(HEADER)
    os.mkfifo(f"{folder}/fifo")
    with subprocess.Popen(["cat", f"{folder}/fifo"], stdout=subprocess.PIPE) as reader:
        profrun("--csv", "-q", "-o", "fifo", target, folder=folder)
        assert reader.stdout.read().startswith(HEADER)
    profrun("-q", "-o", "/dev/null", target, folder=folder)
    assert not os.path.isfile("/dev/null")
    profrun("-q", "-o", "x-%q{WORK}-%%", target, folder=folder)
    assert os.path.exists(f"{folder}/x-0.03-%")


def summary(target, folder):
    """Part of the text; on stderr with -o; left out with -q."""
    run = profrun(target, folder=folder)
    assert b"ticks of 10 ms" in run.errors and b"share" in run.errors
    run = profrun("-o", "report", target, folder=folder)
    assert b"ticks of 10 ms" in run.errors
    assert read(f"{folder}/report").lstrip().startswith(b"share")
    run = profrun("-q", "-o", "report", target, folder=folder)
    assert not run.errors, run.errors


def refusals(target, folder):
    """What cannot be written is known before anything runs."""
    for name, why in (("none/x", b"No such file or directory"), (".", b"Is a directory"),
                      ("x%d", b"one of %p, %h, %q{VAR}, %%"), ("%q{UNSET}", b"is not set")):
        for option in ("-o", "--save"):
            run = profrun(option, name, *SHELL, target, folder=folder)
            assert run.status == 125 and not run.output, (name, run.status)
            assert run.errors.count(b"\n") == 1 and why in run.errors, run.errors
    os.symlink(".", f"{folder}/here")
    run = profrun("-o", "x", "--save=here/x", *SHELL, target, folder=folder)
    assert run.status == 125 and not run.output and b"same file" in run.errors, run.errors
    for content in (b"hello, world\n", gzip.compress(b"no profile either"), b"\x7fELF"):
        with open(f"{folder}/y", "wb") as file:
            file.write(content)
        run = profrun("report", "y", folder=folder)
        assert run.status == 125 and b"it is no profile" in run.errors, run.errors
    run = profrun("symbolize", target, "0", folder=folder, shell=">/dev/full")
    assert run.status == 125 and b"cannot write to stdout: No space" in run.errors, run.errors


def failures(target, folder):
    """What fails later is a line, and the target's status stands."""
    ends = ["sh", "-c", "\"$0\"; exit 7", target]
    run = profrun("-q", "-o", "/dev/full", *ends, folder=folder)
    assert run.status == 7, run.status
    assert run.errors == b"profrun: cannot write '/dev/full': No space left on device\n"
    for shell in ("2>&-", "2>/dev/full", ">&- 2>&-"):
        assert profrun(*ends, folder=folder, shell=shell).status == 7, shell
    run = profrun("--csv", "report", folder=folder, shell="> /dev/full")
    assert run.status == 125 and b"No space left on device" in run.errors
    run = profrun("--csv", "report", folder=folder, shell="| :")
    assert not run.errors, run.errors
    assert not [name for name in os.listdir(folder) if name.startswith(".")], "left-over files"


def main():
    target = os.path.abspath(sys.argv[1])
    with harness.scratch() as folder:
        for check in (streams, files, summary, refusals, failures):
            check(target, folder)


main()
