# SPDX-License-Identifier: MIT
"""A program that does everything at once, at 1000 Hz: no hang, no leak, no drift.

Arguments: --seconds (an hour by default), --ticks, the target `soak`, the plugin. PROFRUN names the
profrun. Prints what it measured.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time

MIB = 1 << 20
GROWTH = 8 * MIB  # of memory, between the second quarter and the end
ROWS = 2048  # bytes that profrun keeps of each process, which has rows of its own
# Of ticks from the CPU time. Timers miss what begins and ends between two ticks of the scheduler
# (seen: a sixth of this program's time, a quarter on a busy machine), and nobody pays what a child
# owes: a run without ticks from some moment on is what is to be found here.
MISSED = {"kernel": 0.05, "timer": 0.4}
TOO_MANY = 0.05


def own_memory(pid):
    """Bytes of @pid that are no file's."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        _, resident, shared = [int(word) for word in file.read().split()[:3]]
    return (resident - shared) * resource.getpagesize()


def arena_memory(pid):
    """Bytes of the shared memory that profrun holds."""
    total = 0
    for name in os.listdir(f"/proc/{pid}/fd"):
        path = f"/proc/{pid}/fd/{name}"
        try:
            if "memfd:profrun" in os.readlink(path):
                total += os.stat(path).st_blocks * 512
        except OSError:
            pass
    return total


class Watch:
    """Memory of a running profrun, once a second."""

    def __init__(self, pid):
        self.pid, self.own, self.arena, self.descriptors = pid, [], [], []

    def look(self):
        try:
            self.own.append(own_memory(self.pid))
            self.arena.append(arena_memory(self.pid))
            self.descriptors.append(len(os.listdir(f"/proc/{self.pid}/fd")))
        except OSError:
            pass


def growth(values):
    """From the most in the second quarter to the most in the last."""
    quarter = max(len(values) // 4, 1)
    return max(values[-quarter:]) - max(values[quarter:2 * quarter] or values[:1])


def run(chosen, report):
    command = [os.environ["PROFRUN"], f"--ticks={chosen.ticks}", "--rate=1000", "--json",
               "--no-save", "-q", "-o", report, chosen.target, str(chosen.seconds), chosen.plugin]
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        watch, lines = Watch(process.pid), []
        reader = threading.Thread(target=lambda: lines.extend(process.stdout))
        reader.start()
        while process.poll() is None:
            watch.look()
            if time.monotonic() - start > 2 * chosen.seconds + 120:
                process.kill()
                sys.exit("it hangs")
            time.sleep(1)
        reader.join()
    assert process.returncode == 0, f"status {process.returncode}"
    return watch, [int(line) for line in lines]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=3600)
    parser.add_argument("--ticks", default="timer")
    parser.add_argument("target")
    parser.add_argument("plugin")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        watch, target = run(chosen, report)
        with open(report, encoding="utf-8") as file:
            facts = json.load(file)
    facts, rows = facts["run"], facts["rows"]
    named = {row["function"].partition("(")[0]: row["ticks"] for row in rows}
    failed = []
    rows_kept = ROWS * len(facts["processes"])
    for name, values, kept in (("the program's memory", target, 0),
                               ("profrun's memory", watch.own, rows_kept),
                               ("shared memory", watch.arena, 0)):
        print(f"{name}: {max(values) / MIB:.1f} MiB at most, grew {growth(values) / MIB:+.1f} MiB")
        if growth(values) > GROWTH + kept:
            failed.append(name)
    print(f"descriptors: {max(watch.descriptors)} at most")
    print(f"{facts['ticks']} ticks of {facts['cpu_seconds']:.2f} s in {len(facts['processes'])} "
          f"processes, coverage {facts['coverage']:.4f}, {facts['lost_ticks']} lost")
    if not -MISSED[chosen.ticks] <= facts["coverage"] - 1 <= TOO_MANY or facts["lost_ticks"]:
        failed.append("coverage")
    for name in ("burn", "plugin"):
        print(f"{name}: {100 * named.get(name, 0) / facts['ticks']:.1f} %")
    if not named.get("burn") or not named.get("plugin"):
        failed.append("names")
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


main()
