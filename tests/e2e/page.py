# SPDX-License-Identifier: MIT
"""The format html: a small page that shows the rows without scripts, lets nothing of the program be
markup, loads nothing, and in a browser sorts, searches and draws.

Arguments: the C compiler.
"""

import csv
import html.parser
import io
import json
import os
import re
import subprocess
import sys

import browser
import harness

NAME = '</script><b onload="x">&amp;\'"'
PROGRAM = """
#include <stdio.h>
static inline __attribute__((always_inline)) unsigned step(unsigned x)
{
	for (int i = 0; i < 100; i++) /* <b>&amp; */
		x = x * 1664525 + 1013904223;
	return x;
}
__attribute__((noinline)) unsigned odd(unsigned n)
{
	unsigned x = 7;
	for (unsigned i = 0; i < n; i++)
		x ^= x * 3 + i, x ^= x >> (x & 7);
	return x;
}
int main(void)
{
	unsigned x = odd(20000000);
	for (unsigned i = 0; i < 1000000; i++)
		x ^= step(x);
	printf("%u\\n", x);
	return 0;
}
"""
# What a user does, and what must come of it, told in the page's title.
SCRIPT = """<script>
const names = () => [...document.querySelectorAll(".rows tbody tr:not([hidden])")]
	.map((row) => row.cells[row.cells.length - 1].textContent.trim());
const before = names(), heads = [...document.querySelectorAll(".rows th button")];
heads[heads.length - 1].click();
const sorted = names();
const search = document.querySelector("input[type=search]");
const press = (key, target) => target.dispatchEvent(
	new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
press("/", document.body);
const focused = document.activeElement === search;
search.value = "step";
search.dispatchEvent(new Event("input"));
const found = names();
const dim = [...document.querySelectorAll(".icicle button")].map((box) =>
	[box.title.split("\\n")[0], box.classList.contains("dim")]);
press("Escape", search);
const again = names();
const boxes = [...document.querySelectorAll(".icicle button")];
const wide = boxes.length;
boxes.find((box) => box.title.startsWith("step")).click();
const crumbs = document.querySelector(".crumbs"), zoomed = crumbs.textContent;
press("Escape", document.querySelector(".icicle button"));
const all = crumbs.textContent;
/* From the first box the arrows lead to all others. */
const way = ["Down", "Down", "Up", "Right", "Left", "Up"].map((key) => {
	press(`Arrow${key}`, document.activeElement);
	return document.activeElement.title.split("\\n")[0];
});
/* A link opens the source that it leads to. */
const link = document.querySelector("td a");
const source = document.querySelector(link.getAttribute("href"));
source.open = false;
link.click();
const opened = source.open;
/* All that a click does can be reached by Tab. */
const reached = [...document.querySelectorAll("button")].filter((part) => part.tabIndex >= 0);
const ground = getComputedStyle(document.body).backgroundColor;
document.title = JSON.stringify({before, sorted, focused, found, again, wide, zoomed, all,
	reached: reached.length, heads: heads.length, ground, dim, way, opened});
</script>"""


class Page(html.parser.HTMLParser):
    """The cells of the table, and which elements there are."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.tags, self.text, self.row = [], set(), None, None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        assert not any(name in ("src", "onload") or name == "href" and not value.startswith("#")
                       for name, value in attrs), (tag, attrs)
        if tag == "table":
            self.row = dict(attrs).get("class") == "rows"
        if tag == "tr" and self.row:
            self.rows.append([])
        if tag == "td" and self.row:
            self.rows[-1].append("")

    def handle_data(self, data):
        if self.row and self.rows and self.rows[-1]:
            self.rows[-1][-1] += data

    def handle_endtag(self, tag):
        if tag == "table":
            self.row = None


def profrun(*words, folder):
    run = harness.Run([harness.PROFRUN, *words], {"XDG_STATE_HOME": folder}, cwd=folder)
    assert run.status == 0, f"{words}: {run.status} {run.errors.decode()}"
    return run.output


def use(folder, *options):
    """What a user's doings bring, None where the browser itself fails."""
    text = browser.dump(f"file://{folder}/used.html", folder, *options)
    if text is None and not browser.works(folder):
        return None
    assert text is not None, "the browser fails at the page"
    return json.loads(html.unescape(re.search("<title>(.*?)</title>", text, re.S).group(1)))


def in_browser(folder):
    """The page after what a user does, in a real browser; by mouse and by keys, light and dark."""
    with open(f"{folder}/page.html", encoding="utf-8") as file:
        text = file.read()
    with open(f"{folder}/used.html", "w", encoding="utf-8") as file:
        file.write(text + SCRIPT)
    seen, dark = use(folder), use(folder, "--blink-settings=preferredColorScheme=0")
    if not seen or not dark:
        print("the browser does not run here; what it would show is not checked")
        return
    assert len(seen["before"]) > 1 and seen["before"][0] != seen["sorted"][0], seen
    assert sorted(map(str.lower, seen["before"])) == list(map(str.lower, seen["sorted"])), seen
    assert seen["found"] == ["step"] and seen["wide"] > 5, seen
    assert "step" in seen["zoomed"] and "main" in seen["zoomed"], seen
    assert seen["focused"] and seen["again"] == seen["sorted"], seen
    assert seen["all"].startswith("everything") and seen["reached"] > seen["heads"], seen
    assert ["step", False] in seen["dim"] and ["odd", True] not in seen["dim"], seen
    assert {dim for name, dim in seen["dim"] if name == NAME} == {True}, seen
    assert seen["way"][1] == f"{os.path.realpath(folder)}/program.c", seen
    assert seen["way"][0] == seen["way"][2] == "program", seen
    assert seen["way"][-1] == "everything" and seen["opened"], seen
    assert seen["ground"] == "rgb(255, 255, 255)" != dark["ground"], (seen, dark)


def long_function(compiler, folder):
    """Of a function of thousands of lines, all with ticks, those are shown that have most."""
    with open(f"{folder}/long.c", "w", encoding="ascii") as file:
        file.write("int main(int argc, char **argv)\n{\n(void)argv;\nunsigned x = argc;\n"
                   "for (int i = 0; i < 40000; i++) {\n")
        for i in range(2000):
            file.write(f"x = x * {2 * i + 3} + (x >> 3);\n" )
        file.write("}\nreturn x == 1;\n}\n")
    subprocess.run([*compiler, "-O1", "-g", "long.c", "-o", "long"], check=True, cwd=folder)
    profrun("-q", "--rate=5000", "--format=html", "-o", "long.html", "./long", folder=folder)
    with open(f"{folder}/long.html", encoding="utf-8") as file:
        text = file.read()
    shown = len(re.findall("<tr><td class=n>|<tr style=", text))
    print(f"{shown} lines shown in {len(text)} bytes")
    assert 300 < shown < 2500 and len(text) < 300000, (shown, len(text))


def main():
    compiler = sys.argv[1:]
    with harness.scratch() as folder:
        with open(f"{folder}/program.c", "w", encoding="utf-8") as file:
            file.write(PROGRAM)
        subprocess.run([*compiler, "-O2", "-g", "program.c", "-o", "plain"], check=True,
                       cwd=folder)
        subprocess.run(["objcopy", f"--redefine-sym=odd={NAME}", "plain", "program"],
                       check=True, cwd=folder)
        profrun("-q", "-o", "/dev/null", "./program", folder=folder)
        profrun("-q", "--format=html", "-o", "page.html", "report", folder=folder)
        with open(f"{folder}/page.html", encoding="utf-8") as file:
            text = file.read()
        assert len(text) < 300000 and "http://" not in text and "https://" not in text, len(text)
        page = Page(text)
        lines = csv.DictReader(io.StringIO(
            profrun("--csv", "--by=line", "report", folder=folder).decode()))
        ticks = {}
        for row in lines:
            key = row["function"], row["object"]
            ticks[key] = ticks.get(key, 0) + float(row["percent"])
        shown = {(row[-1].strip(), row[-2]): float(row[0].strip("~ %")) for row in page.rows[1:]}
        assert shown.keys() == ticks.keys() and any(name == NAME for name, _ in shown), shown
        assert all(abs(shown[key] - ticks[key]) < 0.06 for key in ticks), (shown, ticks)
        assert "/* &lt;b&gt;&amp;amp; */" in text, "source is not escaped"
        long_function(compiler, folder)
        if harness.has("chromium"):
            in_browser(folder)


main()
