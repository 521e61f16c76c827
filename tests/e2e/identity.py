# SPDX-License-Identifier: MIT
"""Files that are removed, replaced or written over while they run, and paths that mean another file
to the program than to profrun: the names are those of what ran, or there are none and a line says
why; never those of the other build.

Arguments: the C compiler.
"""

import os
import shutil
import subprocess
import sys

import harness

BURN = """
__attribute__((noinline)) void NAME(void)
{
	for (unsigned long x = 3, i = 0; i < 200000000; i++) {
		x = x * 1664525UL + 3; __asm__ volatile("" : : "r"(x)); }
}
"""
# Runs a command, its second argument; then works, in a plugin (opened before) if there is one.
PROGRAM = """
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>
#ifdef LIBRARY
void LIBRARY(void);
#define NAME LIBRARY
#else
%s
#endif
int main(int argc, char **argv)
{
	void *plugin = argc > 2 ? dlopen(argv[2], RTLD_NOW) : 0;
	void (*work)(void) = plugin ? (void (*)(void))dlsym(plugin, argv[3]) : NAME;
	if (system(argv[1]) != 0)
		return 9;
	work();
	return 0;
}
""" % BURN
SAME_LENGTH = ("first_build", "other_build")


class Builder:
    """Builds in a folder of its own, two of everything."""

    def __init__(self, compiler, folder):
        self.compiler, self.folder = compiler, folder

    def build(self, source, name, *flags):
        path = os.path.join(self.folder, name)
        subprocess.run([*self.compiler, "-O2", "-fPIC", "-xc", "-", "-xnone", "-o", path, *flags],
                       input=source, text=True, check=True)
        return path

    def programs(self, *flags):
        return [self.build(PROGRAM, f"program_{name}", f"-DNAME={name}", *flags)
                for name in SAME_LENGTH]

    def libraries(self):
        return [self.build(BURN, f"lib_{name}.so", "-shared", f"-DNAME={name}", "-Wl,--build-id")
                for name in SAME_LENGTH]


def check(what, command, expected, wrapper=()):
    """Most time is in the function called so; None: in code without a name."""
    options = (f"--ticks={harness.TICKS}",)
    run, report = harness.profile([*wrapper, *command], options)
    assert run.status == 0, f"{what}: {run.status}: {run.errors.decode()}"
    top = report.rows[0]["function"]
    print(f"{what}: {top}")
    if expected:
        assert top == expected, f"{what}: {top} instead of {expected}: {run.errors.decode()}"
    else:
        assert top.startswith("["), f"{what}: {top} instead of no name"


def check_programs(builder):
    for kind in ("--build-id", "--build-id=none"):
        for what, command in (
                ("removed", "rm {0}"),
                ("replaced by a new file", "cp {1} {0}.new && mv {0}.new {0}"),
                ("removed, and another one made", "rm {0} && cp {1} {0}")):
            first, other = builder.programs(f"-Wl,{kind}")
            check(f"a program with {kind}, {what}", [first, command.format(first, other)],
                  SAME_LENGTH[0])


def check_library_written_over(builder):
    """The builds differ in nothing but names, and nothing is cut short in between, or the program
    would not survive."""
    first, other = builder.libraries()
    program = builder.build(PROGRAM, "with_library", f"-DLIBRARY={SAME_LENGTH[0]}", first)
    shutil.copy(first, first + ".saved")
    command = f"dd if={other} of={first} conv=notrunc status=none"
    check("a library that is not touched", [program, "true"], SAME_LENGTH[0])
    check("a library that is written over", [program, command], None)
    shutil.copy(first + ".saved", first)
    run = harness.Run([harness.PROFRUN, f"--ticks={harness.TICKS}", program, command])
    assert "is not the file that ran" in run.errors.decode(), run.errors.decode()


def map_files_lead_anywhere():
    with open("/proc/self/maps", encoding="ascii") as file:
        mapping = next(line for line in file if "/" in line).split()[0]
    start, end = (part.lstrip("0") for part in mapping.split("-"))
    try:
        with open(f"/proc/self/map_files/{start}-{end}", "rb"):
            return True
    except OSError:
        return False


def check_plugin(builder):
    expected = SAME_LENGTH[0] if map_files_lead_anywhere() else None
    for what, command in (("removed", "rm {0}"), ("replaced", "rm {0} && cp {1} {0}")):
        first, other = builder.libraries()
        program = builder.programs()[0]
        check(f"a plugin, {what}", [program, command.format(first, other), first,
                                    SAME_LENGTH[0]], expected)


def check_other_root(builder):
    """A library that another one is mounted over, in the program's own namespace."""
    first, other = builder.libraries()
    program = builder.programs()[0]
    wrapper = ["unshare", "--mount", "--map-root-user", "sh", "-c",
               f'mount --bind {other} {first} && exec "$@"', "sh"]
    if subprocess.run([*wrapper, "true"], capture_output=True, check=False).returncode != 0:
        print("not tested: a library mounted over, as unshare and mount are refused here")
        return
    check("a library that is mounted over", [program, "true", first, SAME_LENGTH[1]],
          SAME_LENGTH[1], wrapper=wrapper)


def main():
    with harness.scratch() as folder:
        builder = Builder(sys.argv[1:], folder)
        check_programs(builder)
        check_library_written_over(builder)
        check_plugin(builder)
        check_other_root(builder)


main()
