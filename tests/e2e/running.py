# SPDX-License-Identifier: MIT
"""What a running profrun has counted so far can be had at any time, and asking changes nothing.

Argument: the target `one_thread`. Entries wrap while it is asked: those that it finds must be there
for the report at the end too.
"""

import json
import os
import signal
import subprocess
import sys
import time

import harness

RATE = 10000
ENOUGH = 70000  # ticks in one bucket: one wrapped


def ask(pid):
    run = harness.Run([harness.PROFRUN, "--json", f"--running={pid}", "report"])
    return run, json.loads(run.output) if run.status == 0 else None


def ask_until(process, ticks):
    """Asks until so many ticks are there; every answer has at least as many as the one before."""
    before = 0
    while before < ticks:
        run, answer = ask(process.pid)
        if answer is None:
            # It may not have begun, or its program not have been seen.
            assert process.poll() is None and not before, run.errors.decode()
            time.sleep(0.01)
            continue
        now = answer["run"]["ticks"]
        assert now >= before, f"{now} ticks after {before}"
        rows = sum(round(1000 * row["ticks"]) for row in answer["rows"])
        assert rows == 1000 * now, "rows do not add up"
        assert any("still runs" in note for note in answer["run"]["notes"])
        before = now
        time.sleep(0.1)
    return before


def main():
    with harness.scratch() as folder:
        report, truth = os.path.join(folder, "report.csv"), os.path.join(folder, "truth")
        command = [harness.PROFRUN, "--csv", "--no-save", f"--rate={RATE}", "--scale=2",
                   "-o", report, *sys.argv[1:]]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL,
                                   env={**os.environ, "TRUTH": truth, "WORK": "2.5"})
        try:
            asked = ask_until(process, ENOUGH)
            assert process.wait() == 0
        finally:
            process.send_signal(signal.SIGTERM)
        end, true = harness.Profile(report), harness.Truth(truth)
        error = end.ticks / RATE - true.cpu
        print(f"{asked} ticks were there before the end, {end.ticks:.0f} at it: {error:+.4f} s of "
              f"{true.cpu:.3f} s")
        assert end.ticks >= asked
        assert abs(error) <= 0.005 * true.cpu + 0.01, "asking changed the total"
        run, _ = ask(process.pid)
        assert run.status == 125 and b"no profrun with this PID" in run.errors, run.errors
    for options in (["--running=0"], ["--running=x"], [f"--running={os.getpid()}"]):
        run = harness.Run([harness.PROFRUN, *options, "report"])
        assert run.status == 125 and run.errors.startswith(b"profrun: --running"), run.errors
    run = harness.Run([harness.PROFRUN, "--running=1", "true"])
    assert run.status == 125 and b"report" in run.errors, run.errors


main()
