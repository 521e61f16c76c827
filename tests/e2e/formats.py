# SPDX-License-Identifier: MIT
"""Every format, opened by the readers that it is made for: the same totals, the same rows as the
text report has. Each subject runs once; its saved profile is reported in every format.

Arguments: the targets `one_thread` and `four_threads`, the C compiler.
"""

import base64
import collections
import csv
import html
import io
import json
import math
import os
import re
import shutil
import subprocess
import sys

import browser
import harness
import subjects

MORE = ["2", "3", "4", "5", "6"]  # the C program's time is as many times
WAYS = ([], ["--no-inlines"])


def profrun(*words, folder):
    run = harness.Run([harness.PROFRUN, *words], {"XDG_STATE_HOME": folder, "WORK": "0.2"},
                      cwd=folder)
    assert run.status == 0, f"{words}: {run.status} {run.errors.decode()}"
    return run.output


def read_by(*command, folder):
    return subprocess.run(command, check=True, capture_output=True, cwd=folder,
                          env={**os.environ, "HOME": folder}).stdout.decode("utf-8", "replace")


def table(folder, *options, saved=("saved",)):
    text = profrun("--csv", *options, "report", *saved, folder=folder).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def lines_of(way):
    """The options that make the rows of a format that knows lines."""
    return way or ["--by=line,function"]


def escaped(name, special="", kept=""):
    """As formats without quoting write it."""
    return "".join(f"\\x{ord(c):02X}" if (c < " " and c not in kept) or c == "\x7f" or c in special
                   else c for c in name)


def ticks_by(rows, *columns):
    """In thousandths."""
    sums = collections.Counter()
    for row in rows:
        sums[tuple(row[column] for column in columns)] += round(float(row["ticks"]) * 1000)
    return sums


def check_text(folder):
    """What people read is what the other formats are compared with."""
    for way in WAYS:
        text = profrun("-q", "--top=0", *lines_of(way), "report", "saved", folder=folder).decode()
        head, *lines = text.splitlines()
        seconds, first, last = (head.index(title) for title in ("CPU s", "object", "function"))
        sums, counts = collections.Counter(), collections.Counter()
        for line in lines:
            key = line[last:], line[first:last].strip()
            sums[key] += round(100 * float(line[:seconds + 5].split()[-1]))
            counts[key] += 1
        rows = ticks_by(table(folder, *lines_of(way)), "function", "object")
        expected = {tuple(part.replace("\t", r"\t").replace("\n", r"\n") for part in key): ticks
                    for key, ticks in rows.items()}
        assert sums.keys() == expected.keys(), (sums.keys() ^ expected.keys())
        assert all(abs(sums[key] - expected[key] / 1000) <= counts[key] / 2 for key in sums), \
            (sums, expected)


def check_tables(folder):
    """sqlite imports the CSV, jq reads the JSON: as many rows, and their sum."""
    rows = table(folder)
    whole = sum(ticks_by(rows, "function").values())
    if harness.has("sqlite3"):
        profrun("--csv", "-o", "rows.csv", "report", "saved", folder=folder)
        text = read_by("sqlite3", "-json", ":memory:", ".mode csv", ".import rows.csv rows",
                       ".mode json", "select function, ticks from rows", folder=folder)
        assert [(row["function"], row["ticks"]) for row in json.loads(text)] \
            == [(row["function"], row["ticks"]) for row in rows], text
    profrun("--json", "-o", "rows.json", "report", "saved", folder=folder)
    if harness.has("jq"):
        text = read_by("jq", "-c", "[(.rows|length), ([.rows[].ticks]|add)]", "rows.json",
                       folder=folder)
        assert json.loads(text) == [len(rows), whole / 1000], text
    with open(f"{folder}/rows.json", encoding="utf-8") as file:
        data = json.load(file)
    assert [row["function"] for row in data["rows"]] == [row["function"] for row in rows]
    assert data["run"]["ticks"] * 1000 == whole


def check_folded(folder):
    """The leaf has the ticks that its function has; stacks start with the object."""
    for way in WAYS:
        lines = profrun("--format=folded", *way, "report", "saved", folder=folder)
        sums = collections.Counter()
        for line in lines.decode().splitlines():
            stack, count = line.rsplit(" ", 1)
            parts = stack.split(";")
            sums[parts[-1], parts[0] if len(parts) > 1 else ""] += 1000 * int(count)
        expected = collections.Counter()
        for key, count in ticks_by(table(folder, *lines_of(way)), "function", "object").items():
            expected[tuple(escaped(part, ";") for part in key)] += count
        assert sum(sums.values()) == sum(expected.values()), (sums, expected)
        assert all(abs(sums[key] - expected[key]) < 1000 or expected[key] % 1000
                   for key in {*sums, *expected}), (way, sums - expected, expected - sums)


def check_callgrind(folder):
    """callgrind_annotate's self costs."""
    if not harness.has("callgrind_annotate"):
        return
    for way in WAYS:
        profrun("--format=callgrind", "-o", "callgrind", *way, "report", "saved", folder=folder)
        text = read_by("callgrind_annotate", "--threshold=100", "--auto=no", "callgrind",
                       folder=folder)
        found = re.findall(r"^ *([\d,]+) \([ \d.]+%\)  (.*)$", text, re.M)
        rows = table(folder, *lines_of(way))
        total = sum(ticks_by(rows, "function").values())
        nanos = [(int(cost.replace(",", "")), name) for cost, name in found]
        assert (total * 10000, "PROGRAM TOTALS") in nanos, text
        assert sum(cost for cost, _ in nanos) == 2 * total * 10000, text
        for (function, name), count in ticks_by(rows, "function", "object").items():
            mine = [cost for cost, shown in nanos
                    if re.search(":" + re.escape(escaped(function)) + r" \[[^]]*"
                                 + re.escape(name.strip("[]")) + r"\]+$", shown)]
            assert not name or sum(mine) == count * 10000, (function, name, mine, count)


def go_flat(text):
    """Milliseconds by function of a -top. A name can have line ends."""
    rows = re.split(r"^ *([\d.]+)(?:ms)? +[\d.]+% +[\d.]+% +[\d.]+(?:ms)? +[\d.]+%  ",
                    text.split("cum%\n")[1], flags=re.M)
    flat = collections.Counter()
    for milliseconds, name in zip(rows[1::2], rows[2::2]):
        flat[name.removesuffix("\n").replace(" (inline)", "")] += round(float(milliseconds))
    return +flat


def check_go(folder):
    """go tool pprof's top, peek and difference; it takes a divided bucket for the larger part."""
    if not harness.has("go"):
        return
    whole = sum(ticks_by(table(folder), "function").values())
    go = ["go", "tool", "pprof", "-unit=ms", "-symbolize=none"]
    for view in ("-top", "-peek=."):
        text = read_by(*go, view, "saved", folder=folder)
        assert re.search(rf"\b{whole // 100}ms\b", text), text
    for way in WAYS:
        options = ["-noinlines"] if way else []
        flat = go_flat(read_by(*go, "-top", "-nodefraction=0", "-nodecount=100000", *options,
                               "saved", folder=folder))
        assert sum(flat.values()) == whole // 100, flat
        rows = table(folder, *lines_of(way))
        divided = {row["function"] for row in rows if row["estimated"] == "1"}
        for (name,), count in ticks_by(rows, "function").items():
            shown = name.replace("\\xFF", "\ufffd")
            assert name in divided or flat[shown] == count / 100, (name, flat, count)
    text = read_by(*go, "-top", "-diff_base=saved", "saved", folder=folder)
    assert re.search(r"Showing nodes accounting for 0(?:ms)?,", text), text


def gprof(program, folder, *options):
    """Seconds by function, in gprof's order."""
    text = read_by("gprof", "-p", "-b", *options, program, "gmon.out", folder=folder)
    seconds = {}
    for line in text.splitlines():
        row = re.match(r" *[\d.]+ +[\d.]+ +([\d.]+) (?: *\d+ +[\d.]+ +[\d.]+)? *(\S.*)$", line)
        if row:
            seconds[row.group(2)] = seconds.get(row.group(2), 0) + float(row.group(1))
    return seconds


def check_gprof(program, folder):
    """The flat table of gprof has the program's rows."""
    if not harness.has("gprof"):
        return
    profrun("--format=gmon", "-o", "gmon.out", "--focus=" + os.path.basename(program), "report",
            "saved", folder=folder)
    rows = [row for row in table(folder, "--no-inlines")
            if row["object"] == os.path.basename(program)]
    shown = gprof(program, folder)
    assert rows, "the program has no rows"
    for (name,), count in ticks_by([row for row in rows if row["estimated"] == "0"],
                                   "function").items():
        if escaped(name) == name and "\\x" not in name:
            assert abs(shown.get(name, 0) - count / 1e5) < 0.006, (name, shown)
    total = sum(float(row["seconds"]) for row in rows)
    assert abs(total - sum(shown.values())) < 0.006 * (1 + len(shown)), (total, shown)


def compare_gprof(compiler, folder):
    """gprof's own profile of a -pg build, and ours of an ordinary one: the same order."""
    if not harness.has("gprof"):
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
    assert list(theirs)[:2] == list(ours)[:2] == ["odd", "even"], (theirs, ours)


def check_processes(folder):
    """Rows by process and thread have the ticks of stacks that start with these."""
    by = "--by=process,thread,function"
    rows = table(folder, by, "--no-inlines")
    assert len({row["process"] for row in rows}) > 2 and len({row["thread"] for row in rows}) > 4
    sums = collections.Counter()
    lines = profrun("--format=folded", by, "report", "saved", folder=folder).decode()
    for line in lines.splitlines():
        parts, count = line.rsplit(" ", 1)
        sums[tuple(parts.split(";")[:2])] += 1000 * int(count)
    expected = ticks_by(rows, "process", "thread")
    assert sums.keys() == expected.keys(), (sums, expected)
    assert all(abs(sums[key] - expected[key]) < 1000 for key in sums), (sums, expected)


def check_page(folder, saved):
    """Chromium shows the rows of all subjects in one page."""
    profrun("--format=html", "--top=0", "-o", "page.html", "report", *saved, folder=folder)
    text = browser.dump(f"file://{folder}/page.html", folder)
    assert text, "the browser fails at the page"
    body = re.search(r"<table class=\"rows\">.*?<tbody>(.*?)</table>", text, re.S).group(1)
    shown = collections.Counter()
    for row in body.split("</tr>")[:-1]:
        cells = re.findall(r"<td(.*?)>(.*?)</td>", row, re.S)
        title = re.search(r' title="(.*?)"', cells[-1][0], re.S)
        name = title.group(1) if title else re.sub(r"<.*?>", "", cells[-1][1]).strip()
        shown[html.unescape(name)] += float(cells[0][1].strip("~ %"))
    rows = table(folder, "--by=line,function", saved=saved)
    whole = sum(ticks_by(rows, "function").values())
    expected = {escaped(key[0], kept="\t"): 100 * ticks / whole
                for key, ticks in ticks_by(rows, "function").items()}
    assert shown.keys() == expected.keys(), shown.keys() ^ expected.keys()
    assert all(abs(shown[name] - expected[name]) < 1 for name in shown), (shown, expected)


def speedscope_rows(text):
    """The self times in the table of a page of speedscope's, without those that have none."""
    rows = re.findall(r"</div></div></td><td[^>]*>([\d,]+) \([^)]*\)<div.*?</span>(.*?)</td></tr>",
                      text, re.S)
    return {html.unescape(name): int(count.replace(",", "")) for count, name in rows
            if count != "0"}


def check_speedscope(folder, saved):
    """speedscope, as npm has it, imports the stacks of all subjects: its table of self times."""
    command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", folder, "speedscope"]
    if not shutil.which("npm") or subprocess.run(command, capture_output=True, check=False,
                                                 timeout=100).returncode != 0:
        print("left out: speedscope, which npm does not bring here")
        return
    profrun("--format=folded", "-o", "stacks.folded", "report", *saved, folder=folder)
    with open(f"{folder}/stacks.folded", "rb") as file:
        stacks = file.read()
    subjects.write(folder, "stacks.js", 'speedscope.loadFileFromBase64("stacks.folded", "'
                   + base64.b64encode(stacks).decode() + '")')
    expected = collections.Counter()
    for line in stacks.decode().splitlines():
        stack, count = line.rsplit(" ", 1)
        expected[stack.rsplit(";", 1)[-1]] += int(count)
    with browser.Page(f"file://{folder}/node_modules/speedscope/dist/release/index.html"
                      f"#localProfilePath={folder}/stacks.js&view=sandwich", folder,
                      "--window-size=1200,20000", "--enable-unsafe-swiftshader") as page:
        if not page.evaluate("!!document.createElement('canvas').getContext('webgl')"):
            print("left out: speedscope, which cannot draw in this browser")
            return
        text = page.wait(lambda text: speedscope_rows(text) == expected)
    shown = speedscope_rows(text)
    print(f"speedscope shows {sum(shown.values())} ticks of {sum(expected.values())}")
    assert shown == expected, (shown, expected)


def main():
    one_thread, four_threads, compiler = *map(os.path.abspath, sys.argv[1:3]), sys.argv[3:]
    with harness.scratch() as folder:
        made = subjects.make_all(folder, compiler, one_thread, four_threads)
        for name, command in made.items():
            profrun("-q", "-o", "/dev/null", "--threads", "--save=saved", *command, folder=folder)
            for check in (check_text, check_tables, check_folded, check_callgrind, check_go):
                check(folder)
            if name in ("c++", "rust"):
                check_gprof(command[0], folder)
            if name == "several":
                check_processes(folder)
            os.rename(f"{folder}/saved", f"{folder}/saved.{name}")
        os.symlink("saved.c", f"{folder}/saved")
        check_gprof("./program", folder)
        compare_gprof(compiler, folder)
        if not browser.works(folder):
            print("left out: pages, for which there is no browser that runs here")
            return
        saved = [f"saved.{name}" for name in made]
        check_page(folder, saved)
        check_speedscope(folder, saved)


main()
