# SPDX-License-Identifier: MIT
"""Every file says what it is, none carries what somebody left behind."""

import re

import lint

LEFT_BEHIND = re.compile(r"\b(TO" + r"DO|FIX" + r"ME|XX" + r"X|HA" + r"CK)\b")
CODE_IN_COMMENT = re.compile(r"^\s*//|^\s*(/\*|\*)?\s*[\w>.*-]+(\(.*\)| = .*);\s*(\*/)?$")
COMMENT_LINE = re.compile(r"^\s*(//|/\*|\* )")
ENDINGS = (".c", ".h", ".py", ".sh", ".build", ".txt", ".md", ".scd", "bootstrap", ".ci/run")


def check_opening(path, text):
    """C files open with the licence and a comment; contracts stand there."""
    if path.endswith((".c", ".h")):
        if text[0] != "/* SPDX-License-Identifier: MIT */":
            yield f"{path}:1: no SPDX line"
        if len(text) < 2 or not text[1].startswith("/*"):
            yield f"{path}:2: does not say what the file is"
    if path.endswith((".py", ".sh", "bootstrap", ".ci/run")):
        if "# SPDX-License-Identifier: MIT" not in text[:2]:
            yield f"{path}:1: no SPDX line"
    if path.endswith(".h") and "#pragma once" not in text:
        yield f"{path}: no #pragma once"


def check_lines(path, text):
    for number, line in enumerate(text, 1):
        if line != line.rstrip():
            yield f"{path}:{number}: blanks at the end"
        if LEFT_BEHIND.search(line):
            yield f"{path}:{number}: left behind: {line.strip()}"
        if (path.endswith((".c", ".h")) and COMMENT_LINE.match(line)
                and CODE_IN_COMMENT.match(line)):
            yield f"{path}:{number}: code in a comment: {line.strip()}"
    if text[-1] != "" or text[-2:] == ["", ""]:
        yield f"{path}: does not end in one newline"


def main():
    problems = []
    for path in lint.files(*ENDINGS):
        text = lint.lines(path)
        if text == [""]:
            continue
        problems += check_opening(path, text)
        problems += check_lines(path, text)
    lint.finish(problems)


main()
