# SPDX-License-Identifier: MIT
"""Children are followed whatever environment their parent makes for them, and without following
nobody sees that profrun was here.

Arguments: the target `start`, the target `hostile`, which works for a while.
"""

import os
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


main()
