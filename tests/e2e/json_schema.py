# SPDX-License-Identifier: MIT
"""What profrun-json.5 says of JSON is what profrun writes: every member, and no other.

Arguments: the page's source, the target `one_thread`.
"""

import json
import os
import re
import sys

import harness

SCHEMA = 1
KEYED = {"process", "thread", "run", "address"}  # only with those keys


def sections(path):
    """Members by section: lines that begin with a name in bold."""
    found = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("# "):
                section = found.setdefault(line[2:].strip(), set())
            elif re.match(r"\*[a-z_]+\*(, |$)", line):
                section.update(re.findall(r"\*([a-z_]+)\*", line))
    return found


def read(*words, folder):
    run = harness.Run([harness.PROFRUN, "--json", *words], {"XDG_STATE_HOME": folder,
                                                            "WORK": "0.1"})
    assert run.status == 0, run.errors
    data = json.loads(run.output)
    assert data["schema"] == SCHEMA, data["schema"]
    return data


def expect(name, members, page, optional=frozenset()):
    missing, more = page[name] - set(members) - optional, set(members) - page[name]
    assert not missing and not more, f"{name}: not written {missing}, not described {more}"


def main():
    page, target = sections(sys.argv[1]), os.path.abspath(sys.argv[2])
    with harness.scratch() as folder:
        saved = f"{folder}/saved.pb.gz"
        read("--threads", f"--save={saved}", "-o", "/dev/stdout", target, folder=folder)
        report = read("--by=process,thread,run,address,line", "report", folder=folder)
        expect("REPORT", report, page)
        expect("RUN", report["run"], page)
        expect("PROCESS", report["run"]["processes"][0], page)
        expect("ROW", report["rows"][0], page)
        report = read("report", folder=folder)
        expect("ROW", report["rows"][0], page, KEYED)
        assert report["run"]["exit_status"] == 0 and report["run"]["signal"] is None
        change = read("diff", saved, saved, folder=folder)
        expect("DIFFERENCE", change, page)
        expect("CHANGE", change["rows"][0], page, KEYED)
        assert set(change["old"]) == {"command", "cpu_seconds", "ticks", "period_seconds"}
        lines = read("annotate", "half", folder=folder)
        expect("ANNOTATION", lines, page)
        expect("LINE", lines["rows"][0], page, {"address"})


main()
