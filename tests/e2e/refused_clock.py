# SPDX-License-Identifier: MIT
"""Where perf_event_open is refused, --ticks=kernel falls back to the target's own timers and says
so; a program that these cannot serve runs all the same, with the reason. A seccomp filter refuses.

Arguments: the target `ends`, the C compiler.
"""

import ctypes
import os
import platform
import struct
import subprocess
import sys

import harness

PERF_EVENT_OPEN = {"x86_64": 298, "aarch64": 241}
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7fff0000, 0x00050000
ERRORS = {"EPERM": 1, "ENOSYS": 38, "EMFILE": 24, "ENOMEM": 12}


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def refuse(error):
    """What a child does before its exec to have perf_event_open(2) fail with the error."""
    number = PERF_EVENT_OPEN[platform.machine()]
    code = b"".join(struct.pack("HBBI", *instruction) for instruction in (
        (LOAD, 0, 0, 0), (JUMP_EQUAL, 0, 1, number), (RETURN, 0, 0, REFUSE | error),
        (RETURN, 0, 0, ALLOW)))
    program = Program(len(code) // 8, code)
    prctl = ctypes.CDLL(None).prctl

    def install():
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0) != 0:
            os._exit(99)
    return install


def works():
    return subprocess.run(["true"], preexec_fn=refuse(1), check=False).returncode == 0


def main():
    ends, compiler = sys.argv[1], sys.argv[2:]
    if platform.machine() not in PERF_EVENT_OPEN or not works():
        harness.skip("no seccomp filter can be installed here")
    for name, error in ERRORS.items():
        run, report = harness.profile([ends, "exit"], ("--ticks=kernel",),
                                      preexec_fn=refuse(error))
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
        run = harness.Run([harness.PROFRUN, "--ticks=kernel", program], preexec_fn=refuse(1))
        errors = run.errors.decode()
        assert run.status == 7, f"static: status {run.status}: {errors}"
        assert "not profiled" in errors and "statically linked" in errors, errors


main()
