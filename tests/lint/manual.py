# SPDX-License-Identifier: MIT
"""The manual and profrun name the same options, both ways, and each format and tick source.

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


def names_of(profrun, option):
    """What --format=help and its like list: a name at the beginning of each line."""
    return {line.split()[0] for line in lint.output(profrun, f"--{option}=help").splitlines()}


def described(path):
    """What the manual has an entry for: a line in bold alone."""
    return {line.strip().strip("*") for line in lint.lines(path)
            if re.fullmatch(r"\s*\*[a-z]+\*", line)}


def main():
    page, profrun = sys.argv[1:]
    told, written = options_of_help(profrun), options_of_manual(page)
    problems = [f"{page}: does not describe {name}" for name in sorted(told - written)]
    problems += [f"{page}: describes {name}, which --help does not name"
                 for name in sorted(written - told)]
    problems += [f"{page}: does not describe --{option}={name}"
                 for option in ("format", "ticks")
                 for name in sorted(names_of(profrun, option) - described(page))]
    if not told:
        problems.append("--help names no option at all")
    lint.finish(problems)


main()
