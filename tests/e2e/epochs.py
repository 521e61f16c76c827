# SPDX-License-Identifier: MIT
"""Two plugins that lie at the same address one after the other have rows of their own.

Where more of them were closed than profrun could be told of, those have none, and no other's.

Arguments: --ticks of the runs, the target `epochs`, the plugin.
"""

import os
import shutil
import sys

import binomial
import harness

TICKS, EPOCHS, PLUGIN = sys.argv[1:]


def share_of(name, report, truth):
    counted, true = report.share(object=name), truth.seconds[name] / truth.cpu
    print(f"{name}: {counted:.4f}, true {true:.4f}")
    # The plugin's own part of what was measured: opening and closing it is the rest.
    assert counted < true or binomial.plausible(counted, report.effective(), true), name
    return counted / true


with harness.scratch() as folder:
    paths = [os.path.join(folder, name) for name in ("first.so", "second.so")]
    for path in paths:
        shutil.copy(PLUGIN, path)
    run, report, truth, _ = harness.measure([EPOCHS, *paths],
                                            (f"--ticks={TICKS}", "--rate=250"), 1)
    harness.skip_if_refused(run)
    assert run.status == 0, run.errors
    print(f"{int(run.output)} times at the address of the one before")
    assert int(run.output) > 0, "each lay where nothing had been: this proves nothing"
    for name in ("first.so", "second.so"):
        assert share_of(name, report, truth) > 0.5, name
    assert report.ticks_of(function="[unknown]") <= 0.02 * report.ticks + 3, report.rows

    # Ticks that come from outside tell what is mapped by themselves.
    if TICKS == "timer":
        run, report, truth, _ = harness.measure([EPOCHS, *paths, "stop"],
                                                (f"--ticks={TICKS}", "--rate=250"), 1)
        assert run.status == 0, run.errors
        for name in ("first.so", "second.so"):
            assert share_of(name, report, truth) > 0.2, name
        if report.ticks_of(function="[unknown]") == 0:
            print("left out: profrun was told of all of them")
