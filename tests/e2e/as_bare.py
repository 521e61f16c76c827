# SPDX-License-Identifier: MIT
"""A program does under profrun what it does without: the same output and the same status.

Arguments: the program and its arguments. Tried with and without following children, at two rates.
Beside the program's own lines there may be one that says that it was too short to be profiled.
"""

import sys

import harness

OPTIONS = ((), ("--no-follow",), ("--rate=1000",))


def lines(errors):
    return [line for line in errors.splitlines() if not line.startswith(b"profrun: no ticks:")]


def main():
    command = sys.argv[1:]
    bare = harness.Run(command)
    print(bare.output.decode(errors="replace"), end="")
    for options in OPTIONS:
        run, _ = harness.profile(command, ("-q", *options))
        assert run.output == bare.output, \
            f"with {options} stdout is\n{run.output.decode(errors='replace')}"
        assert lines(run.errors) == lines(bare.errors), \
            f"with {options} stderr is\n{run.errors.decode(errors='replace')}"
        assert run.status == bare.status, f"with {options} status {run.status}, not {bare.status}"


main()
