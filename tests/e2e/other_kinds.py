# SPDX-License-Identifier: MIT
"""Programs that are linked in other ways run as bare, whoever starts them, and what can be profiled
of them is: 32-bit ones, static ones, those of musl, and those of the sanitizers.

Arguments: the source and the program of the target `start`, the C compiler.
"""

import os
import subprocess
import sys

import harness

SOURCE, START, *CC = sys.argv[1:]

SPIN = r"""
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile int handled;
static void handle(int signal) { handled += signal == SIGUSR1; }

__attribute__((noinline)) void spin_here(void)
{
	for (volatile long i = 0; i < 100000; i++)
		;
}

static void *work(void *none)
{
	while (clock() < CLOCKS_PER_SEC / 12)
		spin_here();
	free(malloc(10));
	return none;
}

int main(void)
{
	pthread_t threads[2];

	signal(SIGUSR1, handle);
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, work, NULL);
	raise(SIGUSR1);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	printf("handled %d\n", handled);
	return 7;
}
"""

# How it is linked -> the command, and whether the preload can enter it.
KINDS = {
    "32-bit": (["cc", "-m32"], False),
    "static": ([*CC, "-static"], False),
    "musl": (["musl-gcc"], False),
    "gcc's ASan": (["gcc", "-fsanitize=address"], True),
    "gcc's TSan": (["gcc", "-fsanitize=thread"], True),
    "gcc's UBSan": (["gcc", "-fsanitize=undefined"], True),
    "clang's ASan": (["clang", "-fsanitize=address"], True),
    "clang's ASan, shared": (["clang", "-fsanitize=address", "-shared-libasan"], True),
    "clang's TSan": (["clang", "-fsanitize=thread"], True),
}
WAYS = ("exec", "system", "popen", "posix_spawn", "vfork")


def build(folder, name, command, text):
    """The program's path, or None where it cannot be built and run."""
    path = os.path.join(folder, name)
    if not harness.has(command[0]):
        return None
    done = subprocess.run([*command, "-w", "-O1", "-pthread", "-x", "c", "-", "-o", path],
                          input=text.encode(), capture_output=True, check=False)
    return path if done.returncode == 0 else None


def runtime_folder():
    """Where clang has the runtimes that it does not put into the program."""
    if not harness.has("clang"):
        return ""
    machine = os.uname().machine
    return os.path.dirname(subprocess.run(
        ["clang", f"-print-file-name=libclang_rt.asan-{machine}.so"], capture_output=True,
        check=False).stdout.decode())


def check(command, kind, entered):
    bare = harness.Run(command)
    assert bare.status == 7, f"{command}: {bare.status} {bare.errors.decode()}"
    run, report = harness.profile(command, ("-q", "--ticks=timer"))
    own = b"".join(line for line in run.errors.splitlines(True) if line.startswith(b"profrun: "))
    assert run.errors.replace(own, b"") == bare.errors, f"{command}: {run.errors.decode()}"
    assert (run.status, run.output) == (bare.status, bare.output), f"{command}: {run.status}"
    ticks = report.ticks_of(object=os.path.basename(command[-1]))
    assert entered == (ticks > 0), f"{command}: {ticks} ticks in a program of {kind}"


def main():
    os.environ["LD_LIBRARY_PATH"] = runtime_folder()
    with harness.scratch() as folder:
        with open(SOURCE, encoding="ascii") as file:
            static_start = build(folder, "start", [*CC, "-D_GNU_SOURCE", "-static"], file.read())
        starts = [[os.path.abspath(START), way] for way in WAYS]
        starts += [[static_start, "exec"]] if static_start else []
        for number, (kind, (command, entered)) in enumerate(KINDS.items()):
            program = build(folder, f"kind{number}", command, SPIN)
            if not program or harness.Run([program]).status != 7:
                print(f"{kind}: cannot be built or run here")
                continue
            check([program], kind, entered)
            for start in starts:
                check([*start, program], kind, entered)
            print(f"{kind}: as bare")


main()
