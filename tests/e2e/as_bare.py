# SPDX-License-Identifier: MIT
"""A program does under profrun what it does without: the same output, the same end, the same core.

Arguments: programs, whose cases the table beside this file lists by kind; each is tried bare and
under profrun in every way of WAYS. With --only=TEXT, cases whose name has it; with --command, the
arguments are one program and its arguments.
"""

import argparse
import concurrent.futures
import difflib
import itertools
import json
import os
import resource
import shutil
import subprocess
import sys

import harness

WAYS = tuple(itertools.product(("--follow", "--no-follow"), ("--rate=100", "--rate=1000")))
TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "as_bare.txt")


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
                                       stdout=output, stderr=errors,
                                       preexec_fn=allow_cores)
            _, status, _ = os.wait4(process.pid, 0)
            process.returncode = 0
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


def allow_cores():
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (most, most))


def launcher_of(way):
    options = [option for option in way if option != "--follow"]
    return [harness.PROFRUN, "-q", "--no-save", *options]


def tries(command):
    """(way, differences) for every way in which a command does not do what it does bare."""
    with harness.scratch() as folder:
        os.chmod(folder, 0o755)
        bare = Outcome(command, folder)
        for way in WAYS:
            found = list(bare.differences(Outcome(command, folder, launcher_of(way))))
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
    name, command = job
    try:
        return [f"{name}, {' '.join(way)}:\n  " + "\n  ".join(lines)
                for way, lines in tries(command)]
    except (OSError, ValueError) as error:
        return [f"{name}: {error}"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--command", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("arguments", nargs="+")
    options = parser.parse_args()
    arguments = [os.path.abspath(options.arguments[0]), *options.arguments[1:]]
    if options.command:
        jobs = [(" ".join(arguments), arguments)]
    else:
        jobs = list(commands([os.path.abspath(name) for name in arguments], options.only))
    assert jobs, "no such programs"
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(check, jobs * options.repeat))
    problems = [problem for result in results for problem in result]
    print("\n".join(problems))
    print(f"{len(jobs)} programs, {len(jobs) * options.repeat * len(WAYS)} runs under profrun, "
          f"{len(problems)} not as bare")
    sys.exit(bool(problems))


main()
