# SPDX-License-Identifier: MIT
"""Whoever ticks for a program and its children, the preload registers the text segment with
profil_r(), and the histogram that it hands over is the one that is counted. A debugger between
profrun and the target watches the call.

Arguments: the target `one_thread`; its program headers are what the call must agree with.
"""

import os
import re
import shutil
import struct
import subprocess
import sys

import harness

SCALE = 0x8000
SOURCES = ("timer", "kernel")
PAGE = 4096

# Stops at the first call and, when the target is about to end, keeps the histogram, once profrun
# has had the time to count what the kernel told it.
SCRIPT = """
set pagination off
set confirm off
set breakpoint pending on
set startup-with-shell off
handle all nostop noprint pass
handle SIGTRAP nopass
break profil_r
run
printf "CALL %lu %lu %lu %u\\n", $rsi, $rdx, $rcx, $r8
set $start = $rsi
set $size = $rdx
delete
break _exit
continue
shell sleep 1
dump binary memory {dump} $start $start+$size
kill
"""


def text_segment(program):
    """(link-time address, bytes) of the first executable segment."""
    listing = subprocess.run(["readelf", "-lW", program], capture_output=True, check=True).stdout
    for line in listing.decode().splitlines():
        fields = line.split()
        if len(fields) > 7 and fields[0] == "LOAD" and "E" in fields[6:-1]:
            return int(fields[2], 16), int(fields[5], 16)
    raise AssertionError("no executable segment")


def watch(target, source, folder):
    dump = os.path.join(folder, "histogram")
    script = os.path.join(folder, "script")
    with open(script, "w", encoding="ascii") as file:
        file.write(SCRIPT.format(dump=dump))
    options = [f"--ticks={source}", f"--scale={SCALE:#x}"]
    run = harness.Run([harness.PROFRUN, *options, "-o", os.devnull, "gdb", "-batch", "-x", script,
                       target], {"WORK": "0.25", "DEBUGINFOD_URLS": ""})
    if b"refuses its clock" in run.errors:
        return None
    call = re.search(rb"CALL (\d+) (\d+) (\d+) (\d+)", run.output)
    assert call, f"{source}: the call was not seen: {run.output.decode()}{run.errors.decode()}"
    with open(dump, "rb") as file:
        histogram = file.read()
    entries = struct.unpack(f"<{len(histogram) // 2}H", histogram[:len(histogram) // 2 * 2])
    return [int(number) for number in call.groups()], entries


def main():
    target = os.path.abspath(sys.argv[1])
    if not shutil.which("gdb") or not shutil.which("readelf"):
        harness.skip("there is no gdb, or no readelf")
    address, size = text_segment(target)
    for source in SOURCES:
        with harness.scratch() as folder:
            seen = watch(target, source, folder)
        if not seen:
            print(f"{source}: refused here")
            continue
        (_, bytes_given, offset, scale), entries = seen
        print(f"{source}: offset {offset:#x}, {bytes_given} bytes, scale {scale:#x}, "
              f"{sum(entries)} ticks")
        assert scale == SCALE, f"{source}: scale {scale:#x}"
        assert offset % PAGE == address % PAGE, f"{source}: offset {offset:#x}, text {address:#x}"
        assert bytes_given == ((size - 1) // 2 * SCALE // 65536 + 1) * 2, \
            f"{source}: {bytes_given} bytes for {size} of text"
        assert sum(entries) > 30, f"{source}: the histogram was not counted"


main()
