# SPDX-License-Identifier: MIT
"""The shares that profrun reports of a target against those that the target measured.

Arguments: the workload's name in WORKLOADS, then the target and its arguments. Runs of different
seeds are added up until a bias of five points could not hide, then each function is compared.

Under timers, programs that alternate are compared run by run. CPU timers expire in the scheduler's
tick, which meets a program of 10 or 20 ms in five places only: a run shows up to 60 % of what is
50 %, whatever the number of ticks, and where the places lie is another draw for each run. Beyond
these ten points each run must agree; a strict period does not (71/29, or 0/100). One of 6.6 ms is
met in 33 places and has no such allowance, and the kernel's clock is in step with nothing.
"""

import argparse
import sys

import binomial
import harness

BIAS = 0.05
POWER = 0.99
MOST_RUNS = 12
TRIES = 5
DISTURBED = 0.01

# threads: how many there are, each of which rounds its first tick; shared: whether CPU time lost to
# others bends the shares (not where each thread runs one function, whatever its CPU does); apart:
# how many runs under a timer are compared, each by itself; limits: what a timer cannot tell, by the
# target's argument.
WORKLOADS = {
    "one_thread": {"threads": 1},
    "four_threads": {"threads": 4, "shared": False},
    "short_threads": {"threads": 201},
    "half_kernel": {"threads": 1},
    "libraries": {"threads": 1},
    "plugin_host": {"threads": 1},
    "children": {"threads": 3, "shared": False},
    "alternate": {"threads": 1, "apart": 3, "limits": {"5": 0.10, "10": 0.10}},
    "aligned": {"threads": 1},
}

# Sources to which it does not matter who else uses the CPU.
UNBIASED = ("kernel", "signal")

# The names under which time that a target calls by one name may stand in the report.
ALIASES = {
    "write": ("__write", "__libc_write", "__GI___libc_write"),
    "read": ("__read", "__libc_read", "__GI___libc_read"),
}


def counted(report, name):
    if ".so" in name:
        return report.share(object=name)
    return sum(report.share(function=function) for function in (name, *ALIASES.get(name, ())))


def undisturbed(command, seed, workload, chosen):
    options = (f"--ticks={chosen.ticks}", f"--rate={chosen.rate}")
    for _ in range(TRIES):
        run, report, truth, steal = harness.measure(command, options, seed)
        assert run.status == 0, f"status {run.status}: {run.errors.decode()}"
        harness.skip_if_refused(run)
        # Stolen time is in no CPU time, and a clock of the whole CPU ticks on.
        stolen = steal.seconds if chosen.ticks == "kernel" else 0
        check_total(report, truth, workload["threads"], chosen, stolen)
        # Kept off its CPU by others, to which timers of CPU time are sensitive.
        disturbed = max(truth.delay / truth.cpu, steal.share)
        if (disturbed <= DISTURBED or not workload.get("shared", True)
                or chosen.ticks in UNBIASED):
            return report, truth
        print(f"seed {seed}: kept off its CPU for {100 * disturbed:.1f} % of its time")
    return harness.skip(f"inconclusive: this machine was busy in each of {TRIES} tries")


def check_total(report, truth, threads, chosen, stolen):
    """Ticks x period is the CPU time, but for half a tick (4 sigma) at each thread's ends."""
    period = 1 / chosen.rate
    error = report.ticks * period - truth.cpu
    lag = harness.LAGS.get(chosen.ticks, 0)
    allowed = 0.005 * truth.cpu + period * (2 + lag + 2 * threads ** 0.5)
    print(f"{report.ticks:.0f} ticks for {truth.cpu:.3f} s of CPU time: {error:+.4f} s, "
          f"{-allowed:+.4f} to {allowed + stolen:+.4f} allowed")
    assert -allowed <= error <= allowed + stolen, "the total is off"


class Pool:
    """Runs added up: effective ticks, those of each function, and true times."""

    def __init__(self):
        self.trials, self.cpu = 0.0, 0.0
        self.counts, self.seconds = {}, {}

    def add(self, report, truth):
        effective = report.effective()
        self.trials += effective
        self.cpu += truth.cpu
        for name, seconds in truth.seconds.items():
            self.seconds[name] = self.seconds.get(name, 0.0) + seconds
            self.counts[name] = self.counts.get(name, 0.0) + effective * counted(report, name)

    def shares(self):
        """(name, counted share, true share), the greatest first."""
        rows = [(name, self.counts[name] / self.trials, seconds / self.cpu)
                for name, seconds in self.seconds.items()]
        return sorted(rows, key=lambda row: -row[2])

    def has_power(self):
        return all(binomial.power(self.trials, true, BIAS) >= POWER
                   for _, _, true in self.shares())


def compare(pool, limit=0.0):
    """How many functions have a share that cannot be chance."""
    wrong = 0
    for function, share, true in pool.shares():
        nearest = min(max(share, true - limit), true + limit)
        right = binomial.plausible(share, pool.trials, nearest)
        wrong += not right
        print(f"{function:12} {100 * share:7.2f} % of {pool.trials:.0f} ticks, true "
              f"{100 * true:6.2f} %{'' if right else '  <-- cannot be chance'}")
    return wrong


def compare_apart(command, runs, workload, chosen):
    """How many runs, each by itself, show what cannot be chance."""
    limit = workload["limits"].get(command[-1], 0.0)
    wrong = 0
    for seed in range(1, runs + 1):
        pool = Pool()
        pool.add(*undisturbed(command, seed, workload, chosen))
        wrong += compare(pool, limit) > 0
    return wrong


def compare_together(command, runs, workload, chosen):
    pool, done = Pool(), 0
    while done < runs or not pool.has_power():
        if done >= max(MOST_RUNS, runs):
            sys.exit(f"{pool.trials:.0f} ticks in {done} runs are too few to see a bias")
        done += 1
        pool.add(*undisturbed(command, done, workload, chosen))
    return compare(pool)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ticks", default="timer")
    parser.add_argument("--rate", type=int, default=250)
    parser.add_argument("--runs", type=int, default=1, help="at least so many")
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument("command", nargs=argparse.REMAINDER)
    chosen = parser.parse_args()
    workload = WORKLOADS[chosen.workload]
    limited = chosen.command[-1] in workload.get("limits", {})
    apart = workload.get("apart", 0) if limited and chosen.ticks not in UNBIASED else 0
    compare_runs = compare_apart if apart else compare_together
    runs = max(chosen.runs, apart, 1)
    sys.exit(1 if compare_runs(chosen.command, runs, workload, chosen) else 0)


main()
