# SPDX-License-Identifier: MIT
"""The view while a program runs, on a real terminal, and what is left of it afterwards.

Arguments: the targets `one_thread` and `signal_log`.
"""

import contextlib
import json
import os
import re
import shutil
import signal
import sys
import termios
import time

import harness
import launching
from launching import until
from screen import Terminal

HOT, LOG = map(os.path.abspath, sys.argv[1:3])
LIVE = [harness.PROFRUN, "--live", "--no-save"]
KEYS = "q quit"
ROW = re.compile(r"^ *~?([\d.]+)% +(?:±|\+-)([\d.]+) .* (\S+)$")


@contextlib.contextmanager
def running(command, lines=24, columns=110, **streams):
    """(terminal, pid, folder) of a command that is ended at last."""
    terminal = Terminal(lines, columns)
    pid = terminal.start(command, **streams)
    try:
        yield terminal, pid
    finally:
        for child in (*launching.children(pid), pid):
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        with contextlib.suppress(OSError):
            os.waitpid(pid, 0)
        terminal.close()


def viewing(command, stdout, options=(), **more):
    """The same under profrun, with keys and the whole screen."""
    return running([*LIVE, *options, *command], stdin="/dev/null", stdout=stdout, **more)


def line_with(text):
    return lambda screen: next((line for line in screen.text() if text in line), None)


def view_of(screen):
    return screen.alternate and line_with(KEYS)(screen)


def rows(screen):
    return {match[3]: (float(match[1]), float(match[2]))
            for match in map(ROW.match, screen.text()) if match}


def viewer_of(pid):
    for child in launching.children(pid):
        with open(f"/proc/{child}/comm", encoding="ascii") as file:
            if file.read() == "live-view\n":
                return child
    return None


def gone(terminal):
    terminal.wait_for(lambda screen: screen.is_as_before() and terminal.modes_are_as_before())


def ended(terminal, pid):
    status = terminal.end_of(pid)
    assert terminal.screen.is_as_before(), terminal.output[-300:]
    assert terminal.modes_are_as_before()
    return status


def ticks_of(screen):
    return int(re.search(r"(\d+) ticks", "\n".join(screen.text()))[1])


def the_hot_function_is_seen_and_the_report_comes_as_ever():
    with harness.scratch() as folder:
        report = f"{folder}/report.json"
        with viewing([HOT], f"{folder}/out", ["--json", "-o", report, "--rate=250"],
                     environment={"WORK": "0.5"}) as (terminal, pid):
            terminal.wait_for(lambda screen: view_of(screen) and "half" in rows(screen))
            terminal.wait_for(lambda screen: ticks_of(screen) > 150)
            share, margin = rows(terminal.screen)["half"]
            # Timers are biased by a few points where the machine is busy.
            assert abs(share - 50) <= 2.6 * margin + 6, terminal.screen.text()
            before = ticks_of(terminal.screen)
            terminal.wait_for(lambda screen: ticks_of(screen) > before)
            assert not termios.tcgetattr(terminal.theirs)[3] & termios.ICANON
            assert termios.tcgetattr(terminal.theirs)[3] & termios.ISIG
            assert ended(terminal, pid) == 0
            assert "elapsed" in "".join(terminal.screen.text()), "the summary goes to stderr"
        with open(report, encoding="utf-8") as file:
            assert json.load(file)["rows"][0]["function"] == "half"


def keys_change_what_is_seen():
    with viewing([HOT], "/dev/null", environment={"WORK": "60"}) as (terminal, pid):
        terminal.wait_for(lambda screen: {"half", "quarter"} <= set(rows(screen)))
        terminal.press("o")
        terminal.wait_for(lambda screen: "one_thread" in rows(screen)
                          and "half" not in rows(screen))
        terminal.press("f")
        terminal.wait_for(lambda screen: "half" in rows(screen))
        shares = terminal.wait_for(lambda screen: [share for share, _ in rows(screen).values()])
        assert shares == sorted(shares, reverse=True), shares
        terminal.press("r")
        terminal.wait_for(lambda screen: next(iter(rows(screen))) != "half")
        terminal.press("r")
        for _ in range(4):
            if line_with("sort: function")(terminal.screen):
                break
            before = line_with("sort:")(terminal.screen)
            terminal.press("s")
            terminal.wait_for(lambda screen: line_with("sort:")(screen) != before)
        names = [name for name in rows(terminal.screen) if name[0] != "["]
        assert line_with("sort: function")(terminal.screen) and names == sorted(names), names
        terminal.press("t")
        terminal.wait_for(line_with("--threads"))
        terminal.press(" ")
        paused = terminal.wait_for(line_with("paused at"))
        terminal.press("l")
        terminal.wait_for(line_with("one_thread.c:"))
        terminal.read(1.2)
        assert line_with("paused at")(terminal.screen) == paused, "it goes on"
        terminal.press(" w")
        terminal.wait_for(lambda screen: not line_with("paused at")(screen))
        terminal.wait_for(line_with("last 10 s, "))
        terminal.press("q")
        gone(terminal)
        until(lambda: not viewer_of(pid), "the viewer's end")
        assert launching.state(pid), "the program has ended too"
        os.kill(pid, signal.SIGTERM)
        assert os.WTERMSIG(ended(terminal, pid)) == signal.SIGTERM
        assert line_with("half")(terminal.screen), "no report"


def a_program_that_is_removed_keeps_its_names():
    with harness.scratch() as folder:
        program = shutil.copy(HOT, f"{folder}/program")
        with viewing([program], "/dev/null", environment={"WORK": "60"}) as (terminal, pid):
            until(lambda: any(launching.state(child) and is_run(child, program)
                              for child in launching.children(pid)), "the program's start")
            os.unlink(program)
            terminal.wait_for(lambda screen: {"half", "quarter"} <= set(rows(screen)))


def is_run(pid, program):
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{pid}/exe") == program
    return False


def the_view_fits_every_window():
    with viewing([HOT], "/dev/null", environment={"WORK": "60"}) as (terminal, _):
        terminal.wait_for(view_of)
        for lines, columns in ((12, 50), (40, 150), (5, 30)):
            terminal.resize(lines, columns)
            spare = 4 if lines >= 16 else 0
            terminal.wait_for(lambda screen: screen.text()[lines - spare - 1].startswith(KEYS))
            assert terminal.screen.text()[0].startswith(HOT[:20])
        # Too small for anything, and back.
        terminal.resize(2, 30)
        gone(terminal)
        terminal.resize(20, 80)
        terminal.wait_for(view_of)


def an_interrupt_reaches_the_program_once():
    with harness.scratch() as folder:
        out = f"{folder}/out"
        with viewing([LOG, "60", "INT"], out) as (terminal, pid):
            terminal.wait_for(view_of)
            terminal.press("\x03")
            until(lambda: os.stat(out).st_size > len("ready\n"), "a signal")
            terminal.read(0.5)
            with open(out, encoding="ascii") as file:
                assert file.read() == "ready\nINT\n"
            assert view_of(terminal.screen), "the view is gone"
            terminal.press("\x1c")
            assert os.WTERMSIG(ended(terminal, pid)) == signal.SIGQUIT


def what_is_typed_for_the_program_stays_its_own():
    with harness.scratch() as folder:
        out = f"{folder}/out"
        script = 'read a; read b; echo "$a,$b"; exec sleep 60'
        with running([*LIVE, "sh", "-c", script], stdout=out) as (terminal, _):
            terminal.wait_for(line_with("no keys"))
            assert terminal.modes_are_as_before()
            terminal.press("q s p\n f\n")
            until(lambda: os.stat(out).st_size, "the program's output")
            with open(out, encoding="ascii") as file:
                assert file.read() == "q s p,f\n"
            terminal.read(0.3)
            assert line_with("no keys")(terminal.screen), "the view is gone"


def output_on_the_terminal_is_kept():
    script = """
        for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "line $i"; sleep 0.15; done
        printf half; sleep 1; echo " done"
    """
    with running([*LIVE, "sh", "-c", script], lines=8, stdin="/dev/null") as (terminal, pid):
        terminal.wait_for(line_with(" profrun: "))
        assert " profrun: " in terminal.screen.text()[-1] and not terminal.screen.alternate
        terminal.wait_for(line_with("half"))
        assert ended(terminal, pid) == 0
        lines = terminal.screen.history + terminal.screen.text()
        wanted = [f"line {number}" for number in range(1, 13)] + ["half done"]
        assert [line for line in lines if line in wanted] == wanted, lines
        assert not any(line.startswith(" profrun:") for line in lines), lines


ENDS = {
    "the program killed": lambda pid: os.kill(target_of(pid), signal.SIGKILL),
    "a crash": lambda pid: os.kill(target_of(pid), signal.SIGSEGV),
    "a signal": lambda pid: os.kill(pid, signal.SIGTERM),
    "a signal to all": lambda pid: os.killpg(pid, signal.SIGTERM),
    "a hangup": lambda pid: os.kill(pid, signal.SIGHUP),
    "profrun killed": lambda pid: os.kill(pid, signal.SIGKILL),
    "all killed but the viewer": lambda pid: [os.kill(which, signal.SIGKILL)
                                              for which in (target_of(pid), pid)],
}


def target_of(pid):
    return next(child for child in launching.children(pid) if child != viewer_of(pid))


def the_terminal_is_as_before_after_every_end():
    for stdout in ("/dev/null", None):
        for end in ENDS.values():
            with running([*LIVE, LOG, "60"], stdin="/dev/null",
                         stdout=stdout) as (terminal, pid):
                shown = view_of if stdout else line_with(" profrun: ")
                terminal.wait_for(shown)
                target = target_of(pid)
                end(pid)
                terminal.end_of(pid)
                gone(terminal)
                with contextlib.suppress(OSError):
                    os.kill(target, signal.SIGKILL)


def the_program_goes_on_without_its_viewer():
    for stdout in ("/dev/null", None):
        with running([*LIVE, LOG, "60"], stdin="/dev/null", stdout=stdout) as (terminal, pid):
            terminal.wait_for(view_of if stdout else line_with(" profrun: "))
            os.kill(viewer_of(pid), signal.SIGKILL)
            terminal.wait_for(line_with("the view has broken down"))
            gone(terminal)
            assert launching.state(target_of(pid)) == "S"


def a_stopped_job_leaves_the_terminal_to_the_shell():
    shell = ["bash", "--norc", "--noprofile", "--noediting", "-i"]
    with running(shell, environment={"PS1": "$ ", "HISTFILE": "/dev/null"}) as (terminal, _):
        terminal.wait_for(line_with("$"))
        terminal.press(f"{' '.join(LIVE)} {LOG} 60 </dev/null >/dev/null\n")
        for _ in range(3):
            terminal.wait_for(view_of)
            terminal.press("\x1a")
            terminal.wait_for(line_with("Stopped"))
            assert terminal.screen.is_as_before() and terminal.modes_are_as_before()
            terminal.press("bg\n")
            terminal.read(1)
            assert not terminal.screen.alternate, "it draws in the background"
            terminal.press("fg\n")
        terminal.wait_for(view_of)
        terminal.press("\x03")
        terminal.wait_for(line_with("elapsed"))
        terminal.press("echo status $?\n")
        terminal.wait_for(line_with("status 130"))
        assert terminal.screen.is_as_before()


def without_a_terminal_it_runs_without_a_view():
    run = harness.Run([*LIVE, "-q", "sh", "-c", "echo out; exit 3"], start_new_session=True)
    assert run.status == 3 and run.output == b"out\n", run.errors
    assert b"profrun: --live: there is no terminal" in run.errors, run.errors
    with running([*LIVE, "sh", "-c", "echo out; sleep 0.6"],
                 environment={"TERM": "dumb"}) as (terminal, pid):
        assert terminal.end_of(pid) == 0
        assert b"\x1b" not in terminal.output and b"TERM=dumb" in terminal.output


def it_costs_less_than_a_hundredth_of_a_cpu():
    """What the viewer has used, and what was forked for it: profrun has no other children yet."""
    with viewing([HOT], "/dev/null", environment={"WORK": "60"}) as (terminal, pid):
        start = time.monotonic()
        terminal.wait_for(view_of)
        terminal.read(5)
        with open(f"/proc/{viewer_of(pid)}/schedstat", encoding="ascii") as file:
            viewer = int(file.read().split()[0]) * 1e-9
        with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
            forks = sum(map(int, file.read().rpartition(") ")[2].split()[13:15])) / 100
        seconds = time.monotonic() - start
        frames = terminal.output.count(b"\x1b[H")
        cost = (viewer + forks) / seconds
        print(f"{frames} refreshes in {seconds:.1f} s cost {100 * cost:.2f} % of a CPU")
        assert frames >= 2, "it does not refresh"
        # The first names may be paid for later.
        assert viewer + forks <= 0.01 * seconds + 0.04


os.environ["PROFRUN_OPTIONS"] = f"--ticks={harness.TICKS}"
sys.exit(launching.run_tests((
    the_hot_function_is_seen_and_the_report_comes_as_ever,
    keys_change_what_is_seen,
    a_program_that_is_removed_keeps_its_names,
    the_view_fits_every_window,
    an_interrupt_reaches_the_program_once,
    what_is_typed_for_the_program_stays_its_own,
    output_on_the_terminal_is_kept,
    the_terminal_is_as_before_after_every_end,
    the_program_goes_on_without_its_viewer,
    a_stopped_job_leaves_the_terminal_to_the_shell,
    without_a_terminal_it_runs_without_a_view,
    it_costs_less_than_a_hundredth_of_a_cpu,
)))
