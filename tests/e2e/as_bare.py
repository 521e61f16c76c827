# SPDX-License-Identifier: MIT
"""A program does under profrun what it does without: the same output, the same end, the same core.

Arguments: programs, whose cases the table beside this file lists by kind; each is tried bare and
under profrun in every way of WAYS. With --only=TEXT, cases whose name has it; with --command, the
arguments are one program and its arguments; with --jobs=N, that many at a time, which is what keeps
the machine busy. What is not as bare is said repetition by repetition: a run that is interrupted
has told what it saw.
"""

import argparse
import concurrent.futures
import difflib
import itertools
import json
import os
import random
import resource
import select
import shutil
import signal
import subprocess
import sys

import harness

WAYS = tuple(itertools.product(("--follow", "--no-follow"), ("--rate=100", "--rate=1000")))
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "as_bare.txt")
PATIENCE = 200  # seconds, and no program needs two; bare or not, one that hangs is a finding


class Outcome:
    """What can be seen of a program from outside: two streams, the end, whether it left a core."""

    def __init__(self, command, folder, launcher=()):
        # The program sees its folder: it has the same name and nothing in it each time.
        self.folder = os.path.join(folder, "work")
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)
        report = os.path.join(folder, "report.json")
        if launcher:
            launcher = [*launcher, "--json", "-o", report]
        self.output, self.errors, self.status = self.run([*launcher, *command], folder)
        self.core = os.WCOREDUMP(self.status)
        if launcher:
            self.errors = b"".join(line for line in self.errors.splitlines(True)
                                   if not line.startswith(b"profrun: "))
            with open(report, encoding="utf-8") as file:
                self.core = json.load(file)["run"]["core_dumped"]
        self.status &= 0x7f if self.status & 0x7f else 0xff00

    def run(self, command, folder):
        """stdout and stderr are files, so that a child that lives on keeps nobody waiting."""
        paths = [os.path.join(folder, name) for name in ("output", "errors")]
        with open(paths[0], "wb") as output, open(paths[1], "wb") as errors:
            process = subprocess.Popen(command, cwd=self.folder, stdin=subprocess.DEVNULL,
                                       stdout=output, stderr=errors)
        status = end_of(process)
        texts = []
        for path in paths:
            with open(path, "rb") as file:
                texts.append(file.read())
        return *texts, status

    def differences(self, other):
        """Lines that tell how @other is not like this one."""
        if self.status != other.status:
            yield f"ended by {other.status:#x}, not {self.status:#x}"
        if bool(self.core) != bool(other.core):
            yield f"a core: {other.core}, not {self.core}"
        for name in ("output", "errors"):
            texts = [getattr(run, name).decode(errors="replace").splitlines()
                     for run in (self, other)]
            lines = difflib.unified_diff(*texts, "bare", name, n=0, lineterm="")
            yield from itertools.islice(lines, 40)


def end_of(process):
    """How it ended, as wait(2) tells."""
    handle = os.pidfd_open(process.pid)
    poll = select.poll()
    poll.register(handle, select.POLLIN)
    in_time = poll.poll(PATIENCE * 1000)
    os.close(handle)
    if not in_time:
        process.send_signal(signal.SIGKILL)
    _, status, _ = os.wait4(process.pid, 0)
    process.returncode = 0
    if not in_time:
        raise TimeoutError(f"{process.args} has not ended after {PATIENCE} seconds")
    return status


def allow_cores():
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))


def launcher_of(way, ticks):
    options = [option for option in way if option != "--follow"]
    return [harness.PROFRUN, "-q", "--no-save", f"--ticks={ticks}", *options]


def tries(command, ticks):
    """(way, differences) for every way in which a command does not do what it does bare."""
    with harness.scratch() as folder:
        os.chmod(folder, 0o755)
        bare = Outcome(command, folder)
        for way in WAYS:
            found = list(bare.differences(Outcome(command, folder, launcher_of(way, ticks))))
            if found:
                yield way, found


def read_table():
    """Kind -> its cases."""
    table, kind = {}, None
    with open(TABLE, encoding="utf-8") as file:
        for line in file:
            if line.startswith("\t"):
                table[kind].append(line.strip())
            elif line.strip() and not line.startswith("#"):
                kind = line.strip()
                table[kind] = []
    return table


def commands(programs, only):
    """(name, command) of every case of the programs, which are those of the table."""
    table = read_table()
    kinds = {os.path.basename(program).removeprefix("bare-") for program in programs}
    assert only or kinds == set(table), f"{TABLE} has other kinds than {kinds}"
    for program in programs:
        kind = os.path.basename(program).removeprefix("bare-")
        known = subprocess.run([program, "list"], capture_output=True, text=True,
                               check=True).stdout.splitlines()
        assert known == table[kind], f"{TABLE} has not the cases of {program}: {known}"
        for case in known:
            if only in f"{kind}: {case}":
                yield f"{kind}: {case}", [program, case]


def check(job):
    name, command, ticks = job
    try:
        return [f"{name}, {' '.join(way)}, {ticks}:\n  " + "\n  ".join(lines)
                for way, lines in tries(command, ticks)]
    except (OSError, ValueError) as error:
        return [f"{name}, {ticks}: {error}"]


def check_all(programs, sources, repetitions, at_a_time):
    """The number of (program, way) that are not as bare."""
    rounds = list(itertools.product(range(repetitions), sources))
    found = 0
    with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
        # Each time in another order, so that a program meets others.
        orders = [random.Random(number).sample(programs, len(programs))
                  for number in range(len(rounds))]
        results = [pool.map(check, [(*program, ticks) for program in order])
                   for (_, ticks), order in zip(rounds, orders)]
        for (repetition, ticks), result in zip(rounds, results):
            for problems in result:
                found += len(problems)
                print(*problems, sep="\n", end="\n" if problems else "", flush=True)
            print(f"repetition {repetition + 1} of {repetitions} under {ticks}: {len(programs)} "
                  f"programs, {len(programs) * len(WAYS)} runs under profrun; "
                  f"so far {found} not as bare", flush=True)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--ticks", default=harness.TICKS, help="sources, with commas between")
    parser.add_argument("arguments", nargs="+")
    options = parser.parse_args()
    arguments = [os.path.abspath(options.arguments[0]), *options.arguments[1:]]
    if options.command:
        programs = [(" ".join(arguments), arguments)]
    else:
        programs = list(commands([os.path.abspath(name) for name in arguments], options.only))
    assert programs, "no such programs"
    sources = options.ticks.split(",")
    if "kernel" in sources and not harness.kernel_clock():
        harness.skip("the kernel refuses its clock here")
    allow_cores()
    sys.exit(bool(check_all(programs, sources, options.repeat, options.jobs)))


main()
