# SPDX-License-Identifier: MIT
"""What the lint tests share: the project's files, and the way to report what was found."""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FOLDERS = ("cli", "libsample", "symbolize", "tests", "man")
TOP_FILES = ("README.md", "CONTRIBUTING.md", "bootstrap", "meson.build", "meson_options.txt",
             ".ci/run")
SKIPPED = 77


def files(*endings):
    """Paths relative to the root, sorted; only those that end so, when endings are given."""
    found = [name for name in TOP_FILES if os.path.exists(os.path.join(ROOT, name))]
    for folder in FOLDERS:
        for where, folders, names in os.walk(os.path.join(ROOT, folder)):
            folders[:] = [name for name in folders if name != "__pycache__"]
            found += [os.path.relpath(os.path.join(where, name), ROOT) for name in names]
    return sorted(name for name in found if not endings or name.endswith(endings))


def lines(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read().split("\n")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def finish(problems):
    """Ends the test: prints each problem on a line of its own, fails when there is one."""
    for problem in problems:
        print(problem)
    sys.exit(1 if problems else 0)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)
