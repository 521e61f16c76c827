# SPDX-License-Identifier: MIT
"""Every format, opened by the readers that it is made for: the same totals, the same rows.

Arguments: the target `one_thread`, the C compiler.
"""

import collections
import csv
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys

import harness

# The name of a function that no format likes.
ODD = b'a,b "q";x\ty\nz\xff=1'
PROGRAM = """
#include <stdio.h>
static inline __attribute__((always_inline)) unsigned step(unsigned x)
{
	for (int i = 0; i < 100; i++)
		x = x * 1664525 + 1013904223;
	return x;
}
__attribute__((noinline)) unsigned odd(unsigned n)
{
	unsigned x = 7;
	for (unsigned i = 0; i < n; i++)
		x ^= step(x);
	return x;
}
__attribute__((noinline)) unsigned even(unsigned n)
{
	unsigned x = 9;
	for (unsigned i = 0; i < n; i++)
		x ^= step(x) + step(x + 1);
	return x;
}
int main(int argc, char **argv)
{
	unsigned times = argc;

	(void)argv;
	printf("%u\\n", odd(times * 1000000) + even(times * 300000));
	return 0;
}
"""
MORE = ["2", "3", "4", "5", "6"]  # its time is as many times


def profrun(*words, folder, status=0):
    run = harness.Run([harness.PROFRUN, *words], {"XDG_STATE_HOME": folder, "WORK": "0.2"},
                      cwd=folder)
    assert run.status == status, f"{words}: {run.status} {run.errors.decode()}"
    return run


def read_by(*command, folder):
    return subprocess.run(command, check=True, capture_output=True, cwd=folder,
                          env={**os.environ, "HOME": folder}).stdout.decode("utf-8", "replace")


def table(folder, *options):
    text = profrun("--csv", *options, "report", "saved", folder=folder).output.decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def escaped(name, special=""):
    """As formats without quoting write it."""
    return "".join(f"\\x{ord(c):02X}" if c < " " or c == "\x7f" or c in special else c
                   for c in name)


def ticks_by(rows, *columns):
    sums = collections.Counter()
    for row in rows:
        sums[tuple(row[column] for column in columns)] += round(float(row["ticks"]) * 1000)
    return sums


def check_folded(folder):
    """The leaf has the ticks that its function has; stacks start with the object."""
    for option in ("--inlines", "--no-inlines"):
        options = [option] if option == "--no-inlines" else []
        lines = profrun("--format=folded", *options, "report", "saved", folder=folder).output
        sums = collections.Counter()
        for line in lines.decode().splitlines():
            stack, count = line.rsplit(" ", 1)
            parts = stack.split(";")
            sums[parts[-1], parts[0] if len(parts) > 1 else ""] += round(1000 * float(count))
        expected = collections.Counter()
        for key, count in ticks_by(table(folder, "--by=line", *options), "function",
                                   "object").items():
            expected[tuple(escaped(part, ";") for part in key)] += count
        assert sums == expected, (option, sums - expected, expected - sums)


def check_callgrind(folder):
    """callgrind_annotate's self costs."""
    if not shutil.which("callgrind_annotate"):
        return
    for options in ([], ["--no-inlines"]):
        profrun("--format=callgrind", "-o", "callgrind", *options, "report", "saved",
                folder=folder)
        text = read_by("callgrind_annotate", "--threshold=100", "--auto=no", "callgrind",
                       folder=folder)
        found = re.findall(r"^ *([\d,]+) \([ \d.]+%\)  (.*)$", text, re.M)
        rows = table(folder, "--by=line", *options)
        total = sum(ticks_by(rows, "function").values())
        nanos = [(int(cost.replace(",", "")), name) for cost, name in found]
        assert (total * 10000, "PROGRAM TOTALS") in nanos, text
        assert sum(cost for cost, _ in nanos) == 2 * total * 10000, text
        for (function, name), count in ticks_by(rows, "function", "object").items():
            mine = [cost for cost, shown in nanos
                    if re.search(":" + re.escape(escaped(function)) + r" \[[^]]*"
                                 + re.escape(name.strip("[]")) + r"\]+$", shown)]
            assert not name or sum(mine) == count * 10000, (function, name, mine, count)


def check_tables(folder):
    """sqlite imports the CSV, jq reads the JSON: as many rows, and their sum."""
    rows = table(folder)
    whole = sum(ticks_by(rows, "function").values())
    if shutil.which("sqlite3"):
        profrun("--csv", "-o", "rows.csv", "report", "saved", folder=folder)
        text = read_by("sqlite3", ":memory:", ".mode csv", ".import rows.csv rows",
                       "select count(*), round(1000 * sum(ticks)) from rows", folder=folder)
        assert text.strip() == f"{len(rows)},{whole}.0", text
    profrun("--json", "-o", "rows.json", "report", "saved", folder=folder)
    if shutil.which("jq"):
        text = read_by("jq", "-c", "[(.rows|length), ([.rows[].ticks]|add)]", "rows.json",
                       folder=folder)
        assert json.loads(text) == [len(rows), whole / 1000], text
    with open(f"{folder}/rows.json", encoding="utf-8") as file:
        data = json.load(file)
    assert [row["function"] for row in data["rows"]] == [row["function"] for row in rows]
    assert data["run"]["ticks"] * 1000 == whole


def check_go(folder):
    """go tool pprof's top, peek, list and difference."""
    if not shutil.which("go"):
        return
    rows = table(folder, "--no-inlines")
    whole = sum(ticks_by(rows, "function").values())
    go = ["go", "tool", "pprof", "-unit=ms", "-symbolize=none"]
    for view in ("-top", "-peek=."):
        text = read_by(*go, view, "saved", folder=folder)
        assert re.search(rf"\b{whole // 100}ms\b", text), text
    flat = {}
    text = read_by(*go, "-top", "-nodefraction=0", "-nodecount=100000", "saved", folder=folder)
    for line in text.split("cum%\n")[1].splitlines():
        words = line.split(None, 5)
        if len(words) < 6 or not words[0].endswith("ms"):
            continue  # the rest of a name with a line end
        name = words[5].replace(" (inline)", "")
        flat[name] = flat.get(name, 0) + float(words[0].removesuffix("ms"))
    lines = ticks_by(table(folder, "--by=line"), "function")
    for (name,), count in lines.items():
        if count % 1000 == 0 and re.fullmatch(r"\w+", name):
            assert flat.get(name) == count / 100, (name, flat.get(name), count)
    text = read_by(*go, "-top", "-diff_base=saved", "saved", folder=folder)
    assert re.search(r"Showing nodes accounting for 0(?:ms)?,", text), text


def check_gprof(folder, program):
    """The flat table of gprof has the program's rows."""
    if not shutil.which("gprof"):
        return
    profrun("--format=gmon", "-o", "gmon.out", "report", "saved", folder=folder)
    rows = [row for row in table(folder, "--no-inlines")
            if row["object"] == os.path.basename(program) and row["estimated"] == "0"]
    shown = gprof(program, folder)
    for row in rows:
        name = row["function"]
        if re.fullmatch(r"\w+", name):
            assert abs(shown.get(name, 0) - float(row["seconds"])) < 0.006, (name, shown)
    assert max(rows, key=lambda row: float(row["ticks"]))["function"] == list(shown)[0]


def gprof(program, folder):
    """Seconds by function, in gprof's order."""
    text = read_by("gprof", "-p", "-b", "--no-demangle", program, "gmon.out", folder=folder)
    return {line.split()[-1]: float(line.split()[2])
            for line in text.splitlines() if re.match(r" *[\d.]+ +[\d.]+ +[\d.]+ ", line)}


def compare_gprof(compiler, folder):
    """gprof's own profile of a -pg build, and ours of an ordinary one: the same order."""
    if not shutil.which("gprof"):
        return
    subprocess.run([*compiler, "-O2", "-pg", "program.c", "-o", "with_pg"], check=True,
                   cwd=folder)
    subprocess.run(["./with_pg", *MORE], check=True, cwd=folder, stdout=subprocess.DEVNULL)
    theirs = gprof("with_pg", folder)
    subprocess.run([*compiler, "-O2", "program.c", "-o", "without"], check=True, cwd=folder)
    profrun("--format=gmon", "-o", "gmon.out", "-q", "./without", *MORE, folder=folder)
    ours = gprof("without", folder)
    share = [times["odd"] / (times["odd"] + times["even"]) for times in (theirs, ours)]
    count = [100 * sum(times.values()) for times in (theirs, ours)]
    margin = 5 * 0.48 * math.sqrt(1 / count[0] + 1 / count[1])  # five deviations
    print(f"odd has {share[0]:.3f} by gprof, {share[1]:.3f} by profrun, within {margin:.3f}")
    assert abs(share[0] - share[1]) < margin, (theirs, ours)


def build(compiler, folder):
    with open(f"{folder}/program.c", "w", encoding="utf-8") as file:
        file.write(PROGRAM)
    subprocess.run([*compiler, "-O2", "-g", "program.c", "-o", "plain"], check=True, cwd=folder)
    subprocess.run(["objcopy", b"--redefine-sym=odd=" + ODD, "plain", "program"], check=True,
                   cwd=folder)


def main():
    target, compiler = os.path.abspath(sys.argv[1]), sys.argv[2:]
    with harness.scratch() as folder:
        build(compiler, folder)
        shell = f"'{target}' & '{target}' & ./program; wait"
        python = "import json; [json.loads(json.dumps(list(range(99)))) for _ in range(5000)]"
        for command in (["./program"], [target], ["sh", "-c", shell], ["python3", "-c", python]):
            profrun("-q", "-o", "/dev/null", "--save=saved", *command, folder=folder)
            for check in (check_folded, check_callgrind, check_tables, check_go):
                check(folder)
        profrun("-q", "-o", "/dev/null", "--save=saved", target, folder=folder)
        check_gprof(folder, target)
        compare_gprof(compiler, folder)


main()
