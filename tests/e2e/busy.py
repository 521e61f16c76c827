# SPDX-License-Identifier: MIT
"""On a CPU that others use as well a program is not said to wait for anything else. Where timers
tick, that bends shares: a line says so and names the source that is exact.

Argument: the target `one_thread`.
"""

import contextlib
import os
import subprocess
import sys

import harness

CPU = min(os.sched_getaffinity(0))


@contextlib.contextmanager
def spinners():
    """They leave a third of the CPU."""
    pinned = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    for spinner in pinned:
        os.sched_setaffinity(spinner.pid, {CPU})
    try:
        yield
    finally:
        for spinner in pinned:
            spinner.kill()
            spinner.wait()


def summary(ticks, command, **options):
    """The lines around the report."""
    run = harness.Run([harness.PROFRUN, "--no-save", f"--ticks={ticks}", *command],
                      {"WORK": "0.25"}, **options)
    assert run.status == 0, run.errors.decode()
    print(run.errors.decode())
    return run.errors


def shared(ticks, target):
    return summary(ticks, [target], preexec_fn=lambda: os.sched_setaffinity(0, {CPU}))


def main():
    target = sys.argv[1]
    with spinners():
        errors = shared("timer", target)
        assert b"waited for a CPU for" in errors and b"--ticks=kernel" in errors, "not said"
        assert b"others had the CPU" in errors and b"mostly waited" not in errors, "no reason"
        if harness.kernel_clock():
            assert b"waited for a CPU" not in shared("kernel", target), "nothing is bent there"
    errors = summary("timer", ["sh", "-c", "sleep 0.5"])
    assert b"mostly waited" in errors and b"others had" not in errors, "a sleep is no queue"


main()
