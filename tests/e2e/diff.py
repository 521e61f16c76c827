# SPDX-License-Identifier: MIT
"""`diff` finds what changed, and finds nothing where nothing did.

Arguments: the program that draws pairs of profiles (tests/cli/diff_driver.c), the target
`one_thread`. Real profiles are drawn from again and again, as repeated runs would give them; how
often a change must be seen, and may be, has exact bounds for one false alarm in a million.
"""

import csv
import io
import json
import os
import subprocess
import sys

import binomial
import harness

PAIRS = 400
FAMILY = 0.05  # the error rate that diff holds
FOUND = 0.98   # of functions of about half the time that became 20 % slower, by 4,000 ticks


def profrun(*words, status=0, folder, work="0.1"):
    run = harness.Run([harness.PROFRUN, *words], {"XDG_STATE_HOME": folder, "WORK": work})
    assert run.status == status, f"{words}: {run.status} {run.errors.decode()}"
    return run


def draw(driver, *words):
    done = subprocess.run([driver, *map(str, words)], check=True, capture_output=True, text=True)
    return tuple(map(int, done.stdout.split()))


def most(share):
    """As many of PAIRS as may be seen where each is with probability @share."""
    return binomial.first(0, PAIRS + 1, lambda count: binomial.at_least(count, PAIRS, share)
                          < binomial.ALPHA) - 1


def nothing_changed(driver, saved):
    for ticks in (100, 400, 4000):
        flagged, _ = draw(driver, saved, ticks, PAIRS)
        print(f"{saved}: {flagged} of {PAIRS} equal pairs of {ticks} ticks show a change")
        assert flagged <= most(FAMILY), f"{flagged} of {PAIRS} equal pairs show a change"


def something_changed(driver, saved):
    _, found = draw(driver, saved, 4000, PAIRS, "half", 1.2)
    print(f"a function of half the time, 20 % slower, is found in {found} of {PAIRS}")
    assert PAIRS - found <= most(1 - FOUND), f"only found in {found} of {PAIRS}"


def reports(folder):
    """Of a real run and one of three times the work: everything is slower, and so said."""
    old, new = f"{folder}/old.pb.gz", f"{folder}/new.pb.gz"
    text = profrun("diff", old, new, folder=folder).output.decode()
    assert "slower" in text and " half\n" in text and "CPU time +" in text, text
    text = profrun("diff", old, old, folder=folder).output.decode()
    assert "slower" not in text and "no change beyond chance" in text, text
    output = profrun("--csv", "diff", old, new, folder=folder).output.decode()
    rows = {row["function"]: row for row in csv.DictReader(io.StringIO(output))}
    assert rows["half"]["changed"] == "1" and float(rows["half"]["change_seconds"]) > 0, rows
    total = sum(float(row["new_ticks"]) for row in rows.values())
    report = json.loads(profrun("--json", "diff", old, new, folder=folder).output)
    assert total == report["new"]["ticks"] and len(report["rows"]) == len(rows), report
    assert [row["function"] for row in report["rows"]] == list(rows)
    run = profrun("--fail-if=20", "diff", old, new, status=1, folder=folder)
    assert b"CPU time rose" in run.errors, run.errors
    profrun("--fail-if=20", "diff", new, old, folder=folder)
    for words in (["diff"], ["diff", old], ["diff", old, new, old], ["diff", old, "/etc/passwd"],
                  ["--format=pprof", "diff", old, new], ["--fail-if=5", "report", old]):
        run = profrun(*words, status=125, folder=folder)
        assert run.errors.startswith(b"profrun: ") and not run.output, run


def main():
    driver, target = map(os.path.abspath, sys.argv[1:])
    # So many ticks that chance hides nothing.
    quiet = ["-q", "-o", "/dev/null", "--rate=1000"]
    with harness.scratch() as folder:
        profrun(*quiet, f"--save={folder}/old.pb.gz", target, folder=folder)
        profrun(*quiet, f"--save={folder}/new.pb.gz", target, folder=folder, work="0.3")
        profrun(*quiet, f"--save={folder}/python.pb.gz", "python3", "-c",
                "import json; [json.loads(json.dumps(list(range(99)))) for _ in range(9999)]",
                folder=folder)
        for name in ("new", "python"):
            nothing_changed(driver, f"{folder}/{name}.pb.gz")
        something_changed(driver, f"{folder}/new.pb.gz")
        reports(folder)


main()
