# SPDX-License-Identifier: MIT
"""Threads that can have no timer are counted and named with a way out; the program runs as ever.

Argument: the target `four_threads`.
"""

import resource
import sys

import harness

THREADS = sys.argv[1]


def no_pending_signals():
    resource.setrlimit(resource.RLIMIT_SIGPENDING, (0, 0))


RUN, REPORT = harness.profile([THREADS], ("--ticks=timer",), {"WORK": "0.1"},
                              preexec_fn=no_pending_signals)
assert RUN.status == 0, RUN.errors
assert b"'ulimit -i'" in RUN.errors and b"--ticks=kernel" in RUN.errors, RUN.errors
assert b"5 threads were not sampled" in RUN.errors, RUN.errors
assert not REPORT.select(function="first"), REPORT.rows
