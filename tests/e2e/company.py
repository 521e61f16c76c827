# SPDX-License-Identifier: MIT
"""In the company of programs that do to others what profrun does, and where a program is hardly at
home, it runs as bare: debuggers, allocators, profrun itself; a full disk, a folder that is gone.

Argument: the target `hostile`, which works for a while.
"""

import glob
import os
import re
import subprocess
import sys

import harness

WORK = os.path.abspath(sys.argv[1])
OURS = [harness.PROFRUN, "-q", "--no-save", "--csv"]


def run(command, folder, **options):
    """(status, stdout, stderr without profrun's own lines)."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          cwd=folder, timeout=120, **options)
    errors = b"".join(line for line in done.stderr.splitlines(True)
                      if not line.startswith(b"profrun: "))
    return done.returncode, re.sub(rb"process \d+", b"process", done.stdout), errors


def check(name, command, folder, seen=True, around=(), may_lack=False, **options):
    """As bare; when it should be @seen, with ticks in the target. @around: what starts profrun.
    What a machine @may_lack is left out where the bare run fails."""
    report = os.path.join(folder, "report.csv")
    bare = run([*around, *command], folder, **options)
    if bare[0] != 5 and may_lack:
        print(f"{name}: cannot be tried here")
        return
    assert bare[0] == 5, f"{name}: bare it is {bare}"
    ours = run([*around, *OURS, "-o", report, *command], folder, **options)
    assert ours == bare, f"{name}: {bare} became {ours}"
    # profrun that lacks what it needs becomes the program.
    ticks = harness.Profile(report).ticks_of(function="in_hostile") if os.path.exists(report) else 0
    assert not seen or ticks > 0, f"{name}: the target was not profiled"
    print(f"{name}: as bare, {ticks:.0f} ticks")
    if os.path.exists(report):
        os.remove(report)


def script(folder, name, *lines):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write("\n".join(lines) + "\n")
    os.chmod(path, 0o755)
    return path


def preloads(folder):
    for pattern in ("libtcmalloc.so.*", "libtcmalloc_minimal.so.*", "libjemalloc.so.*"):
        for path in glob.glob(f"/usr/lib/*/{pattern}")[:1]:
            check(os.path.basename(path), ["env", f"LD_PRELOAD={path}", WORK], folder)
            check(f"{os.path.basename(path)} from outside", [WORK], folder,
                  env={**os.environ, "LD_PRELOAD": path})


def debuggers(folder):
    gdb = ["gdb", "-nx", "-q", "-batch", "-return-child-result"]
    if harness.has("gdb"):
        # A tick that stops the program would end the script before the program does.
        check("gdb", [*gdb, "-ex", "run", WORK], folder, seen=harness.TICKS == "kernel",
              may_lack=True)
    if harness.has("valgrind"):
        check("valgrind", ["valgrind", "-q", "--tool=none", WORK], folder, seen=False,
              may_lack=True)


def scripts(folder):
    check("a script", [script(folder, "plain", "#!/bin/sh", WORK)], folder)
    check("an interpreter with arguments",
          [script(folder, "split", "#!/usr/bin/env -S -i A=1 sh", WORK)], folder)
    check("no first line", [script(folder, "none", WORK)], folder, around=["env"])
    check("a blank in its name", [script(folder, "a b:c", "#!/bin/sh", WORK)], folder)


def nested(folder):
    inner = [*OURS, "-o", "inner.csv"]
    check("profrun in profrun", [*inner, WORK], folder, seen=harness.TICKS == "kernel")
    assert harness.Profile(os.path.join(folder, "inner.csv")).ticks_of(function="in_hostile") > 0


def no_place(folder):
    gone = os.path.join(folder, "gone")
    command = f"mkdir -p {gone} && cd {gone} && rmdir {gone} && exec \"$@\""
    check("a folder that is gone", [WORK], folder, around=["sh", "-c", command, "sh"])
    full = ("mount -t tmpfs -o size=4k none . && cd . || exit 99; dd if=/dev/zero of=fill "
            "2>/dev/null; export TMPDIR=$PWD HOME=$PWD XDG_STATE_HOME=$PWD; exec \"$@\"")
    place = os.path.join(folder, "full")
    os.mkdir(place)
    check("a full disk", [WORK], folder,
          around=["unshare", "-m", "sh", "-c", f"cd {place}; {full}", "sh"], may_lack=True)


def limits(folder):
    for limit in ("-s 64", "-i 0", "-v 100000", "-c 0", "-l 0"):
        check(f"ulimit {limit}", [WORK], folder, seen=limit != "-i 0", may_lack=True,
              around=["sh", "-c", f"ulimit {limit}; exec \"$@\"", "sh"])
    check("ulimit -n 5", [WORK], folder, seen=False,
          around=["sh", "-c", "ulimit -n 5; exec \"$@\"", "sh"])


DAEMON = """setsid sh -c 'echo $$ >daemon; exec sleep 30' >/dev/null 2>&1 </dev/null &
while [ ! -s daemon ]; do sleep 0.01; done; cat daemon"""


def what_lives_on(folder):
    """A daemon is not waited for, and is said to be there."""
    done = subprocess.run([harness.PROFRUN, "--no-save", "sh", "-c", DAEMON],
                          stdin=subprocess.DEVNULL, capture_output=True, check=False, cwd=folder)
    os.kill(int(done.stdout), 9)
    assert b"still running" in done.stderr, done.stderr.decode()
    print("a daemon: named")


def main():
    with harness.scratch() as folder:
        for part in (preloads, debuggers, scripts, nested, no_place, limits, what_lives_on):
            part(folder)


main()
