# SPDX-License-Identifier: MIT
"""Two plugins that lie at the same address one after the other have rows of their own.

Arguments: --ticks of the runs, the target `epochs`, the plugin.
"""

import os
import shutil
import sys

import binomial
import harness

TICKS, EPOCHS, PLUGIN = sys.argv[1:]

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
        counted, true = report.share(object=name), truth.seconds[name] / truth.cpu
        print(f"{name}: {counted:.4f}, true {true:.4f}")
        # The plugin's own part of what was measured: opening and closing it is the rest.
        assert counted < true or binomial.plausible(counted, report.effective(), true), name
        assert counted > 0.5 * true, name
    assert report.ticks_of(function="[unknown]") <= 0.02 * report.ticks + 3, report.rows
