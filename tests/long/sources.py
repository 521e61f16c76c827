#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Who ticks best where the kernel's clock is refused: timer, signal and kernel side by side, for
programs that know their shares, on an idle machine, on one whose CPUs others use as well, and on a
single CPU, with and without another program on it.

Usage: tests/long/sources.py BUILD [SEEDS [RATE]]   (a folder that meson has built)

For each: the largest error of a share over all seeds, in points, and how many shares of single runs
cannot be chance; how much of the CPU time was ticked; the part that signals hit before they are
scaled; and what profrun itself used, of the program's CPU time.
"""

import contextlib
import os
import re
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "e2e"))

SOURCES = ("timer", "signal", "kernel")
PROGRAMS = (("one_thread",), ("four_threads",), ("short_threads",), ("children",), ("aligned",),
            ("alternate", "5"), ("alternate", "10"), ("alternate", "3.3"))
# name -> the CPUs that profrun and the program have (None: all), and whether others use them too.
CONDITIONS = {
    "idle": (None, False),
    "shared": (None, True),
    "one CPU": ({0}, False),
    "one CPU, shared": ({0}, True),
}


@contextlib.contextmanager
def condition(cpus, shared):
    """Has the CPUs, with a spinner on each if they are shared."""
    mine = os.sched_getaffinity(0)
    spinners = [subprocess.Popen(["taskset", "-c", str(cpu), "sh", "-c", "while :; do :; done"])
                for cpu in (cpus or mine) if shared]
    os.sched_setaffinity(0, cpus or mine)
    try:
        yield
    finally:
        os.sched_setaffinity(0, mine)
        for spinner in spinners:
            spinner.kill()
            spinner.wait()


def children_cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Cell:
    """What the runs of one program under one source had in common."""

    def __init__(self):
        self.error, self.wrong, self.compared = 0.0, 0, 0
        self.ticked, self.hit, self.own, self.cpu = 0.0, [], 0.0, 0.0

    def add(self, binomial, run, report, truth, own):
        effective = report.effective()
        for name, seconds in truth.seconds.items():
            counted, true = report.share(function=name), seconds / truth.cpu
            self.error = max(self.error, abs(counted - true))
            self.wrong += not binomial.plausible(counted, effective, true)
            self.compared += 1
        self.ticked += report.ticks
        self.cpu += truth.cpu
        self.own += own - truth.cpu
        found = re.search(rb"on a CPU make ([0-9.]+) %", run.errors)
        if found:
            self.hit.append(float(found.group(1)))

    def line(self, rate):
        hit = f", hit {min(self.hit):.0f} to {max(self.hit):.0f} %" if self.hit else ""
        return (f"largest error {100 * self.error:5.2f}, {self.wrong} of {self.compared} beyond "
                f"chance, ticked {100 * self.ticked / rate / self.cpu:.1f} %{hit}, "
                f"profrun {100 * self.own / self.cpu:.2f} %")


def measure(harness, binomial, command, source, rate, seeds):
    cell = Cell()
    for seed in range(1, seeds + 1):
        before = children_cpu()
        run, report, truth, _ = harness.measure(
            command, (f"--ticks={source}", f"--rate={rate}", "--no-save", "-v"), seed)
        assert run.status == 0, run.errors.decode()
        cell.add(binomial, run, report, truth, children_cpu() - before)
    return cell


def main():
    if len(sys.argv) < 2 or not os.access(os.path.join(sys.argv[1], "cli/profrun"), os.X_OK):
        sys.exit("usage: tests/long/sources.py BUILD [SEEDS [RATE]] (what meson has built)")
    build = os.path.abspath(sys.argv[1])
    seeds, rate = (int(word) for word in (sys.argv[2:4] + ["20", "100"][len(sys.argv) - 2:]))
    os.environ["PROFRUN"] = os.path.join(build, "cli/profrun")
    import binomial, harness  # pylint: disable=import-outside-toplevel,multiple-imports

    for name, (cpus, shared) in CONDITIONS.items():
        for program, *arguments in PROGRAMS:
            command = [os.path.join(build, "tests/targets", program), *arguments]
            with condition(cpus, shared):
                for source in SOURCES:
                    cell = measure(harness, binomial, command, source, rate, seeds)
                    print(f"{name:16} {' '.join((program, *arguments)):14} {source:7} "
                          f"{cell.line(rate)}", flush=True)


main()
