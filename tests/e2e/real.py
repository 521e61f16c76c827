# SPDX-License-Identifier: MIT
"""Real programs under profrun: they behave as without it, and the right rows are there.

Argument: the program's name in PROGRAMS.
"""

import collections
import os
import re
import shutil
import subprocess
import sys

import harness

# What is run, and which rows must stand in the report: patterns of function and object, and the
# percentage that rows which match both make at least.
Program = collections.namedtuple("Program", "command rows prepare options")
Row = collections.namedtuple("Row", "function object percent")


def program(*command, rows, prepare=None, options=()):
    return Program(command, [Row(*row) for row in rows], prepare, options)


def make_text(folder, size):
    """Text that is neither trivial nor impossible to compress."""
    words = [f"{(i * 2654435761) % 65521:x}" for i in range(size // 6)]
    with open(os.path.join(folder, "text"), "w", encoding="ascii") as file:
        file.write("\n".join(words))


def make_c(folder):
    with open(os.path.join(folder, "source.c"), "w", encoding="ascii") as file:
        for i in range(300):
            file.write(f"int f{i}(int x, int *p)\n{{\n\tint sum = {i};\n"
                       f"\tfor (int i = 0; i < x; i++)\n\t\tsum += p[i] * {i} + (p[i] >> 3);\n"
                       "\treturn sum;\n}\n")


def make_repository(folder):
    def git(*arguments):
        subprocess.run(["git", "-C", folder, "-c", "user.name=t", "-c", "user.email=t@example.org",
                        *arguments], check=True, capture_output=True)

    git("init", "-q")
    for i in range(40):
        with open(os.path.join(folder, "file"), "w", encoding="ascii") as file:
            file.writelines(f"line {j * (i + 1) % 7919}\n" for j in range(4000))
        git("add", "file")
        git("commit", "-qm", f"change {i}")


def make_cxx(folder):
    with open(os.path.join(folder, "main.cc"), "w", encoding="ascii") as file:
        file.write("""
#include <cstdio>
#include <string>
namespace shop {
template <typename T> struct Basket {
    __attribute__((noinline)) T total(T n) {
        T sum = 1;
        for (T i = 0; i < n; i++) {
            sum = sum * 31 + i;
            asm volatile("" : "+r"(sum));
        }
        return sum;
    }
};
}
int main() { shop::Basket<unsigned long> b; std::printf("%lu\\n", b.total(600000000)); }
""")
    subprocess.run(["g++", "-O2", "-o", "cxx", "main.cc"], cwd=folder, check=True)


def make_rust(folder):
    with open(os.path.join(folder, "main.rs"), "w", encoding="ascii") as file:
        file.write("""
mod shop {
    #[inline(never)]
    pub fn total(n: u64) -> u64 {
        let mut sum: u64 = 1;
        for i in 0..n { sum = unsafe { std::ptr::read_volatile(&sum) }.wrapping_mul(31) ^ i; }
        sum
    }
}
fn main() { println!("{}", shop::total(200000000)); }
""")
    subprocess.run(["rustc", "-O", "-o", "rust", "main.rs"], cwd=folder, check=True,
                   capture_output=True)


def make_script(folder):
    with open(os.path.join(folder, "script.sh"), "w", encoding="ascii") as file:
        file.write("i=0\nwhile [ $i -lt 300000 ]; do i=$((i + 1)); done\n"
                   "echo $i; echo done >&2; exit 3\n")


JIT = """
function f(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 1000003; return s; }
console.log(f(2e8));
"""

PROGRAMS = {
    "python3": program(
        "python3", "-c", "print(sum(i * i for i in range(5000000)))",
        rows=[(r"_PyEval_EvalFrameDefault|gen_.*|long_.*", r"python3.*|libpython.*", 40)]),
    "xz": program(
        "xz", "-6", "-k", "-c", "text", prepare=lambda folder: make_text(folder, 3000000),
        rows=[(r".*", r"liblzma\.so.*", 80)]),
    "sqlite3": program(
        "sqlite3", ":memory:",
        "with recursive c(x) as (select 1 union all select x + 1 from c where x < 3000000) "
        "select sum(x * x % 7) from c;",
        rows=[(r"sqlite3.*|\[libsqlite3.*", r"libsqlite3\.so.*|sqlite3", 70)]),
    "gcc": program(
        "gcc", "-O2", "-c", "-o", "/dev/null", "source.c", prepare=make_c,
        rows=[(r".*", r"cc1", 50), (r".*", r"as", 0.5)]),
    "node": program(
        "node", "-e", JIT, rows=[(r"\[anon\]|\[jit\]|.*", r"\[anon\]|\[jit\]", 50)]),
    "openssl": program(
        "openssl", "speed", "-seconds", "1", "-bytes", "16384", "sha256",
        rows=[(r".*", r"libcrypto\.so.*", 80)]),
    "perl": program(
        "perl", "-e", "my $s = 0; for my $i (1 .. 8000000) { $s += $i % 7 } print $s, chr 10;",
        rows=[(r"Perl_.*|\[.*", r"perl|libperl\.so.*", 70)]),
    "git": program(
        "git", "--no-pager", "log", "--stat", prepare=make_repository,
        rows=[(r".*", r"git", 20)]),
    "sh": program(
        "sh", "script.sh", prepare=make_script,
        rows=[(r".*", r"dash|bash|sh", 50)]),
    "c++": program(
        "./cxx", prepare=make_cxx,
        rows=[(r"shop::Basket<unsigned long>::total\(unsigned long\)", r"cxx", 80)]),
    "rust": program(
        "./rust", prepare=make_rust, rows=[(r"rust::shop::total|main::shop::total", r"rust", 80)]),
}

# Compilers that make a program, and programs whose output has times in it.
NEEDS = {"c++": "g++", "rust": "rustc"}
TIMES_ITSELF = ("openssl",)


def check_behaviour(name, bare, run):
    assert run.status == bare.status, f"status {run.status}, bare {bare.status}"
    if name in TIMES_ITSELF:
        return
    assert run.output == bare.output, "stdout is not that of the bare run"
    assert run.errors == bare.errors, f"stderr is not that of the bare run: {run.errors.decode()}"


def check_rows(report, rows):
    assert report.ticks >= 10, f"{report.ticks} ticks are no profile"
    for row in rows:
        ticks = sum(float(line["ticks"]) for line in report.rows
                    if re.fullmatch(row.function, line["function"])
                    and re.fullmatch(row.object, line["object"]))
        percent = 100 * ticks / report.ticks
        print(f"{row.function} in {row.object}: {percent:.1f} %")
        assert percent >= row.percent, f"less than {row.percent} %"


def check_sums(report):
    """Percentages and the running sum follow from the ticks; names are never empty."""
    running = 0.0
    for row in report.rows:
        running += float(row["ticks"])
        assert row["function"] and row["object"] or row["function"].startswith("["), row
        assert abs(float(row["percent"]) - 100 * float(row["ticks"]) / report.ticks) < 0.001, row
        assert abs(float(row["cumulative_percent"]) - 100 * running / report.ticks) < 0.001, row
    assert report.thousandths % 1000 == 0, "the ticks do not add up to a whole number"


def main():
    name = sys.argv[1]
    chosen = PROGRAMS[name]
    needed = NEEDS.get(name, chosen.command[0])
    if not shutil.which(needed):
        harness.skip(f"no {needed} here")
    with harness.scratch() as folder:
        if chosen.prepare:
            chosen.prepare(folder)
        bare = harness.Run(chosen.command, cwd=folder)
        run, report = harness.profile(chosen.command, ("-q", "--rate=200", *chosen.options),
                                      cwd=folder)
    for row in report.rows[:8]:
        print(row["ticks"], row["function"], row["object"])
    check_behaviour(name, bare, run)
    check_sums(report)
    check_rows(report, chosen.rows)


main()
