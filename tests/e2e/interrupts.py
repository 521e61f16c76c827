# SPDX-License-Identifier: MIT
"""A target that is ended from outside leaves the whole profile of what it did until then.

Argument: the target `ends`, which works, says that it is ready, and waits.
"""

import os
import pty
import signal
import subprocess
import sys
import time

import harness
import launching

TARGET = sys.argv[1]
TICKS = f"--ticks={harness.TICKS}"


class Interrupted:
    """The target under profrun on a terminal of its own, until what `end` does ends it."""

    def __init__(self, end, launcher=()):
        with harness.scratch() as folder:
            report, truth = os.path.join(folder, "report"), os.path.join(folder, "truth")
            self.pid, self.fd = pty.fork()
            if self.pid == 0:
                os.environ.update(TRUTH=truth, SEED="1", PROFRUN_OPTIONS=TICKS)
                os.execvp([*launcher, harness.PROFRUN][0],
                          [*launcher, harness.PROFRUN, "-q", "--csv", "-o", report, TARGET, "wait"])
            self.lines = launching.Lines(self.fd)
            self.lines.expect("ready")
            end(self)
            self.status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            os.close(self.fd)
            self.profile, self.truth = harness.Profile(report), harness.Truth(truth)

    def check(self, status):
        """Every tick is there: their number is right within what two more or less are."""
        assert self.status == status, self.status
        wanted = self.truth.cpu * 100
        assert abs(self.profile.ticks - wanted) <= 3 + wanted / 20, (self.profile.ticks, wanted)
        assert self.profile.share(function="before_the_end") > 0.8


def type_at(run, text):
    os.write(run.fd, text)


def a_termination_from_outside():
    Interrupted(lambda run: os.kill(run.pid, signal.SIGTERM)).check(-signal.SIGTERM)


def an_interrupt_of_the_terminal():
    Interrupted(lambda run: type_at(run, b"\x03")).check(-signal.SIGINT)


def a_quit_of_the_terminal():
    Interrupted(lambda run: type_at(run, b"\x1c")).check(-signal.SIGQUIT)


def a_target_that_is_killed():
    Interrupted(lambda run: os.kill(launching.children(run.pid)[0], signal.SIGKILL)).check(
        -signal.SIGKILL)


def a_stop_and_a_continuation():
    def end(run):
        target = launching.children(run.pid)[0]
        for pid, number, state in ((target, signal.SIGSTOP, "T"), (run.pid, signal.SIGCONT, "S")):
            os.kill(pid, number)
            launching.until(lambda: launching.state(target) == launching.state(run.pid) == state,
                            f"both in state {state}")
        type_at(run, b"\x03")

    Interrupted(end).check(-signal.SIGINT)


def a_hurry():
    """Interrupts after the first one, which the program ends by, do not cost the report."""
    program = ["sh", "-c", "trap 'exit 9' INT; echo ready; while :; do :; done"]
    for gap in (0.0, 0.003, 0.03):
        with harness.scratch() as folder:
            report = os.path.join(folder, "report")
            process = subprocess.Popen([harness.PROFRUN, "-q", "--csv", "-o", report, *program],
                                       stdout=subprocess.PIPE, start_new_session=True,
                                       env={**os.environ, "PROFRUN_OPTIONS": TICKS})
            assert process.stdout.readline() == b"ready\n"
            for _ in range(5):
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGINT)
                time.sleep(gap)
            assert process.wait() == 9, process.returncode
            assert os.path.exists(report)
            process.stdout.close()


def a_time_that_is_over():
    for options, status in ((("-s", "USR1"), 124), (("--foreground",), 124)):
        with harness.scratch() as folder:
            report = os.path.join(folder, "report")
            done = subprocess.run(["timeout", *options, "5", harness.PROFRUN, "-q", "--csv", "-o",
                                   report, TARGET, "wait"], stdout=subprocess.PIPE, check=False,
                                  env={**os.environ, "TRUTH": "/dev/null",
                                       "PROFRUN_OPTIONS": TICKS})
            assert done.returncode == status and done.stdout == b"ready\n", done
            assert harness.Profile(report).ticks_of(function="before_the_end") > 20


sys.exit(launching.run_tests((
    a_termination_from_outside,
    an_interrupt_of_the_terminal,
    a_quit_of_the_terminal,
    a_target_that_is_killed,
    a_stop_and_a_continuation,
    a_hurry,
    a_time_that_is_over,
)))
