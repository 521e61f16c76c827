# SPDX-License-Identifier: MIT
"""Programs for which perf_event_open(2) is refused, by a seccomp filter of theirs alone."""

import ctypes
import os
import platform
import struct
import subprocess

NUMBERS = {"x86_64": 298, "aarch64": 241}
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
LOAD, JUMP_EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, REFUSE = 0x7fff0000, 0x00050000


class Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def refuse(error):
    """What a child does before its exec to have perf_event_open(2) fail with the error."""
    number = NUMBERS[platform.machine()]
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
    """Whether the filter can be installed here."""
    return platform.machine() in NUMBERS and subprocess.run(
        ["true"], preexec_fn=refuse(1), check=False).returncode == 0
