# SPDX-License-Identifier: MIT
"""`annotate` shows where in a function the time went: lines, what was inlined, instructions.

Arguments: the compiler's command.
"""

import csv
import io
import json
import os
import subprocess
import sys

import harness

# "work" spends nearly all its time in what is inlined on line 12.
MAIN = """#include <stdio.h>
static inline __attribute__((always_inline)) unsigned step(unsigned x)
{
	for (int i = 0; i < 100; i++)
		x = x * 1664525 + 1013904223;
	return x;
}
static __attribute__((noinline)) unsigned work(unsigned n)
{
	unsigned x = 7;
	for (unsigned i = 0; i < n; i++)
		x ^= step(x);
	return x;
}
unsigned other(void);
int main(void)
{
	printf("%u\\n", work(2000000) + other());
}
"""
OTHER = """static __attribute__((noinline)) unsigned work(unsigned x)
{
	for (int i = 0; i < 50000000; i++)
		x = x * 1664525 + 1013904223;
	return x;
}
unsigned other(void)
{
	return work(3);
}
"""


def profrun(*words, folder, status=0):
    run = harness.Run([harness.PROFRUN, *words], {"XDG_STATE_HOME": folder}, cwd=folder)
    assert run.status == status, f"{words}: {run.status} {run.errors.decode()}"
    return run


def annotate(*words, folder):
    text = profrun("--csv", "annotate", *words, folder=folder).output.decode()
    return list(csv.DictReader(io.StringIO(text)))


def ticks(rows, **wanted):
    return sum(float(row["ticks"]) for row in rows
               if all(row[column] == value for column, value in wanted.items()))


def build(compiler, folder, *options):
    subprocess.run([*compiler, "-O2", *options, "main.c", "other.c", "-o", "program"], check=True,
                   cwd=folder)
    profrun("-q", "-o", "/dev/null", "./program", folder=folder)


def report(folder, *options):
    profrun("--csv", "-o", "report", *options, "report", folder=folder)
    return harness.Profile(f"{folder}/report")


def source(folder):
    """Each line's ticks are those of the report by line; all of them are the function's."""
    rows = annotate("main.c:work", folder=folder)
    lines = report(folder, "--by=line")
    inlined = sum(float(row["ticks"]) for row in lines.select(function="step"))
    assert abs(ticks(rows, line="12", inlined="step") - inlined) < 0.01, rows
    own = sum(float(row["ticks"]) for row in lines.select(function="work")
              if row["file"].endswith("main.c"))
    assert abs(ticks(rows, inlined="") - own) < 0.01, rows
    assert inlined > 10 * own, "the time is not where it is spent"
    assert {row["line"]: row["text"] for row in rows}["13"] == "\treturn x;"
    text = profrun("annotate", "main.c:work", folder=folder).output.decode()
    hot = [line for line in text.splitlines() if " > " in line]
    assert len(hot) == 1 and hot[0].endswith("x ^= step(x);"), text
    data = json.loads(profrun("--json", "annotate", "main.c:work", folder=folder).output)
    assert [row["ticks"] for row in data["rows"]] == [float(row["ticks"]) for row in rows]
    assert data["ticks"] == ticks(rows) and data["function"] == "work", data
    rows = annotate("step", folder=folder)
    assert abs(ticks(rows, line="4") + ticks(rows, line="5") - inlined) < 0.01, rows
    rows = profrun("--csv", "--no-inlines", "annotate", "main.c:work", folder=folder).output
    assert b",step," not in rows and b",12,," in rows, rows


def names(folder):
    """A name that several functions have lists them; what has no ticks is not there."""
    run = profrun("annotate", "work", folder=folder, status=125)
    assert b"'main.c:work'" in run.errors and b"'other.c:work'" in run.errors, run.errors
    run = profrun("annotate", "wor", folder=folder, status=125)
    assert b"'other.c:work'" in run.errors, run.errors
    run = profrun("annotate", "no_such_function", folder=folder, status=125)
    assert run.errors.count(b"\n") == 1 and b"no function" in run.errors, run.errors
    profrun("annotate", folder=folder, status=125)
    profrun("annotate", "work", "/etc/passwd", folder=folder, status=125)


def instructions(compiler, folder):
    """Without debug information the instructions have the ticks, none is lost."""
    build(compiler, folder)
    rows = annotate("work", folder=folder)
    whole = report(folder).ticks_of(function="work")
    assert abs(ticks(rows) - whole) < 0.01, (ticks(rows), whole)
    if not rows[0]["address"]:
        text = profrun("annotate", "work", folder=folder).output
        assert b"capstone" in text, text
        return
    addresses = [int(row["address"], 16) for row in rows]
    assert addresses == sorted(set(addresses)) and all(row["text"] for row in rows)


def main():
    compiler = sys.argv[1:]
    with harness.scratch() as folder:
        for name, text in (("main.c", MAIN), ("other.c", OTHER)):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write(text)
        build(compiler, folder, "-g")
        source(folder)
        names(folder)
        os.rename(f"{folder}/main.c", f"{folder}/gone.c")
        text = profrun("annotate", "main.c:work", folder=folder).output
        assert b"no source" in text and (b"instruction" in text or b"capstone" in text), text
        os.rename(f"{folder}/gone.c", f"{folder}/main.c")
        instructions(compiler, folder)


main()
