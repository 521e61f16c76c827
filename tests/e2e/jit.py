# SPDX-License-Identifier: MIT
"""Code that is made at run time has the names of its perf map, and the rest is [anon].

Arguments: --ticks of the runs, then the target `jit`.
"""

import os
import sys

import binomial
import harness
from harness import PROFRUN, Run, profile

TICKS = f"--ticks={sys.argv[1]}"
JIT = sys.argv[2]


def remove_map(run):
    path = run.output.decode().strip()
    for name in (path, path + ".link"):
        if os.path.lexists(name):
            os.unlink(name)


def named_code_has_its_share():
    run, report, truth, _ = harness.measure([JIT], (TICKS, "--rate=250"), 1)
    remove_map(run)
    harness.skip_if_refused(run)
    rows = {"hot": {"function": "hot code", "object": "[jit]"},
            "cold": {"function": "cold code", "object": "[jit]"},
            "nameless": {"function": "[anon]", "object": "[anon]"}}
    for name, row in rows.items():
        share, true = report.share(**row), truth.seconds[name] / truth.cpu
        print(f"{name}: {share:.4f}, true {true:.4f}")
        assert binomial.plausible(share, report.effective(), true), name
    assert not report.select(function="stale")
    assert b"1 line of perf-" in run.errors, run.errors


def names_are_kept_with_the_profile():
    with harness.scratch() as folder:
        saved = os.path.join(folder, "saved")
        run, report = profile([JIT], (TICKS, f"--save={saved}"), {"WORK": "0.2"})
        remove_map(run)
        for options in (), ("--by=function,line",), ("--no-demangle",):
            again = Run([PROFRUN, "--csv", *options, "report", saved, saved])
            rows = list(harness.csv.DictReader(again.output.decode().splitlines()))
            ticks = sum(float(row["ticks"]) for row in rows if row["function"] == "hot code")
            assert ticks == 2 * report.ticks_of(function="hot code"), rows


def links_are_not_followed():
    run, report = profile([JIT, "link"], (TICKS,), {"WORK": "0.2"})
    remove_map(run)
    assert run.status == 0
    assert not report.select(object="[jit]")
    assert report.share(function="[anon]") > 0.5, report.rows
    assert b"/tmp/perf-PID.map" in run.errors, run.errors


def node_names_its_functions():
    if not harness.has("node"):
        return
    script = "function busy(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) % 1000003"
    script += "; return s; } busy(1e8); console.log(process.pid)"
    run, report = profile(["node", "--perf-basic-prof", "-e", script], (TICKS,))
    os.unlink(f"/tmp/perf-{int(run.output)}.map")
    busy = [row for row in report.rows if row["object"] == "[jit]" and "busy" in row["function"]]
    assert sum(float(row["percent"]) for row in busy) > 50, report.rows[:5]


named_code_has_its_share()
names_are_kept_with_the_profile()
links_are_not_followed()
node_names_its_functions()
