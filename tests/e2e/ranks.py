# SPDX-License-Identifier: MIT
"""Ranks of one job, each under its own profrun, in one folder: none disturbs another, and a report
by run tells them apart. By the variables that MPI and batch systems set; by mpirun where it is.

Argument: the target `one_thread`.
"""

import csv
import io
import os
import subprocess
import sys

import harness

RANKS = 64
SAVE = "--save=profile.%q{RANK}.pb.gz"


def by_run(folder, names):
    text = subprocess.run([harness.PROFRUN, "--csv", "--by=run", "report", *names], cwd=folder,
                          check=True, capture_output=True).stdout.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert sorted({row["run"] for row in rows}) == sorted(names), rows
    return sum(float(row["ticks"]) for row in rows)


def saved(folder):
    return sorted(name for name in os.listdir(folder) if name.startswith("profile."))


def ranks(target, folder):
    started = [subprocess.Popen(
        [harness.PROFRUN, "-q", "-o", "/dev/null", SAVE, target], cwd=folder,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        env={**os.environ, "RANK": str(rank), "WORK": "0.02", "XDG_STATE_HOME": folder})
        for rank in range(RANKS)]
    said = [process.communicate()[0] for process in started]
    assert all(process.returncode == 0 for process in started)
    assert not any(said), said
    names = saved(folder)
    assert names == sorted(f"profile.{rank}.pb.gz" for rank in range(RANKS)), names
    assert by_run(folder, names) > RANKS
    assert not [name for name in os.listdir(folder) if name.startswith(".")], "left-over files"


def mpi(target, folder):
    run = harness.Run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4",
                       harness.PROFRUN, "-q", "-o", "/dev/null",
                       "--save=profile.%q{OMPI_COMM_WORLD_RANK}.pb.gz", target],
                      {"WORK": "0.05", "XDG_STATE_HOME": folder}, cwd=folder)
    assert run.status == 0 and not run.output, (run.errors, run.output)
    names = saved(folder)
    assert names == [f"profile.{rank}.pb.gz" for rank in range(4)], names
    assert by_run(folder, names) > 4


def main():
    target = os.path.abspath(sys.argv[1])
    for check in (ranks, mpi):
        if check is mpi and not harness.has("mpirun"):
            continue
        with harness.scratch() as folder:
            check(target, folder)


main()
