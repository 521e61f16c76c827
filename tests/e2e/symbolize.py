# SPDX-License-Identifier: MIT
"""profrun symbolize: its two forms, its order, its input, and what it refuses."""

import json
import os
import subprocess
import sys

import harness


def symbolize(*arguments, lines=None):
    return subprocess.run([harness.PROFRUN, *arguments], input=lines, capture_output=True,
                          text=True, check=False)


def functions_of(path):
    """Functions and their addresses, as nm tells."""
    listed = subprocess.run(["nm", "--defined-only", path], capture_output=True, text=True,
                            check=True)
    table = [line.split() for line in listed.stdout.splitlines()]
    return {name: int(address, 16) for address, kind, name in table if kind in "tT"}


def check_forms(path, address, name):
    text = symbolize("symbolize", path, hex(address))
    assert text.returncode == 0, text.stderr
    lines = text.stdout.splitlines()
    assert lines[0] == f"0x{address:016x}" and name in lines[1], lines
    assert lines[2].rpartition(":")[2].isdigit(), lines
    answer = json.loads(symbolize("--json", "symbolize", path, f"{address:x}").stdout)
    assert answer["address"] == hex(address), answer
    assert answer["frames"][-1]["function"] == name, answer
    assert os.path.isabs(answer["frames"][-1]["file"]), answer


def check_order(path, functions):
    """Answers come in the order of the questions, doubles too."""
    asked = [functions["main"], functions["_start"], functions["main"], 1]
    answers = symbolize("--json", "symbolize", path, lines="".join(f"{a:#x}\n" for a in asked))
    assert answers.returncode == 0, answers.stderr
    frames = [json.loads(line)["frames"] for line in answers.stdout.splitlines()]
    names = [frame[-1]["function"] if frame else None for frame in frames]
    assert names == ["main", "_start", "main", None], names


def check_conversation(path, address):
    """A program that waits for each answer gets it."""
    with subprocess.Popen([harness.PROFRUN, "--json", "symbolize", path], text=True,
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        for _ in range(3):
            process.stdin.write(f"{address:#x}\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["address"] == hex(address)
        process.stdin.close()
        assert process.wait() == 0


def check_refused(arguments, why, **options):
    run = symbolize(*arguments, **options)
    assert run.returncode == 125, f"{arguments}: {run.returncode}"
    assert run.stderr.startswith("profrun: ") and why in run.stderr, run.stderr
    assert run.stderr.count("\n") == 1, run.stderr


def main():
    path = sys.argv[1]
    functions = functions_of(path)
    check_forms(path, functions["main"], "main")
    check_order(path, functions)
    check_conversation(path, functions["main"])
    check_refused(["symbolize", "/nonexistent"], "No such file")
    check_refused(["symbolize", "/etc/passwd"], "not an ELF file")
    check_refused(["symbolize", "/"], "directory")
    check_refused(["symbolize", path, "main"], "no address")
    check_refused(["symbolize", path], "no address", lines="main\n")
    check_refused(["--csv", "symbolize", path, "1"], "text or json")


main()
