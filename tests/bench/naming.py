# SPDX-License-Identifier: MIT
"""Functions for 4,000 addresses in a large program: time and peak memory, against the peers.

Argument: the program, node when it is not given. perf has no command that names addresses: it is
given samples of the program's own run.
"""

import os
import random
import re
import shutil
import subprocess
import sys

import bench

COUNT = 4000


def text_addresses(program):
    """Addresses spread over .text, the same in every run."""
    sections = subprocess.run(["readelf", "-SW", program], check=True, capture_output=True,
                              text=True).stdout
    start, size = re.search(r" \.text +PROGBITS +(\w+) \w+ (\w+)", sections).groups()
    start, size = int(start, 16), int(size, 16)
    generator = random.Random(1)
    return [f"{start + generator.randrange(size):#x}" for _ in range(COUNT)]


def commands(folder, program):
    addresses = text_addresses(program)
    found = {"profrun": [bench.PROFRUN, "symbolize", program, *addresses]}
    if shutil.which("llvm-symbolizer"):
        found["llvm-symbolizer"] = ["llvm-symbolizer", "--no-inlines", "-e", program, *addresses]
    if shutil.which("perf"):
        data = os.path.join(folder, "perf.data")
        code = "const a=[]; for (let i = 0; i < 3e5; i++) a.push(JSON.parse('[' + i + ']'));"
        bench.Cost(["perf", "record", "-q", "-F", "5000", "-o", data, program, "-e", code])
        found["perf report"] = ["perf", "report", "-i", data, "--stdio", "--sort", "symbol"]
    return found


def main():
    program = shutil.which(sys.argv[1] if len(sys.argv) > 1 else "node")
    if not program:
        print("no such program here")
        return
    with bench.folder() as folder:
        runs = {name: (command, {}) for name, command in commands(folder, program).items()}
        for name, of_name in bench.rounds(runs, 3).items():
            failed = "" if all(cost.status == 0 for cost in of_name) else "  (failed)"
            print(f"{name:16} {bench.median(of_name, 'cpu'):7.3f} s of CPU time "
                  f"{bench.median(of_name, 'memory'):8.1f} MB{failed}")


main()
