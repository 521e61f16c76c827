# SPDX-License-Identifier: MIT
"""Where perf_event_open is refused, --ticks=kernel falls back to the target's own timers and says
so; a program that these cannot serve runs all the same, with the reason.

Arguments: the target `ends`, the C compiler.
"""

import os
import subprocess
import sys

import harness
import no_perf_events

ERRORS = {"EPERM": 1, "ENOSYS": 38, "EMFILE": 24, "ENOMEM": 12}


def main():
    ends, compiler = sys.argv[1], sys.argv[2:]
    if not no_perf_events.works():
        harness.skip("no seccomp filter can be installed here")
    for name, error in ERRORS.items():
        run, report = harness.profile([ends, "exit"], ("--ticks=kernel",),
                                      preexec_fn=no_perf_events.refuse(error))
        errors = run.errors.decode()
        print(f"{name}: {report.ticks:.0f} ticks; {errors.splitlines()}")
        assert report.ticks > 0, f"{name}: no ticks: {errors}"
        assert errors.count("refuses its clock") == 1, f"{name}: not said once: {errors}"
        assert "--ticks=timer" in errors, f"{name}: not said who ticks: {errors}"
    with harness.scratch() as folder:
        program, source = os.path.join(folder, "program"), os.path.join(folder, "program.c")
        with open(source, "w", encoding="ascii") as file:
            file.write("int main(void) { return 7; }\n")
        if subprocess.run([*compiler, "-static", "-o", program, source], capture_output=True,
                          check=False).returncode != 0:
            print("static: cannot be built here")
            return
        run = harness.Run([harness.PROFRUN, "--ticks=kernel", program],
                          preexec_fn=no_perf_events.refuse(1))
        errors = run.errors.decode()
        assert run.status == 7, f"static: status {run.status}: {errors}"
        assert all(words in errors for words in (
            "not profiled", "statically linked", "--ticks=ptrace")), errors


main()
