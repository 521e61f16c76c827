# SPDX-License-Identifier: MIT
"""Where reports go: streams, files that are whole or not there, and what failures do to a run.

Arguments: the target `one_thread`, and the program that makes a large profile.
"""

import gzip
import os
import resource
import subprocess
import sys
import time

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
    run = profrun("-q", "-o", "-", "--save=-", *SHELL, target, folder=folder)
    assert run.status == 125 and not run.output and b"same file" in run.errors, run.errors
    run = profrun("-q", "-o", "/dev/null", "--save=/dev/null", target, folder=folder)
    assert run.status == 0 and not run.errors, run.errors
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


def formats(folder):
    text = profrun("--format=help", folder=folder).output.decode()
    return [line.split()[0] for line in text.splitlines()]


def whole_or_not(maker, folder):
    """Of every format: a full disk, a file size limit, a reader that goes away."""
    with open(f"{folder}/large", "wb") as file:
        subprocess.run([maker, "20000"], check=True, stdout=file)
    limit = {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))}
    names = formats(folder)
    assert len(names) > 7, names
    for name in names:
        options = ["-q", f"--format={name}", "--by=address", "--top=0", "report", "large"]
        run = profrun(*options, folder=folder, shell="> /dev/full")
        assert run.status == 125, name
        assert run.errors.endswith(b"write the report: No space left on device\n"), run.errors
        run = profrun(*options, folder=folder, shell="| head -c 100")
        assert len(run.output) == 100 and not run.errors, (name, run.errors)
        with open(f"{folder}/out", "w", encoding="ascii") as file:
            file.write("old")
        run = harness.Run([harness.PROFRUN, "-o", "out", *options], cwd=folder, **limit)
        assert run.status == 125 and b"'out': File too large" in run.errors, (name, run.errors)
        assert read(f"{folder}/out") == b"old", name
        profrun("-o", "out", *options, folder=folder)
        assert len(read(f"{folder}/out")) > 8192, name


def writes(pid):
    """Whether the process has written anything."""
    try:
        with open(f"/proc/{pid}/io", encoding="ascii") as file:
            return "\nwchar: 0\n" not in file.read()
    except OSError:
        return True


def killed(folder):
    """In the middle of a report: the old file stands; where that came too late, the new one."""
    options = ["-q", "--json", "--by=address", "-o", "out", "report", "large"]
    profrun(*options, folder=folder)
    whole, middle = read(f"{folder}/out"), 0
    for _ in range(10):
        with open(f"{folder}/out", "w", encoding="ascii") as file:
            file.write("old")
        with subprocess.Popen([harness.PROFRUN, *options], cwd=folder) as process:
            while process.poll() is None and not writes(process.pid):
                time.sleep(0.001)
            process.kill()
        middle += read(f"{folder}/out") == b"old"
        assert read(f"{folder}/out") in (b"old", whole)
    print(f"killed in the middle {middle} times")


def main():
    target, maker = map(os.path.abspath, sys.argv[1:])
    with harness.scratch() as folder:
        for check in (streams, files, summary, refusals, failures):
            check(target, folder)
        whole_or_not(maker, folder)
        killed(folder)


main()
