# SPDX-License-Identifier: MIT
"""The code stands as clang-format 14 sets it; other versions set some of it differently."""

import re
import shutil
import subprocess

import lint

VERSION = 14


def find():
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if not shutil.which(name):
            continue
        match = re.search(r"version (\d+)", lint.output(name, "--version"))
        if match and int(match.group(1)) == VERSION:
            return name
    return lint.skip(f"no clang-format {VERSION}")


def main():
    sources = lint.files(".c", ".h")
    run = subprocess.run([find(), "--dry-run", "--Werror", *sources], cwd=lint.ROOT, check=False)
    lint.finish(["run clang-format -i on these files"] if run.returncode else [])


main()
