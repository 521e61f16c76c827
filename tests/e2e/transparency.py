# SPDX-License-Identifier: MIT
"""A program under profrun ends as it ends without, and finds what it would find."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile

import launching
from launching import Launched

# What a target can see of itself; in the order of its lines.
SEEN = r"""
umask; ulimit -a; nice; pwd; ls -l /proc/self/fd | wc -l
for fd in 0 1 2; do [ -e /proc/self/fd/$fd ] && echo "$fd open"; done
grep -E '^(Sig|NoNewPrivs|Seccomp:|Cap|Uid|Gid|Groups|CoreDump|THP)' /proc/self/status |
    grep -v SigQ | sed -E 's/^(Sig...:.)......../\1/' # where the signal that ticks is
cat /proc/self/oom_score_adj /proc/self/timerslack_ns
ps -o pgid=,sid=,tty= -p $$ | tr -s ' ' | sed 's/^ *[0-9]* *//'
"""


def run(*command, launcher=(launching.PROFRUN,), **options):
    """(status, stdout) of a program."""
    done = subprocess.run([*launcher, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False, timeout=launching.PATIENCE, **options)
    return done.returncode, done.stdout


def same(*command, **options):
    """The program's result, which must be that of a bare run."""
    bare, ours = run(*command, launcher=(), **options), run(*command, **options)
    assert bare == ours, f"{command}: {bare} became {ours}"
    return ours


def exit_statuses():
    for status in (0, 1, 2, 124, 125, 126, 127, 128, 255):
        assert same("sh", "-c", f"exit {status}")[0] == status


def deaths():
    kill = "import os, resource as r, sys; r.setrlimit(r.RLIMIT_CORE, (0, 0)); " \
           "os.kill(os.getpid(), int(sys.argv[1]))"
    for number in sorted(set(signal.Signals)):
        if number not in (signal.SIGCHLD, signal.SIGCONT, signal.SIGSTOP, signal.SIGTSTP,
                          signal.SIGTTIN, signal.SIGTTOU, signal.SIGURG, signal.SIGWINCH,
                          signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT):
            status, _ = same(sys.executable, "-Sc", kill, str(int(number)))
            assert status == -number, f"{number}: {status}"


def a_death_leaves_no_core_of_the_launcher():
    with tempfile.TemporaryDirectory() as folder:
        script = "ulimit -c unlimited; exec \"$@\""
        run("sh", "-c", "ulimit -c 0; kill -SEGV $$", cwd=folder,
            launcher=("sh", "-c", script, "sh", os.path.abspath(launching.PROFRUN)))
        assert os.listdir(folder) == [], os.listdir(folder)


def what_cannot_run():
    with tempfile.TemporaryDirectory() as folder:
        def file(name, text, mode=0o755):
            path = os.path.join(folder, name)
            with open(path, "w", encoding="ascii") as out:
                out.write(text)
            os.chmod(path, mode)
            return path

        for command, status in ((["no-such-program"], 127), ([folder + "/none"], 127),
                                ([folder], 126), ([file("text", "text", 0o644)], 126),
                                ([file("none", "#!/no/interpreter\n")], 127),
                                ([file("elf", "\x7fELF and no more")], 126)):
            assert run(*command)[0] == status, f"{command}: {run(*command)}"
        plain = file("plain", 'echo "$0" "$@"; exit 3\n')
        assert run(plain, "a b", "") == (3, f"{plain} a b \n".encode())


def arguments_and_environment():
    for words in (["-l", "-o", "x", "--", ""], ["a" * 100000], ["\n", "é", "*"]):
        same("printf", "[%s]", *words)
    same("env", "-0", env={"A": "1", "PATH": os.environ["PATH"], "B": "", "LD_LIBRARY_PATH": "/x",
                           "PROFRUN_OPTIONS": f"--no-follow {launching.OPTIONS}"})


def limits_masks_and_descriptors():
    def prepare():
        os.umask(0o35)
        os.nice(3)
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1, signal.SIGCHLD])
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)

    environment = {**os.environ, "PROFRUN_OPTIONS": f"--no-follow {launching.OPTIONS}"}
    same("bash", "-c", SEEN)
    same("bash", "-c", SEEN, preexec_fn=prepare, env=environment)


def closed_streams():
    """What is closed is closed in the target: no file of the launcher's takes its place."""
    script = 'for fd in 0 1 2; do if [ -e /proc/$$/fd/$fd ]; then s=$s$fd; fi; done; exit 1$s'
    for closing in ("<&-", ">&-", "2>&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"):
        bare = run("sh", "-c", f"sh -c '{script}' {closing}", launcher=())
        ours = run("sh", "-c", f"'{launching.PROFRUN}' sh -c '{script}' {closing}", launcher=())
        assert bare == ours, f"{closing}: {bare} became {ours}"


def pipes_end_when_the_target_ends():
    with Launched(["sh", "-c", "echo over"]) as run_:
        run_.lines.expect("over")
        assert run_.lines.next() is None
        assert run_.process.wait() == 0


def nothing_is_left_when_the_launcher_is_killed():
    with Launched(["sleep", "60"]) as run_:
        target = run_.target()
        witnesses = launching.until(lambda: launching.witnesses(run_.pid), "a witness")
        run_.process.kill()
        os.kill(target, signal.SIGKILL)
        assert run_.lines.next() is None
        launching.until(lambda: all(launching.state(pid) in (None, "Z") for pid in witnesses),
                        "the witness gone")


def descriptors(pid):
    with contextlib.suppress(FileNotFoundError):
        return os.listdir(f"/proc/{pid}/fd")


def the_witness_holds_nothing_of_the_users():
    with Launched(["sh", "-c", "exec >&-; echo over >&2; exec sleep 60"],
                  stderr=subprocess.PIPE) as run_:
        assert os.read(run_.process.stderr.fileno(), 10) == b"over\n"
        # It shares the launcher's table instead of holding a copy.
        launching.until(lambda: [descriptors(witness) for witness in launching.witnesses(run_.pid)]
                        == [descriptors(run_.pid)], "one witness with the same descriptors")
        run_.process.stderr.close()


sys.exit(launching.run_tests((
    exit_statuses,
    deaths,
    a_death_leaves_no_core_of_the_launcher,
    what_cannot_run,
    arguments_and_environment,
    limits_masks_and_descriptors,
    closed_streams,
    pipes_end_when_the_target_ends,
    nothing_is_left_when_the_launcher_is_killed,
    the_witness_holds_nothing_of_the_users,
)))
