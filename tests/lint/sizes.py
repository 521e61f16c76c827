# SPDX-License-Identifier: MIT
"""Files of one idea, functions that fit a screen, nesting that can be followed."""

import re

import lint

FILE_LINES = 500
FUNCTION_LINES = 60
NESTING = 3
COLUMNS = 100

LITERALS = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'')
CASE = re.compile(r"\s*(case\b.*|default):")


def functions(text):
    """(line number, lines) of every function body: it opens and closes in the first column."""
    start = None
    for number, line in enumerate(text, 1):
        if line == "{":
            start = number
        elif line == "}" and start:
            yield start, text[start:number - 1]
            start = None


def is_flat_switch(body):
    return 3 * sum(1 for line in body if CASE.match(line)) > len(body)


def nesting(body):
    depth = deepest = 0
    for line in body:
        for character in LITERALS.sub("", line):
            if character == "{":
                depth += 1
                deepest = max(deepest, depth)
            elif character == "}":
                depth -= 1
    return deepest


def check(path):
    text = lint.lines(path)
    if len(text) - 1 > FILE_LINES:
        yield f"{path}: {len(text) - 1} lines, the limit is {FILE_LINES}"
    for number, line in enumerate(text, 1):
        if len(line.expandtabs(8)) > COLUMNS:
            yield f"{path}:{number}: longer than {COLUMNS} columns"
    if not path.endswith(".c"):
        return
    for number, body in functions(text):
        if len(body) > FUNCTION_LINES and not is_flat_switch(body):
            yield f"{path}:{number}: {len(body)} lines, the limit is {FUNCTION_LINES}"
        if nesting(body) > NESTING:
            yield f"{path}:{number}: nested more than {NESTING} levels deep"


def main():
    lint.finish([problem for path in lint.files(".c", ".h", ".py") for problem in check(path)])


main()
