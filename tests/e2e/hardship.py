# SPDX-License-Identifier: MIT
"""Whatever a target does to the arena, and whatever it may not do, it runs as without profrun, and
profrun ends as it does: with a report, or with a line that says why there is none.

Arguments: the target `hostile`, the target `ends`.
"""

import os
import shutil
import subprocess
import sys

import harness

ACTS = ("truncate", "grow", "seal", "zero", "fill", "scribble", "close")

# Shell text around the target, and what must be there (and allowed) to try it.
LIMITS = {
    "no file may grow": "ulimit -f 0; exec {}",
    "little address space": "ulimit -v 1000000; exec {}",
    "no descriptor left": "ulimit -n 3; exec {}",
    "another user": "exec setpriv --reuid=65534 --regid=65534 --clear-groups {}",
    "a user namespace": "exec unshare --user {}",
    "another pid namespace": "exec unshare --user --pid --fork {}",
    "no environment": "exec env -i {}",
}


def works(command):
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                          check=False).returncode in (3, 5)


def check(name, command):
    """Status and stdout as bare; stderr has the bare one's, and a report or a reason."""
    if not works(command):
        print(f"{name}: cannot be tried here")
        return
    bare = harness.Run(command)
    run = harness.Run([harness.PROFRUN, *command])
    errors = run.errors.decode(errors="replace")
    lines = errors.splitlines()
    print(f"{name}: status {run.status}, {lines[0] if lines else 'silent'}")
    assert run.status == bare.status, f"{name}: status {run.status}, bare {bare.status}: {errors}"
    assert run.output == bare.output, f"{name}: stdout is not that of the bare run"
    assert "before_the_end" in errors or "in_hostile" in errors or "profrun: " in errors, \
        f"{name}: neither a report nor a reason: {errors}"


def main():
    hostile, ends = map(os.path.abspath, sys.argv[1:])
    for act in ACTS:
        check(act, [hostile, act])
    with harness.scratch() as folder:
        # Where another user can execute it.
        os.chmod(folder, 0o755)
        program = shutil.copy(ends, folder)
        for name, text in LIMITS.items():
            check(name, ["sh", "-c", text.format(f"{program} exit")])


main()
