# SPDX-License-Identifier: MIT
"""The preload registers the main executable's text with profil_r(), and the histogram that it hands
over is the one that is counted.

A debugger watches the call in a target that joins the run of a waiting profrun.
Arguments: the preload module, the target, and the name of the tick source.
"""

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

import harness

SCALE = 0x8000
SCRIPT = """set startup-with-shell off
handle all nostop noprint pass
set breakpoint pending on
set environment LD_PRELOAD {preload}
set environment PROFRUN_ARENA {arena}
break profil_r
run
printf "call %lx %lx %lx\\n", (unsigned long) $rdx, (unsigned long) $rcx, (unsigned long) $r8
set $start = $rsi
set $size = $rdx
info proc mappings
delete
break _exit
continue
shell sleep 1
dump binary memory {dump} $start $start+$size
delete
continue
"""


def control_of(profrun):
    """What profrun told the target that it started."""
    children = f"/proc/{profrun.pid}/task/{profrun.pid}/children"
    for _ in range(500):
        time.sleep(0.02)
        with open(children, encoding="ascii") as file:
            pids = file.read().split()
        for pid in pids:
            with open(f"/proc/{pid}/environ", "rb") as file:
                for entry in file.read().split(b"\0"):
                    if entry.startswith(b"PROFRUN_ARENA="):
                        return entry.partition(b"=")[2].decode()
    sys.exit("profrun did not start its target")


def text_segment(mappings, target):
    """(start, end) of the executable mapping of the target."""
    for line in mappings.splitlines():
        words = line.split()
        if words and words[-1] == os.path.realpath(target) and "r-xp" in words:
            return int(words[0], 16), int(words[1], 16)
    sys.exit(f"no text segment of {target} in:\n{mappings}")


def watch(folder, arguments, preload, target):
    """The debugger's output for a target in the run of a profrun that waits meanwhile. When the
    target is about to end profrun has a second to count, then the histogram is kept."""
    stop, script = os.path.join(folder, "stop"), os.path.join(folder, "script")
    with subprocess.Popen([harness.PROFRUN, *arguments, "sh", "-c",
                           f"while [ ! -e {stop} ]; do sleep 0.05; done"]) as profrun:
        with open(script, "w", encoding="ascii") as file:
            file.write(SCRIPT.format(preload=preload, arena=control_of(profrun),
                                     dump=os.path.join(folder, "histogram")))
        done = subprocess.run(["gdb", "-q", "-nx", "-batch", "-x", script, target],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120, check=False,
                              env={**os.environ, "WORK": "0.5", "DEBUGINFOD_URLS": ""})
        with open(stop, "w", encoding="ascii"):
            pass
    return done.stdout + done.stderr


def check_call(output, target):
    call = re.search(r"^call (\w+) (\w+) (\w+)$", output, re.MULTILINE)
    assert call, f"profil_r was not called:\n{output}"
    size, offset, scale = (int(word, 16) for word in call.groups())
    start, end = text_segment(output, target)
    print(f"profil_r(size {size}, offset {offset:#x}, scale {scale:#x}), "
          f"text {start:#x}-{end:#x}")
    assert scale == SCALE
    assert start <= offset < start + 4096
    length = end - offset
    assert (length - 4096) * SCALE // 65536 <= size <= length * SCALE // 65536 + 2


def check_histogram(folder):
    with open(os.path.join(folder, "histogram"), "rb") as file:
        data = file.read()
    entries = struct.unpack(f"<{len(data) // 2}H", data[:len(data) // 2 * 2])
    print(f"{sum(entries)} ticks in its {len(entries)} entries")
    assert sum(entries) > 30, "the histogram is not the one that is counted"


def main():
    preload, target, source = sys.argv[1:]
    if not shutil.which("gdb") or os.uname().machine != "x86_64":
        harness.skip("needs gdb, on x86-64")
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.csv")
        arguments = (f"--ticks={source}", f"--scale={SCALE}", "--csv", "-q", "-o", report)
        check_call(watch(folder, arguments, preload, target), target)
        check_histogram(folder)
        rows = harness.Profile(report)
        assert rows.ticks_of(object=os.path.basename(target)) > 0, rows.rows


main()
