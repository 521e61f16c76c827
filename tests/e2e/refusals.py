# SPDX-License-Identifier: MIT
"""What profrun refuses: status 125, a line that says what and why, and nothing has run."""

import os

import harness

ECHO = ["/bin/echo", "it ran"]

# Arguments before the program, and what the message must contain.
REFUSED = [
    (["--scale=0"], "0x10000"),
    (["--scale=1"], "0x10000"),
    (["--scale=0x10001"], "0x10000"),
    (["--scale=-4"], "0x10000"),
    (["--scale=abc"], "0x10000"),
    (["--scale=0x8000junk"], "0x10000"),
    (["--scale="], "0x10000"),
    (["--scale=99999999999999999999"], "0x10000"),
    (["--rate=0"], "10000"),
    (["--rate=10001"], "10000"),
    (["--rate=1e3"], "10000"),
    (["--ticks=never"], "timer"),
    (["--format=nothing"], "csv"),
    (["--by=nothing"], "function"),
    (["--top=-1"], "--top"),
    (["--min=101"], "--min"),
    (["--focus=("], "--focus"),
    (["--color=sometimes"], "always"),
    (["--signal=SIGTERM"], "--signal"),
    (["--signal=9"], "--signal"),
    (["--no-such-option"], "--no-such-option"),
    (["-o", "/nonexistent/folder/report"], "/nonexistent/folder/report"),
    (["-p", "1"], "cannot attach to a running program"),
]

NO_PROGRAM = [[], ["--scale=0x8000"], ["--"], ["--csv"]]


def check(command, status, text, environment=None):
    run = harness.Run([harness.PROFRUN, *command], environment)
    errors = run.errors.decode()
    assert run.status == status, f"{command}: status {run.status}, not {status}: {errors}"
    assert run.output == b"", f"{command}: wrote to stdout: {run.output.decode()}"
    assert errors.startswith("profrun: "), f"{command}: {errors}"
    assert text in errors, f"{command}: no '{text}' in: {errors}"


def main():
    for options, text in REFUSED:
        check([*options, *ECHO], 125, text)
    for options in NO_PROGRAM:
        check(options, 125, "no PROGRAM given")
    check(["NAME=value", *ECHO], 125, "env NAME=value")
    check(["doctor", "true", "false"], 125, "profrun doctor true")
    check(["/nonexistent/program"], 127, "/nonexistent/program")
    check(["no-such-program-anywhere"], 127, "no-such-program-anywhere")
    check(["/"], 126, "/")
    check(["/etc/passwd"], 126, "/etc/passwd")
    with harness.scratch() as folder:
        script = os.path.join(folder, "script")
        with open(script, "w", encoding="utf-8") as file:
            file.write(f"#!{script}\n")
        os.chmod(script, 0o755)
        check([script], 126, "let the first line name a program")
    for words in ("echo", "--scale=0 --", "'--scale=2", "--no-such-option", "--scale"):
        check(ECHO, 125, "PROFRUN_OPTIONS", {"PROFRUN_OPTIONS": words})


main()
