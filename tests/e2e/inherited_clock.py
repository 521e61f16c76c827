# SPDX-License-Identifier: MIT
"""Without the right to a clock of each CPU, the kernel's clock belongs to the target's threads.
Where only user code may be sampled, time in the kernel has a row of its own, and a line says so.

Arguments: the target `half_kernel`, the target `short_threads`.
"""

import os
import sys

import binomial
import harness

RATE = 1000
MISSED = 0.03  # of the CPU time: interrupts, and the ends of threads that a period does not reach


def paranoia():
    try:
        with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
            return int(file.read())
    except OSError:
        return 3


def without_rights():
    """What is put before profrun, so that it has no capability even as root."""
    if os.geteuid() != 0:
        return []
    if not harness.has("setpriv"):
        harness.skip("there is no setpriv")
    return ["setpriv", "--bounding-set=-all"]


def measure(program):
    """(Run, Profile, Truth) under the clock that is left."""
    with harness.scratch() as folder:
        report, path = os.path.join(folder, "report"), os.path.join(folder, "truth")
        run = harness.Run([*without_rights(), harness.PROFRUN, "--ticks=kernel", f"--rate={RATE}",
                           "--csv", "--top=0", "-o", report, program],
                          {"TRUTH": path, "SEED": "1"})
        assert run.status == 0, f"status {run.status}: {run.errors.decode()}"
        harness.skip_if_refused(run)
        return run, harness.Profile(report), harness.Truth(path)


def check_total(name, report, truth):
    error = report.ticks / RATE - truth.cpu
    print(f"{name}: {report.ticks:.0f} ticks for {truth.cpu:.3f} s: {error:+.4f} s")
    assert abs(error) <= MISSED * truth.cpu + 0.01, f"{name}: the total is off"


def check_share(report, truth, function):
    share, true = report.share(function=function), truth.seconds[function] / truth.cpu
    print(f"{function}: {100 * share:.2f} %, true {100 * true:.2f} %")
    assert any(binomial.plausible(share, report.effective(), true * factor)
               for factor in (1 - MISSED, 1, 1 + MISSED)), f"the share of {function} is off"


def main():
    if paranoia() != 2:
        harness.skip("perf_event_paranoid is not 2")
    half_kernel, short_threads = sys.argv[1:]
    run, report, truth = measure(half_kernel)
    check_total("half_kernel", report, truth)
    check_share(report, truth, "user_code")
    assert report.share(function="[kernel]") > 0.1, report.rows
    assert b"may not be sampled" in run.errors, run.errors.decode()
    _, report, truth = measure(short_threads)
    check_total("short_threads", report, truth)
    for function in ("early", "middle", "late"):
        check_share(report, truth, function)


main()
