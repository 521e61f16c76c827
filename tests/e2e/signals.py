# SPDX-License-Identifier: MIT
"""Signals reach the target once, whoever sent them and whether to profrun or to its group.

Argument: the target `signal_log`.
"""

import os
import signal
import subprocess
import sys
import time

import launching
from launching import Launched

LOG = sys.argv[1]
REPETITIONS = 200
NAMES = ("INT", "QUIT", "TERM", "HUP", "USR1", "USR2", "CONT", "TSTP", "WINCH", "ALRM", "PWR",
         "ABRT")


def number(name):
    if name.startswith("RT"):
        return signal.SIGRTMIN + int(name[2:])
    return getattr(signal, "SIG" + name)


def log(*names, seconds=60):
    return [LOG, str(seconds), *names]


def each_once(lines, send):
    """Sends every signal in turn, many times; each must bring one line, and nothing else may."""
    for turn in range(REPETITIONS):
        name = NAMES[turn % len(NAMES)]
        send(number(name))
        lines.expect(name)
    line = lines.next(0.1)
    assert line is None, f"one {line} too many"


def a_parents_kill_is_passed_on_once():
    with launching.load(), Launched(log(*NAMES)) as run:
        run.lines.expect("ready")
        each_once(run.lines, lambda signum: os.kill(run.pid, signum))


def what_the_group_got_is_not_passed_on():
    with launching.load(), Launched(log(*NAMES), start_new_session=True) as run:
        run.lines.expect("ready")
        each_once(run.lines, lambda signum: os.killpg(run.pid, signum))


def each_of_all_names(offset):
    """Signals to the group, one of each name, from @offset seconds after the launch."""
    end = time.monotonic() + offset
    names = [*NAMES, *(f"RT{i}" for i in range(28))]
    with Launched(log(*names), start_new_session=True) as run:
        run.lines.expect("ready")
        time.sleep(max(0, end - time.monotonic()))
        for name in names:
            os.killpg(run.pid, number(name))
            run.lines.expect(name)
        line = run.lines.next(0.05)
        assert line is None, f"one {line} too many from {offset} s on"


def the_group_gets_each_once_while_the_witness_is_renewed():
    for turn in range(40):
        each_of_all_names(0.019 + turn * 0.000125)


def profrun_and_its_group_in_turn():
    with Launched(log(*NAMES), start_new_session=True) as run:
        run.lines.expect("ready")
        for turn in range(REPETITIONS):
            name = NAMES[turn // 2 % len(NAMES)]
            (os.killpg if turn % 2 else os.kill)(run.pid, number(name))
            run.lines.expect(name)
        assert run.lines.next(0.1) is None


def a_scripts_kill_of_its_last_job_is_passed_on_once():
    script = f"""
        fifo=$(mktemp -u) && mkfifo "$fifo" && {{ "$@" >"$fifo" & }}
        exec 3<"$fifo"; rm "$fifo"; read -r line <&3
        i=0
        while [ $i -lt {REPETITIONS} ]; do
            kill -USR1 $!; read -r line <&3
            [ "$line" = USR1 ] || echo "$line"
            i=$((i + 1))
        done
        kill -USR2 $!; read -r line <&3; echo "$line"
        kill -KILL $!"""
    output = subprocess.run(["sh", "-c", script, "sh", launching.PROFRUN, *log("USR1", "USR2",
                            seconds=10)], capture_output=True, check=False, timeout=60).stdout
    assert output == b"USR2\n", output


def values_go_along():
    with Launched(log("USR1", "RT5")) as run:
        run.lines.expect("ready")
        for turn in range(10):
            subprocess.run(["kill", "-q", str(turn), "-USR1", str(run.pid)], check=True)
            run.lines.expect(f"USR1{turn}")
            subprocess.run(["kill", "-q", str(turn), "-s", str(number("RT5")),
                            str(run.pid)], check=True)
            run.lines.expect(f"RT5{turn}")


def timed_out(*options):
    """The lines of targets whose timeout is over, many at a time."""
    launcher = ("timeout", *options, "--signal=USR1", "1", launching.PROFRUN)
    runs = [Launched(log("USR1", "CONT", seconds=3), launcher) for _ in range(10)]
    for run in runs:
        output = run.lines
        lines = []
        while (line := output.next()) is not None:
            lines.append(line)
        run.process.wait()
        yield lines


def timeout_signals_once():
    for lines in timed_out():
        assert sorted(lines) == ["CONT", "USR1", "ready"], lines


def timeout_in_the_foreground_signals_once():
    for lines in timed_out("--foreground"):
        assert lines == ["ready", "USR1"], lines


def what_comes_before_the_target_is_not_lost():
    for turn in range(100):
        with Launched(["sleep", "60"], start_new_session=True) as run:
            time.sleep(turn / 100 * 0.006)
            (os.killpg if turn % 2 else os.kill)(run.pid, signal.SIGTERM)
            launching.until(lambda: run.process.poll() is not None, f"an end in turn {turn}")
            assert run.process.returncode == -signal.SIGTERM, run.process.returncode


def what_was_ignored_stays_ignored():
    with Launched(log("USR1"), ("sh", "-c", 'trap "" INT QUIT; exec "$@"', "sh",
                                launching.PROFRUN), start_new_session=True) as run:
        run.lines.expect("ready")
        os.killpg(run.pid, signal.SIGINT)
        os.kill(run.pid, signal.SIGQUIT)
        os.kill(run.pid, signal.SIGUSR1)
        run.lines.expect("USR1")


def ignored_children_hide_no_status():
    status = subprocess.run(["sh", "-c", 'trap "" CHLD; exec "$@"', "sh", launching.PROFRUN,
                             "sh", "-c", "exit 7"], check=False).returncode
    assert status == 7, status


def signal_state(launcher):
    """How a program sees its own masks and dispositions."""
    script = ("import signal, os\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2])\n"
              "for s in (signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE): "
              "signal.signal(s, signal.SIG_IGN)\n"
              "import sys\nos.execvp(sys.argv[1], sys.argv[1:])")
    command = [*launcher, "grep", "^Sig[BI]\\|^ShdPnd\\|^SigP", "/proc/self/status"]
    return subprocess.run([sys.executable, "-c", script, *command], capture_output=True,
                          check=True).stdout


def masks_and_dispositions_are_those_of_a_bare_run():
    bare, ours = signal_state(()), signal_state((launching.PROFRUN,))
    assert bare == ours, f"{bare} became {ours}"


def a_dead_witness_is_done_without():
    with Launched(log("USR1")) as run:
        run.lines.expect("ready")
        for pid in launching.witnesses(run.pid):
            os.kill(pid, signal.SIGKILL)
        for _ in range(3):
            os.kill(run.pid, signal.SIGUSR1)
            run.lines.expect("USR1")


def command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:
            return file.read()
    except OSError:
        return None


def has_another_name(witnesses, profrun):
    """Whether there is a witness, and none that goes by profrun's command line."""
    return witnesses and all(command_line(pid) != command_line(profrun) for pid in witnesses)


def what_all_of_its_name_get_is_passed_on_once():
    """As pkill -f and kill $(pidof ...) send it: to each process with this command line."""
    with Launched(log("USR1")) as run:
        run.lines.expect("ready")
        launching.until(lambda: has_another_name(launching.witnesses(run.pid), run.pid),
                        "another name")
        for _ in range(10):
            for name in filter(str.isdigit, os.listdir("/proc")):
                if command_line(name) == command_line(run.pid):
                    os.kill(int(name), signal.SIGUSR1)
            run.lines.expect("USR1")
        assert run.lines.next(0.1) is None


sys.exit(launching.run_tests((
    what_all_of_its_name_get_is_passed_on_once,
    a_parents_kill_is_passed_on_once,
    what_the_group_got_is_not_passed_on,
    the_group_gets_each_once_while_the_witness_is_renewed,
    profrun_and_its_group_in_turn,
    a_scripts_kill_of_its_last_job_is_passed_on_once,
    values_go_along,
    timeout_signals_once,
    timeout_in_the_foreground_signals_once,
    what_comes_before_the_target_is_not_lost,
    what_was_ignored_stays_ignored,
    ignored_children_hide_no_status,
    masks_and_dispositions_are_those_of_a_bare_run,
    a_dead_witness_is_done_without,
)))
