# SPDX-License-Identifier: MIT
"""On a terminal, profrun and its target are one job.

Argument: the target `signal_log`.
"""

import contextlib
import fcntl
import os
import pty
import signal
import struct
import sys
import termios
import time

import launching
from launching import Launched, Lines, state, until

LOG = sys.argv[1]
REPETITIONS = 50


class Terminal:
    """A program that leads a session on a terminal of its own."""

    def __init__(self, *command):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.environ.update(PS1="", TERM="dumb", HISTFILE="")
            os.execvp(command[0], command)
        self.lines = Lines(self.fd)
        until(self.quiet, "echo off")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(OSError):
            os.close(self.fd)  # hangs up
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def quiet(self):
        """What is typed shall not come back."""
        settings = termios.tcgetattr(self.fd)
        settings[3] &= ~termios.ECHO
        termios.tcsetattr(self.fd, termios.TCSANOW, settings)
        return True

    def type(self, text):
        os.write(self.fd, text.encode())

    def until_line(self, *wanted, patience=launching.PATIENCE):
        """Reads on until a line is one of those wanted, or holds the one that ends with "...";
        returns it."""
        seen = []
        while (line := self.lines.next(patience)) is not None:
            seen.append(line)
            for text in wanted:
                if line == text or (text.endswith("...") and text[:-3] in line):
                    return line
        raise AssertionError(f"none of {wanted} is in {seen}")


def shell():
    return Terminal("bash", "--norc", "--noprofile", "--noediting", "-i")


def only_child(pid):
    return until(lambda: launching.children(pid), f"a child of {pid}")[0]


def start_job(terminal, *command):
    """(profrun, target) of a command that says ready."""
    terminal.type(f"{launching.PROFRUN} {' '.join(command)}\n")
    terminal.until_line("ready")
    profrun = only_child(terminal.pid)
    return profrun, only_child(profrun)


def wait_states(pids, wanted, what):
    until(lambda: all(state(pid) in wanted for pid in pids), what)


def status_of_last(terminal):
    until(lambda: not launching.children(terminal.pid), "an end")
    terminal.type("echo status $?\n")
    return terminal.until_line("status ...").split()[-1]


def interrupts_of_the_terminal_come_once():
    with launching.load(), Terminal(launching.PROFRUN, LOG, "60", "INT", "QUIT", "WINCH") as run:
        run.until_line("ready")
        for turn in range(REPETITIONS):
            run.type("\x03")
            run.until_line("INT")
            run.type("\x1c")
            run.until_line("QUIT")
            fcntl.ioctl(run.fd, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 20 + turn, 0, 0))
            run.until_line("WINCH")
        line = run.lines.next(0.1)
        assert line is None, line


def the_shell_sees_the_interrupt():
    with shell() as terminal:
        start_job(terminal, LOG, "60")
        terminal.type("\x03")
        assert status_of_last(terminal) == "130"


def stop_and_foreground():
    with shell() as terminal:
        job = start_job(terminal, LOG, "60", "CONT", "USR1")
        for _ in range(REPETITIONS):
            terminal.type("\x1a")
            terminal.until_line("Stopped...")
            wait_states(job, "T", "both stopped")
            terminal.type("fg\n")
            terminal.until_line("CONT")
            wait_states(job, "SR", "both going on")
        os.kill(job[0], signal.SIGUSR1)
        terminal.until_line("USR1")
        terminal.type("\x03")
        assert status_of_last(terminal) == "130"


def stop_and_background():
    with shell() as terminal:
        job = start_job(terminal, LOG, "60", "CONT")
        terminal.type("\x1a")
        terminal.until_line("Stopped...")
        terminal.type("bg\n")
        terminal.until_line("CONT")
        wait_states(job, "SR", "both going on")
        terminal.type("kill %1; wait %1; echo status $?\n")
        terminal.until_line("status 143")


def stops_of(pid):
    """Its status after a stop or its end, as a shell waits for it."""
    def ended():
        found, status = os.waitpid(pid, os.WUNTRACED | os.WNOHANG)
        return found and (status,)

    return until(ended, "a stop or an end")[0]


def a_stop_right_at_the_start():
    for turn in range(2 * REPETITIONS):
        with Launched([LOG, "60", "USR1"], preexec_fn=os.setpgrp) as run:
            time.sleep(turn / REPETITIONS * 0.003)
            os.killpg(run.pid, signal.SIGTSTP)
            assert os.WSTOPSIG(stops_of(run.pid)) == signal.SIGTSTP
            wait_states((run.pid, *launching.children(run.pid)), "T", "both stopped")
            os.killpg(run.pid, signal.SIGCONT)
            run.lines.expect("ready")
            os.kill(run.pid, signal.SIGUSR1)
            run.lines.expect("USR1")
            os.killpg(run.pid, signal.SIGTERM)
            assert os.WTERMSIG(stops_of(run.pid)) == signal.SIGTERM


def reading_in_the_background_stops_both():
    with shell() as terminal:
        terminal.type(f"{launching.PROFRUN} sh -c 'read line; echo got $line' &\n")
        profrun = only_child(terminal.pid)
        target = only_child(profrun)
        wait_states((profrun, target), "T", "both stopped")
        terminal.type("fg\nsomething\n")
        terminal.until_line("got something")
        assert status_of_last(terminal) == "0"


def a_target_continued_alone_takes_profrun_along():
    with shell() as terminal:
        job = start_job(terminal, LOG, "60", "CONT", "USR1")
        for _ in range(5):
            os.kill(job[1], signal.SIGSTOP)
            wait_states(job, "T", "both stopped")
            os.kill(job[1], signal.SIGCONT)
            terminal.until_line("CONT")
            wait_states(job, "SR", "both going on")
        assert terminal.lines.next(0.1) != "CONT"


def profrun_continued_alone_takes_its_target_along():
    for stop in (signal.SIGSTOP, signal.SIGTSTP):
        with shell() as terminal:
            job = start_job(terminal, LOG, "60", "CONT", "USR1")
            for _ in range(5):
                os.killpg(job[0], stop)
                wait_states(job, "T", "both stopped")
                os.kill(job[0], signal.SIGCONT)
                terminal.until_line("CONT")
                wait_states(job, "SR", "both going on")
                os.kill(job[0], signal.SIGUSR1)
                terminal.until_line("USR1")


def a_hangup_ends_both():
    with shell() as terminal:
        job = start_job(terminal, LOG, "60")
        os.close(terminal.fd)
        until(lambda: all(state(pid) is None for pid in job), "both gone")


def a_hangup_of_a_session_leader_ends_both():
    with Terminal(launching.PROFRUN, LOG, "60") as run:
        run.until_line("ready")
        target = only_child(run.pid)
        os.close(run.fd)
        assert os.WTERMSIG(os.waitpid(run.pid, 0)[1]) == signal.SIGHUP
        assert state(target) is None


def an_interactive_shell_is_a_target_like_any_other():
    with Terminal(launching.PROFRUN, "bash", "--norc", "--noprofile", "--noediting",
                  "-i") as run:
        run.type(f"{LOG} 60 INT; echo over\n")
        run.until_line("ready")
        run.type("\x03")
        run.until_line("INT")
        run.type("\x1a")
        run.until_line("Stopped...")
        # Twice, for it may not know yet that its job has ended.
        run.type("kill -KILL %1; wait; exit 5\nexit 5\n")
        until(lambda: os.waitid(os.P_PID, run.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT), "an end")
        assert os.waitstatus_to_exitcode(os.waitpid(run.pid, 0)[1]) == 5


sys.exit(launching.run_tests((
    interrupts_of_the_terminal_come_once,
    the_shell_sees_the_interrupt,
    stop_and_foreground,
    stop_and_background,
    a_stop_right_at_the_start,
    reading_in_the_background_stops_both,
    a_target_continued_alone_takes_profrun_along,
    profrun_continued_alone_takes_its_target_along,
    a_hangup_ends_both,
    a_hangup_of_a_session_leader_ends_both,
    an_interactive_shell_is_a_target_like_any_other,
)))
