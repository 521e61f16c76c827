# SPDX-License-Identifier: MIT
"""Each header compiles alone; what is installed does so in C++ too.

Arguments: the folder of generated headers, then the C compiler; after "--", the C++ compiler.
"""

import os
import subprocess
import sys

import lint

INSTALLED = ("libsample/profil.h",)


def compiles(compiler, language, standard, header, generated):
    command = [*compiler, "-fsyntax-only", "-Wall", "-Wextra", "-Wno-unused-function", "-Werror",
               f"-std={standard}", "-D_GNU_SOURCE", "-I", lint.ROOT, "-I", generated,
               "-include", header, "-x", language, "/dev/null"]
    return subprocess.run(command, cwd=lint.ROOT, check=False).returncode == 0


def main():
    generated, *compilers = sys.argv[1:]
    split = compilers.index("--")
    c, cxx = compilers[:split], compilers[split + 1:]
    problems = []
    for header in lint.files(".h"):
        if not compiles(c, "c", "gnu17", header, generated):
            problems.append(f"{header}: does not compile alone")
    for header in INSTALLED:
        if not os.path.exists(os.path.join(lint.ROOT, header)):
            problems.append(f"{header}: missing")
        elif cxx and not compiles(cxx, "c++", "c++11", header, generated):
            problems.append(f"{header}: does not compile alone in C++")
    lint.finish(problems)


main()
