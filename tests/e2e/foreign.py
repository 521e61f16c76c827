# SPDX-License-Identifier: MIT
"""Programs that no preload can enter, profiled by the kernel's clock, and by ptrace where that is
refused: of each kind that can be built here one that spends three quarters of its time in `hot`.

Arguments: `kernel` or `ptrace`, the C compiler.
"""

import os
import subprocess
import sys

import binomial
import harness
import no_perf_events

RATES = {"kernel": 1000, "ptrace": 250}
# ptrace sees a program where it waits for a CPU more often than elsewhere.
BIASES = {"kernel": 0.0, "ptrace": 0.08}
C_PROGRAM = """
#define BURN(name, constant) __attribute__((noinline)) void name(unsigned long turns) {\\
        for (unsigned long x = constant, i = 0; i < turns; i++) {\\
            x = x * 1664525UL + constant; __asm__ volatile("" : : "r"(x)); } }
BURN(hot, 3)
BURN(warm, 5)
static void work(void) { for (int i = 0; i < 20; i++) { hot(15000000); warm(5000000); } }
#ifdef BARE
void _start(void) { work(); __asm__ volatile("syscall" : : "a"(60L), "D"(0L)); }
#else
int main(void) { work(); return 0; }
#endif
"""
GO_PROGRAM = """
package main

var sink uint64

//go:noinline
func hot(turns int) {
	for i := 0; i < turns; i++ { sink = sink*1664525 + 3 }
}

//go:noinline
func warm(turns int) {
	for i := 0; i < turns; i++ { sink = sink*1664525 + 5 }
}

func main() { for i := 0; i < 20; i++ { hot(6000000); warm(2000000) } }
"""


def build(folder, source, command):
    """The program's path, or None where it cannot be built."""
    program = os.path.join(folder, "program")
    if not harness.has(command[0]):
        return None
    with open(os.path.join(folder, source[0]), "w", encoding="ascii") as file:
        file.write(source[1])
    done = subprocess.run([*command, "-o", program, file.name], capture_output=True, check=False,
                          env={**os.environ, "HOME": folder, "GOFLAGS": "-mod=mod"})
    return program if done.returncode == 0 else None


def kinds(compiler):
    """Name, source, command, and what the functions are called (None: they have no names)."""
    c, go = ("program.c", C_PROGRAM), ("program.go", GO_PROGRAM)
    named = ("hot", "warm")
    optimised = [*compiler, "-O2"]
    yield "dynamic", c, optimised, named
    yield "static", c, [*optimised, "-static"], named
    yield "static-pie", c, [*optimised, "-static-pie"], named
    yield "stripped static", c, [*optimised, "-static", "-s"], None
    yield "no library at all", c, [*optimised, "-static", "-nostdlib", "-DBARE"], named
    yield "32-bit", c, [*optimised, "-m32"], named
    yield "musl", c, ["musl-gcc", "-O2"], named
    yield "static musl", c, ["musl-gcc", "-O2", "-static"], named
    yield "Go", go, ["go", "build"], ("main.hot", "main.warm")


def measure(program, source):
    """(Run, Profile) with the clock, or as --ticks=auto does it without."""
    options = (f"--rate={RATES[source]}", "--clones", "--top=0", "-v")
    if source == "ptrace":
        run, report = harness.profile([program], ("--ticks=auto", *options),
                                      preexec_fn=no_perf_events.refuse(1))
        assert b"--ticks=auto is ptrace here" in run.errors, run.errors.decode()
        assert b"EINTR" in run.errors, "the limit is not named"
        return run, report
    run, report = harness.profile([program], ("--ticks=kernel", *options))
    harness.skip_if_refused(run)
    return run, report


def check(name, program, functions, source):
    """Status as bare, the CPU time in ticks, the two functions' shares."""
    run, report = measure(program, source)
    assert run.status == 0, f"{name}: status {run.status}: {run.errors.decode()}"
    shares = [report.share(function=function) for function in functions or ()]
    print(f"{name}: {report.ticks:.0f} ticks, shares {shares}")
    assert b"not profiled" not in run.errors, f"{name}: {run.errors.decode()}"
    assert report.ticks > RATES[source] / 10, f"{name}: hardly any ticks: {run.errors.decode()}"
    if not functions:
        assert report.share(object="program") > 0.9, f"{name}: its object is not seen"
        return
    assert sum(shares) > 0.9, f"{name}: its functions are not seen: {report.rows}"
    hot, bias = shares[0] / sum(shares), BIASES[source]
    nearest = min(max(hot, 0.75 - bias), 0.75 + bias)
    assert binomial.plausible(hot, report.effective(), nearest), f"{name}: {hot:.3f} of it is hot"


def check_privileged(folder, compiler):
    """A program that changes its user: only a clock that does not belong to it goes on."""
    if os.getuid() != 0:
        print("set-id: only root can make such a program")
        return
    program = build(folder, ("program.c", C_PROGRAM), [*compiler, "-O2"])
    os.chown(program, 65534, 65534)
    os.chmod(program, 0o4755)
    check("set-id", program, ("hot", "warm"), "kernel")


def main():
    source, *compiler = sys.argv[1:]
    if source == "ptrace" and not no_perf_events.works():
        harness.skip("no seccomp filter can be installed here")
    for name, code, command, functions in kinds(compiler):
        if source == "ptrace" and name == "dynamic":
            continue
        with harness.scratch() as folder:
            program = build(folder, code, command)
            if program:
                check(name, program, functions, source)
            else:
                print(f"{name}: cannot be built here")
    if source == "ptrace":
        return
    with harness.scratch() as folder:
        os.chmod(folder, 0o755)
        check_privileged(folder, compiler)


main()
