# SPDX-License-Identifier: MIT
"""What a shared object has the dynamic linker look up: names that belong to the C library alone.

Argument: the object. A program's own function comes first, whatever it does; names that begin with
an underscore are not the program's to define.
"""

import sys

import lint


def main():
    shared_object, = sys.argv[1:]
    table = lint.output("nm", "-D", "--undefined-only", "--without-symbol-versions", shared_object)
    names = [line.split()[-1] for line in table.splitlines()]
    assert names, f"{shared_object} looks up nothing at all"
    # The linker names what lies in one place with what is looked up.
    lint.finish([f"{shared_object} looks up {name}" for name in names
                 if not name.startswith("_") and name != "environ"])


main()
