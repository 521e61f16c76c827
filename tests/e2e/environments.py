# SPDX-License-Identifier: MIT
"""Children are followed whatever environment their parent makes for them, and without following
nobody sees that profrun was here.

Arguments: the target `start`, the target `hostile`, which works for a while.
"""

import os
import re
import shutil
import subprocess
import sys

import harness

START, WORK = map(os.path.abspath, sys.argv[1:])
WAYS = ("exec", "execvp", "execl", "execle", "fexecve", "execveat", "fork", "vfork",
        "posix_spawn", "posix_spawnp", "system", "popen")


def followed(command, environment=None):
    run, report = harness.profile(command, ("-q", "--ticks=timer"), environment)
    assert run.status == 5, f"{command}: {run.status} {run.errors.decode()}"
    ticks = report.ticks_of(object=os.path.basename(WORK))
    assert ticks > 0, f"{command}: its child was not profiled: {run.errors.decode()}"


def seen(command, options, environment):
    """The environment that a command prints."""
    done = subprocess.run([harness.PROFRUN, "-q", "-o", "/dev/null", "--no-save", *options,
                           *command], env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, check=False)
    return done.stdout.split(b"\0")


def without_following():
    """All of it as it was given, in its order, empty entries and doubles too."""
    for variables in ({"A": "1"}, {"LD_PRELOAD": "", "Z": "\n"},
                      {"B": "", "LD_PRELOAD": "libm.so.6", "A": "2", "LD_PRELOADED": "x"}):
        environment = {**variables, "PATH": os.environ["PATH"]}
        bare = subprocess.run(["env", "-0"], env=environment, capture_output=True,
                              check=False).stdout.split(b"\0")
        got = seen(["env", "-0"], ("--no-follow",), environment)
        assert got == bare, f"{bare} became {got}"


def with_following():
    """All of it, and the two variables."""
    own = (b"LD_PRELOAD=", b"PROFRUN_ARENA=")
    for command in (["env", "-0"], ["env", "-i", "A=1", "env", "-0"]):
        bare = subprocess.run(command, capture_output=True, check=False).stdout.split(b"\0")
        got = seen(command, (), None)
        assert [entry for entry in got if not entry.startswith(own)] == bare, got
        assert sum(entry.startswith(own) for entry in got) == 2, got
    got = seen(["env", "LD_PRELOAD=libm.so.6", "env", "-0"], (), None)
    preload = next(entry for entry in got if entry.startswith(b"LD_PRELOAD="))
    assert preload.startswith(b"LD_PRELOAD=libm.so.6:"), preload


def make_root(folder):
    """A root with a shell in it, and nothing of profrun's."""
    shell = os.path.realpath("/bin/sh")
    needed = subprocess.run(["ldd", shell], capture_output=True, check=True).stdout.decode()
    for path in (shell, *re.findall(r"(/\S+) \(0x", needed)):
        copy = os.path.join(folder, path.lstrip("/"))
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copy(path, copy)
    os.makedirs(os.path.join(folder, "dev"))
    return shell


def in_another_root():
    """Where the module is not, the dynamic linker is not asked for it and says nothing."""
    if os.geteuid() != 0:
        return
    with harness.scratch() as folder:
        shell = make_root(folder)
        for command in (["chroot", folder, shell, "-c", "exit 5"],
                        [sys.executable, "-c", "import os, subprocess, sys; os.chroot(sys.argv[1]);"
                         "sys.exit(subprocess.run(sys.argv[2:]).returncode)",
                         folder, shell, "-c", "exit 5"]):
            run, _ = harness.profile(command, ("-q", "--ticks=timer"))
            assert run.status == 5 and b"ld.so" not in run.errors, run.errors.decode()


def main():
    os.environ.pop("LD_PRELOAD", None)
    for way in WAYS:
        followed([START, way, WORK])
        followed([START, way, WORK, "cleared"])
        print(f"{way}: followed")
    followed(["env", "-i", WORK])
    followed(["env", "-u", "LD_PRELOAD", WORK])
    followed(["env", "LD_PRELOAD=libm.so.6", WORK])
    followed([sys.executable, "-c", "import subprocess, sys; "
              "sys.exit(subprocess.run(sys.argv[1:], env={}).returncode)", WORK])
    without_following()
    with_following()
    in_another_root()


main()
