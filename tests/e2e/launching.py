# SPDX-License-Identifier: MIT
"""Starts programs under the launcher that the environment variable PROFRUN names.

That is profrun, or the driver of its launcher alone; profrun is told to keep its report to itself.
"""

import contextlib
import os
import select
import signal
import subprocess
import time

import harness

PROFRUN = os.environ.get("PROFRUN", "profrun")
PATIENCE = 30.0

OPTIONS = f"-q --output=/dev/null --ticks={harness.TICKS}"
os.environ["PROFRUN_OPTIONS"] = OPTIONS

# Under nohup, or as a shell's background job, the tests would pass on what they have to ignore.
for ignored in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(ignored) == signal.SIG_IGN:
        signal.signal(ignored, signal.SIG_DFL)


def state(pid):
    """The letter of a process' state, or None when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
            return file.read().rpartition(") ")[2][0]
    except OSError:
        return None


def relation(pid):
    """(parent, the signal that its end sends there), or None when the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
            fields = file.read().rpartition(") ")[2].split()
    except OSError:
        return None
    return int(fields[1]), int(fields[35])


def parented(pid, end_signal):
    return [int(name) for name in os.listdir("/proc")
            if name.isdigit() and relation(name) == (pid, end_signal)]


def children(pid):
    return parented(pid, signal.SIGCHLD)


def witnesses(pid):
    """Those that no wait() of profrun's for its children finds."""
    return parented(pid, 0)


def until(condition, what):
    end = time.monotonic() + PATIENCE
    while not (result := condition()):
        assert time.monotonic() < end, f"never: {what}"
        time.sleep(0.002)
    return result


class Lines:
    """What a program writes, line by line, without waiting for ever."""

    def __init__(self, fd):
        self.fd, self.text = fd, b""

    def next(self, patience=PATIENCE):
        """The next line, or None when none came in time or the stream ended."""
        end = time.monotonic() + patience
        while b"\n" not in self.text:
            if not select.select([self.fd], [], [], max(0, end - time.monotonic()))[0]:
                return None
            try:
                more = os.read(self.fd, 4096)
            except OSError:  # a terminal whose other side is closed
                return None
            if not more:
                return None
            self.text += more
        line, _, self.text = self.text.partition(b"\n")
        return line.decode(errors="replace").strip()

    def expect(self, wanted):
        line = self.next()
        assert line == wanted, f"{line!r} came instead of {wanted!r}"


class Launched:
    """A program under the launcher, its stdout in .lines."""

    def __init__(self, command, launcher=(PROFRUN,), **options):
        self.process = subprocess.Popen([*launcher, *command], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, **options)
        self.pid, self.lines = self.process.pid, Lines(self.process.stdout.fileno())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in (*children(self.pid), self.pid):
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def target(self):
        return until(lambda: children(self.pid), "a target")[0]


@contextlib.contextmanager
def load():
    """Both CPUs of a small machine busy."""
    burners = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(2)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


def run_tests(tests):
    """Runs each function, says which failed, and returns the exit status."""
    failed = 0
    for test in tests:
        name = test.__name__.replace("_", " ")
        try:
            test()
            print(f"ok: {name}", flush=True)
        except AssertionError as error:
            failed += 1
            print(f"FAILED: {name}: {error}", flush=True)
    return 1 if failed else 0
