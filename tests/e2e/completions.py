# SPDX-License-Identifier: MIT
"""Completions, in the shells that they are made for; those that are not installed are left out."""

import subprocess

import harness

BASH = r"""
source ./script
ask() { COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _profrun 2>/dev/null; echo "${COMPREPLY[*]}"; }
ask profrun --format = c
ask profrun --format c
ask profrun --scal
ask profrun rep
ask profrun --color = n
ask profrun -o fil
"""
BASH_ANSWERS = ["csv callgrind", "csv callgrind", "--scale", "report", "never", "file"]

FISH = ("--format=c", "--scal", "rep")
FISH_ANSWERS = ("--format=csv", "--scale", "report")


def shell(*command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True,
                          env={"HOME": folder, "PATH": "/usr/bin:/bin", "TERM": "dumb"})
    return done.stdout


def write(name, folder):
    run = harness.Run([harness.PROFRUN, f"--completion={name}"])
    assert run.status == 0 and not run.errors, run.errors
    with open(f"{folder}/script", "wb") as file:
        file.write(run.output)


def check_bash(folder):
    answers = shell("bash", "-c", BASH, folder=folder).splitlines()
    for expected, answer in zip(BASH_ANSWERS, answers, strict=True):
        assert sorted(expected.split()) == sorted(set(answer.split())), (expected, answers)


def check_zsh(folder):
    shell("zsh", "-f", "-c", "autoload -Uz compinit; compinit -D; source ./script; "
          "whence -w _profrun", folder=folder)
    shell("zsh", "-f", "-n", "script", folder=folder)


def check_fish(folder):
    for question, expected in zip(FISH, FISH_ANSWERS, strict=True):
        answer = shell("fish", "--no-config", "-c",
                       f"source ./script; complete -C 'profrun {question}'", folder=folder)
        assert expected in [line.split("\t")[0] for line in answer.splitlines()], answer


def main():
    with harness.scratch() as folder:
        with open(f"{folder}/file", "wb"):
            pass
        for name, check in (("bash", check_bash), ("zsh", check_zsh), ("fish", check_fish)):
            write(name, folder)
            if harness.has(name):
                check(folder)
    run = harness.Run([harness.PROFRUN, "--completion=tcsh"])
    assert run.status == 125 and b"bash, zsh, fish" in run.errors, run.errors


main()
