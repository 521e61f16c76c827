# SPDX-License-Identifier: MIT
"""What a shared object shows to others: exactly the listed names, without versions.

Arguments: the object, "exactly" or "at-most", then the names. A version on an interposed symbol
would silently disable interposition, so that no version definition may exist.
"""

import sys

import lint


def main():
    shared_object, how, *names = sys.argv[1:]
    table = lint.output("nm", "-D", "--defined-only", shared_object)
    exported = {line.split()[-1] for line in table.splitlines()}
    problems = [f"exported: {name}" for name in sorted(exported - set(names))]
    if how == "exactly":
        problems += [f"not exported: {name}" for name in sorted(set(names) - exported)]
    if "(VERDEF)" in lint.output("readelf", "-dW", shared_object):
        problems.append("has version definitions; its version script must be anonymous")
    lint.finish([f"{shared_object}: {problem}" for problem in problems])


main()
