# SPDX-License-Identifier: MIT
"""Runs the built profrun (named by the environment variable PROFRUN) and reads what it wrote."""

import contextlib
import csv
import math
import os
import shutil
import subprocess
import sys
import tempfile

PROFRUN = os.environ.get("PROFRUN", "profrun")
SKIPPED = 77
Z = 1.959963984540054  # of a 95 % interval
COLUMNS = ("function", "object", "file", "line", "ticks", "seconds", "percent", "margin",
           "cumulative_percent", "kernel_percent", "estimated")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def has(program):
    """Whether there is such a program; where not, says that something is left out."""
    if shutil.which(program):
        return True
    print(f"left out: no {program} here")
    return False


def skip_if_refused(run):
    """What is about the kernel's clock cannot be tested where profrun had to take another."""
    if b"refuses its clock" in run.errors:
        skip("perf_event_open is refused here")


def kernel_clock():
    """Whether the kernel's clock may be had."""
    done = subprocess.run([PROFRUN, "--no-save", "--ticks=kernel", "-o", os.devnull, "true"],
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return b"the ticks are those of --ticks=timer" not in done.stderr


# Who ticks, where a test does not say it itself: what holds whoever ticks is tested with several.
TICKS = os.environ.get("TICKS", "auto")

# Ticks by which a count may be behind the CPU time, or before it: "signal" makes up for what it
# missed little by little (three deviations of eight hits, each of which may be a tick off).
LAGS = {"signal": 9}
LAG = LAGS.get(TICKS, 0)

os.environ["PROFRUN_OPTIONS"] = f"--ticks={TICKS}"
if TICKS == "kernel" and not kernel_clock():
    skip("the kernel refuses its clock here")


@contextlib.contextmanager
def scratch():
    with tempfile.TemporaryDirectory(prefix="profrun-test-") as folder:
        yield folder


class Run:
    """One ended process: its status as the shell would see it, and its streams."""

    def __init__(self, command, environment=None, **options):
        done = subprocess.run(command, env={**os.environ, **(environment or {})},
                              stdin=subprocess.DEVNULL, capture_output=True, check=False,
                              **options)
        self.status, self.output, self.errors = done.returncode, done.stdout, done.stderr


class Profile:
    """The rows of one CSV report."""

    def __init__(self, path):
        with open(path, encoding="utf-8", newline="") as file:
            self.rows = list(csv.DictReader(file))
        with open(path, encoding="utf-8", newline="") as file:
            self.header = next(csv.reader(file))
        self.thousandths = sum(round(float(row["ticks"]) * 1000) for row in self.rows)
        self.ticks = self.thousandths / 1000

    def select(self, **wanted):
        """The rows whose columns are as wanted."""
        return [row for row in self.rows
                if all(row[column] == value for column, value in wanted.items())]

    def ticks_of(self, **wanted):
        return math.fsum(float(row["ticks"]) for row in self.select(**wanted))

    def share(self, **wanted):
        return self.ticks_of(**wanted) / self.ticks if self.ticks else 0.0

    def effective(self):
        """The number of independent ticks: what the margin of the surest row was made from."""
        row = max(self.rows, key=lambda row: float(row["margin"]), default=None)
        if not row or not float(row["margin"]):
            return 0.0
        share, margin = float(row["percent"]) / 100, float(row["margin"]) / 100
        low, high = 0.0, max(self.ticks, 1.0)
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if wilson(share, middle) > margin else (low, middle)
        return high


def wilson(share, trials):
    """Half the width of Wilson's 95 % interval."""
    if trials <= 0:
        return 1.0
    root = math.sqrt(share * (1 - share) / trials + Z * Z / (4 * trials * trials))
    return Z * root / (1 + Z * Z / trials)


def profile(command, options=(), environment=None, **kind):
    """(Run, Profile) of a command under profrun."""
    with scratch() as folder:
        report = os.path.join(folder, "report.csv")
        run = Run([PROFRUN, "--csv", "--top=0", "-o", report, *options, *command],
                  environment, **kind)
        if not os.path.exists(report):
            raise AssertionError(f"no report; status {run.status}: {run.errors.decode()}")
        return run, Profile(report)


class Truth:
    """What a target wrote about itself."""

    def __init__(self, path):
        self.seconds, self.processes = {}, {}
        with open(path, encoding="utf-8") as file:
            for pid, name, seconds in map(str.split, file):
                self.seconds[name] = self.seconds.get(name, 0.0) + float(seconds)
                self.processes.setdefault(int(pid), {})[name] = float(seconds)
        self.cpu = self.seconds.pop("cpu")
        self.delay = self.seconds.pop("delay")


class Steal:
    """What the hypervisor took of this machine's CPUs while the block ran."""

    @staticmethod
    def read():
        """(stolen, all) CPU time of the machine so far, in the kernel's units."""
        with open("/proc/stat", encoding="ascii") as file:
            numbers = [int(word) for word in file.readline().split()[1:]]
        return numbers[7] if len(numbers) > 7 else 0, sum(numbers[:8])

    def __enter__(self):
        self.before = self.read()
        return self

    def __exit__(self, *_):
        stolen, everything = (after - before for after, before in zip(self.read(), self.before))
        self.share = stolen / max(everything, 1)
        self.seconds = stolen / os.sysconf("SC_CLK_TCK")


def measure(command, options, seed, environment=None):
    """(Run, Profile, Truth, Steal) of a target."""
    with scratch() as folder:
        path = os.path.join(folder, "truth")
        with Steal() as steal:
            run, report = profile(command, options, {"TRUTH": path, "SEED": str(seed),
                                                     **(environment or {})})
        return run, report, Truth(path), steal
