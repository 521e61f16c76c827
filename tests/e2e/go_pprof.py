# SPDX-License-Identifier: MIT
"""go tool pprof and profrun tell the same of a profile, whoever of them wrote it.

Argument: the target `one_thread`.
"""

import collections
import csv
import io
import os
import re
import shutil
import subprocess
import sys

import harness

PROGRAM = """
package main

import (
	"fmt"
	"os"
	"runtime/pprof"
)

//go:noinline
func hot(n uint64) (x uint64) {
	for i := uint64(0); i < n; i++ {
		x = x*1664525 + 3
	}
	return
}

func main() {
	pprof.StartCPUProfile(os.Stdout)
	x := hot(400000000)
	for i := 0; i < 200000; i++ {
		x += uint64(len(fmt.Sprint(i)))
	}
	pprof.StopCPUProfile()
	fmt.Fprintln(os.Stderr, x)
}
"""


def run(*command, folder, **options):
    return subprocess.run(command, check=True, capture_output=True, cwd=folder,
                          env={**os.environ, "HOME": folder, "GO111MODULE": "off",
                               "XDG_STATE_HOME": folder, "WORK": "0.2"}, **options).stdout


def rows(*words, folder):
    text = run(harness.PROFRUN, "--csv", *words, folder=folder).decode()
    return list(csv.DictReader(io.StringIO(text)))


def go(*words, folder):
    return run("go", "tool", "pprof", "-unit=ms", "-symbolize=none", *words,
               folder=folder).decode()


def milliseconds(text):
    return float(text.removesuffix("ms")) if text.endswith("ms") else 0.0


def top(saved, folder):
    """Total, and flat milliseconds by function."""
    text = go("-top", "-nodefraction=0", saved, folder=folder)
    flat = collections.Counter()
    for line in text.split("cum%\n")[1].splitlines():
        words = line.split(None, 5)
        flat[words[5].replace(" (inline)", "")] += milliseconds(words[0])
    return milliseconds(re.search(r"of (\S+) total", text).group(1)), +flat


def same_top(saved, folder):
    total, flat = top(saved, folder)
    mine = collections.Counter()
    for row in rows("--by=line", "report", saved, folder=folder):
        mine[row["function"]] += round(1000 * float(row["seconds"]))
    assert mine == flat and sum(mine.values()) == total, (mine, flat)
    peek = go("-peek=.", saved, folder=folder)
    assert re.search(rf"\b{total:.0f}ms\b", peek), peek


def same_lines(function, saved, folder):
    """What -list shows of each line is what annotate does."""
    text = go(f"-list=^{function}$", saved, folder=folder)
    listed = {}
    for line in text.splitlines():
        match = re.match(r" *(\S+) +(\S+) +(\d+):", line)
        if match and milliseconds(match.group(1)):
            listed[match.group(3)] = milliseconds(match.group(1))
    mine = {row["line"]: round(1000 * float(row["seconds"]))
            for row in rows("annotate", function, saved, folder=folder)
            if row["inlined"] == "" and float(row["ticks"])}
    assert mine and mine == listed, (mine, listed)


def main():
    target = os.path.abspath(sys.argv[1])
    if not shutil.which("go"):
        harness.skip("go is not installed")
    with harness.scratch() as folder:
        with open(f"{folder}/main.go", "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        run("go", "build", "-o", "program", "main.go", folder=folder)
        with open(f"{folder}/go.pb.gz", "wb") as file:
            file.write(run("./program", folder=folder))
        run(harness.PROFRUN, "-q", "--save=own.pb.gz", target, folder=folder)
        same_top("go.pb.gz", folder)
        same_top("own.pb.gz", folder)
        same_lines("main.hot", "go.pb.gz", folder)
        same_lines("half", "own.pb.gz", folder)


main()
