#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""diff on real runs, by hand: pairs of runs of the same program, and of one whose function `half`
became 20 % slower, each of at least 4,000 ticks. At most 7 of 50 equal pairs may show any change,
and 49 of 50 slower ones must show that of `half`.

Usage: tests/long/diff.py BUILD [PAIRS]   (a folder that meson has built; ten minutes for 50)
"""

import json
import os
import subprocess
import sys
import tempfile

TICKS = 4000
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
#define FUNCTION(name, factor) \\
	static __attribute__((noinline)) unsigned long name(unsigned long turns) \\
	{ \\
		unsigned long x = turns; \\
		for (unsigned long i = 0; i < turns; i++) \\
			x = (x * factor) ^ (x >> 3); \\
		return x; \\
	}
FUNCTION(half, 31)
FUNCTION(quarter, 33)
FUNCTION(eighth, 35)
FUNCTION(rest, 37)
int main(int argc, char **argv)
{
	unsigned long turns = strtoul(argv[1], NULL, 10) / 8, more = strtoul(argv[2], NULL, 10);
	unsigned long x = (unsigned long)argc;

	x ^= half(turns * 4 * (100 + more) / 100);
	x ^= quarter(turns * 2) ^ eighth(turns) ^ rest(turns);
	printf("%lu\\n", x);
	return 0;
}
"""


class Bench:
    def __init__(self, build, folder):
        self.profrun, self.folder = os.path.join(os.path.abspath(build), "cli/profrun"), folder
        with open(f"{folder}/program.c", "w", encoding="ascii") as file:
            file.write(PROGRAM)
        subprocess.run(["cc", "-O2", "-g", "-o", "program", "program.c"], cwd=folder, check=True)
        self.turns = 3000000000

    def call(self, *words):
        return json.loads(subprocess.run([self.profrun, "--json", *words], cwd=self.folder,
                                         check=True, capture_output=True).stdout)

    def run(self, name, more=0):
        """The ticks of a run."""
        subprocess.run([self.profrun, "-q", "-o", "/dev/null", "--rate=1000", f"--save={name}",
                        "./program", str(self.turns), str(more)], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL)
        return self.call("report", name)["run"]["ticks"]

    def run_all(self):
        """An old run, an equal one and a slower one; the work grows until it makes the ticks."""
        while True:
            ticks = min(self.run("old"), self.run("new"), self.run("slow", more=20))
            if ticks >= TICKS:
                return ticks
            self.turns = int(self.turns * 1.05 * TICKS / ticks)

    def changes(self, old, new):
        """What changed, and whether it became slower."""
        return [(row["function"], row["change_seconds"] > 0)
                for row in self.call("diff", old, new)["rows"] if row["changed"]]


def main():
    pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    with tempfile.TemporaryDirectory(prefix="profrun-long-") as folder:
        bench = Bench(sys.argv[1], folder)
        flagged, found, least = 0, 0, []
        for pair in range(1, pairs + 1):
            least.append(bench.run_all())
            equal, slower = bench.changes("old", "new"), bench.changes("old", "slow")
            flagged += bool(equal)
            found += ("half", True) in slower
            print(f"{pair} pairs, at least {min(least)} ticks a run: {flagged} of equal runs show "
                  f"a change {equal or ''}, {found} of slower ones it {slower}", flush=True)
    assert flagged * 50 <= 7 * pairs and found * 50 >= 49 * pairs


main()
