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

import binomial
import harness

# What is run, what must stand in the report, what makes the files that it needs, and options.
Program = collections.namedtuple("Program", "command expected prepare options")


class Expect:
    """Rows whose columns match all patterns make at least so many percent of the CPU time."""

    def __init__(self, percent, **patterns):
        self.percent, self.patterns = percent, patterns

    def matches(self, row):
        return all(re.fullmatch(pattern, row[column])
                   for column, pattern in self.patterns.items())


def program(*command, expect, prepare=None, options=("--rate=200",)):
    return Program(command, expect, prepare, options)


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
        "python3", "-c", "print(sum(i * i for i in range(10000000)))",
        expect=[Expect(60, object=r"python3.*|libpython.*"),
                Expect(15, function="_PyEval_EvalFrameDefault")]),
    "xz": program(
        "xz", "-6", "-k", "-c", "text", prepare=lambda folder: make_text(folder, 3000000),
        expect=[Expect(80, object=r"liblzma\.so.*")]),
    "sqlite3": program(
        "sqlite3", ":memory:",
        "with recursive c(x) as (select 1 union all select x + 1 from c where x < 3000000) "
        "select sum(x * x % 7) from c;",
        expect=[Expect(70, object=r"libsqlite3\.so.*|sqlite3")]),
    "gcc": program(
        "gcc", "-O2", "-c", "-o", "/dev/null", "source.c", prepare=make_c,
        options=("--rate=1000", "--by=process,object"),
        expect=[Expect(60, process=r"cc1 .*", object="cc1"),
                Expect(0.1, process=r".*as \(.*")]),
    "node": program(
        "node", "-e", JIT, expect=[Expect(50, object=r"\[anon\]|\[jit\]")]),
    "openssl": program(
        "openssl", "speed", "-seconds", "1", "-bytes", "16384", "sha256",
        expect=[Expect(80, object=r"libcrypto\.so.*")]),
    "perl": program(
        "perl", "-e", "my $s = 0; for my $i (1 .. 8000000) { $s += $i % 7 } print $s, chr 10;",
        expect=[Expect(70, object=r"perl|libperl\.so.*"),
                Expect(20, function=r"Perl_.*")]),
    "git": program(
        "git", "--no-pager", "log", "--stat", prepare=make_repository,
        expect=[Expect(20, object="git")]),
    "sh": program(
        "sh", "script.sh", prepare=make_script,
        expect=[Expect(20, object=r"dash|bash|sh"),
                Expect(90, object=r"dash|bash|sh|libc\.so\.6")]),
    "c++": program(
        "./cxx", prepare=make_cxx,
        expect=[Expect(80, object="cxx",
                       function=r"shop::Basket<unsigned long>::total\(unsigned long\)")]),
    "rust": program(
        "./rust", prepare=make_rust,
        expect=[Expect(80, object="rust", function=r"(rust|main)::shop::total")]),
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


def check_rows(report, expected):
    assert report.ticks >= 10, f"{report.ticks} ticks are no profile"
    for expect in expected:
        ticks = sum(float(row["ticks"]) for row in report.rows if expect.matches(row))
        share, least = ticks / report.ticks, expect.percent / 100
        print(f"{expect.patterns}: {100 * share:.1f} %")
        assert share >= least or binomial.plausible(share, report.effective(), least), \
            f"less than {expect.percent} %, which cannot be chance"


def check_sums(report):
    """Percentages and the running sum follow from the ticks; names are never empty."""
    running = 0.0
    for row in report.rows:
        running += float(row["ticks"])
        assert row["object"] or row["function"].startswith("["), row
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
        run, report = harness.profile(chosen.command, ("-q", *chosen.options),
                                      cwd=folder)
    for row in report.rows[:8]:
        print(row["ticks"], row["function"], row["object"])
    check_behaviour(name, bare, run)
    check_sums(report)
    check_rows(report, chosen.expected)


main()
