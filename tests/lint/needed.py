# SPDX-License-Identifier: MIT
"""What a binary may load: every library more is paid for at every launch.

Arguments: the binary, then the sonames (up to ".so") that it may need.
"""

import re
import sys

import lint


def main():
    binary, *may_need = sys.argv[1:]
    needed = re.findall(r"\(NEEDED\).*\[(.*)\]", lint.output("readelf", "-dW", binary))
    problems = [f"{binary} needs {name}" for name in needed
                if name.split(".so")[0] not in may_need]
    if not needed:
        problems.append(f"{binary} needs no library at all: is it a dynamic object?")
    lint.finish(problems)


main()
