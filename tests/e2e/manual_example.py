# SPDX-License-Identifier: MIT
"""The example of profil(3) compiles without a warning and counts what its loop does.

Arguments: the page's source, libsample.so, then the C compiler.
"""

import os
import re
import sys

import harness

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def example(page):
    with open(page, encoding="utf-8") as file:
        text = re.search(r"^```\n(.*?)^```", file.read(), re.DOTALL | re.MULTILINE).group(1)
    return text.replace("\\\\", "\\")


def main():
    page, library, *compiler = sys.argv[1:]
    library = os.path.abspath(library)
    with harness.scratch() as folder:
        source, program = os.path.join(folder, "example.c"), os.path.join(folder, "example")
        with open(source, "w", encoding="utf-8") as file:
            file.write(example(page))
        build = harness.Run([*compiler, "-O2", "-Wall", "-Wextra", "-Werror", "-I",
                             os.path.join(ROOT, "libsample"), "-o", program, source, library,
                             f"-Wl,-rpath,{os.path.dirname(library)}"])
        assert build.status == 0, build.errors.decode()
        run = harness.Run([program])
    print(run.output.decode())
    assert run.status == 0, f"status {run.status}"
    counts = re.findall(r"^0x[0-9a-f]+ (\d+)$", run.output.decode(), re.MULTILINE)
    assert sum(map(int, counts)) >= 10, "a loop of half a second has fewer than 10 ticks"


main()
