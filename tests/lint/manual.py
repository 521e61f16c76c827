# SPDX-License-Identifier: MIT
"""The manual and --help name the same options, both ways.

Arguments: the man page's source, profrun.
"""

import re
import sys

import lint

OPTION = re.compile(r"(?<![\w-])(--?[a-zA-Z][a-z-]*)")


def options_of_help(profrun):
    """An entry of --help is an indented line whose first word is an option."""
    found = set()
    for line in lint.output(profrun, "--help").splitlines():
        match = re.match(r"\s+(-.*?)(\s{2,}|$)", line)
        if match:
            found.update(OPTION.findall(match.group(1)))
    return found


def options_of_manual(path):
    """An entry of the manual is a line that begins with an option in bold."""
    found = set()
    for line in lint.lines(path):
        if line.startswith("*-"):
            found.update(OPTION.findall(line))
    return found


def main():
    page, profrun = sys.argv[1:]
    told, written = options_of_help(profrun), options_of_manual(page)
    problems = [f"{page}: does not describe {name}" for name in sorted(told - written)]
    problems += [f"{page}: describes {name}, which --help does not name"
                 for name in sorted(written - told)]
    if not told:
        problems.append("--help names no option at all")
    lint.finish(problems)


main()
