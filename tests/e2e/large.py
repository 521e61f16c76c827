# SPDX-License-Identifier: MIT
"""A profile of a million buckets is reported in every format in seconds, and in memory that grows
with the profile and no faster; a page stays one that a browser opens.

Argument: the program that makes a large profile.
"""

import os
import subprocess
import sys

import harness

BUCKETS = 1000000
SECONDS = 60   # of CPU time, at most; a machine that is not busy needs 3 to 6
BYTES = 800    # of memory for each bucket, at most
PAGE = 300000  # bytes
FORMATS = ("text", "csv", "json", "pprof", "gmon", "callgrind", "folded", "html")


def report(folder, name):
    """(seconds of CPU time, bytes of memory, bytes written)"""
    command = [harness.PROFRUN, "-q", f"--format={name}", "--by=address", "-o", "out", "report",
               "large"]
    if name != "html":
        command.insert(1, "--top=0")
    with subprocess.Popen(command, cwd=folder) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, f"{name}: {process.returncode}"
    return (usage.ru_utime + usage.ru_stime, 1024 * usage.ru_maxrss,
            os.path.getsize(f"{folder}/out"))


def main():
    maker = os.path.abspath(sys.argv[1])
    with harness.scratch() as folder:
        with open(f"{folder}/large", "wb") as file:
            subprocess.run([maker, str(BUCKETS)], check=True, stdout=file)
        for name in FORMATS:
            seconds, memory, size = report(folder, name)
            print(f"{name:9} {seconds:5.1f} s of CPU time, {memory / 1e6:6.1f} MB of memory, "
                  f"{size / 1e6:6.1f} MB written")
            assert seconds < SECONDS and memory < BYTES * BUCKETS, name
            assert name != "html" or size < PAGE, size


main()
