# SPDX-License-Identifier: MIT
"""Reading that takes over a second shows on a terminal what it is, and leaves no trace of it.

Argument: the target `one_thread`.
"""

import os
import pty
import subprocess
import sys
import time

import harness

DELAY = 1.6


def read(folder, saved, *options):
    """What a terminal is sent by a report of a file that comes late."""
    fifo = f"{folder}/fifo"
    ours, theirs = pty.openpty()
    with subprocess.Popen([harness.PROFRUN, "--csv", *options, "report", fifo], stderr=theirs,
                          stdout=subprocess.PIPE) as report:
        os.close(theirs)
        with open(fifo, "wb") as file:
            time.sleep(DELAY)
            file.write(saved)
        output = report.stdout.read()
        assert report.wait() == 0
    text = b""
    try:
        while part := os.read(ours, 4096):
            text += part
    except OSError:  # the terminal's other end is closed
        pass
    os.close(ours)
    return output, text


def main():
    target = os.path.abspath(sys.argv[1])
    with harness.scratch() as folder:
        run = harness.Run([harness.PROFRUN, "--no-save", "-q", f"--save={folder}/saved", target],
                          {"WORK": "0.03"})
        assert run.status == 0, run.errors
        os.mkfifo(f"{folder}/fifo")
        with open(f"{folder}/saved", "rb") as file:
            saved = file.read()
        output, text = read(folder, saved)
        assert output.startswith(b"function,"), output
        assert b"\rprofrun: reading '" in text and text.endswith(b"\r\x1b[K"), text
        _, text = read(folder, saved, "-q")
        assert text == b"", text


main()
