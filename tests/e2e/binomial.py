# SPDX-License-Identifier: MIT
"""Exact binomial bounds: may a share that was counted have come from a share that is true?

The whole suite may raise a false alarm once in a million runs. It makes fewer than COMPARISONS
two-sided comparisons, so that each tail of each may take ALPHA.
"""

import math

COMPARISONS = 200
ALPHA = 1e-6 / (2 * COMPARISONS)


def log_probability(count, trials, share):
    """Of exactly count successes."""
    return (math.lgamma(trials + 1) - math.lgamma(count + 1) - math.lgamma(trials - count + 1)
            + count * math.log(share) + (trials - count) * math.log1p(-share))


def at_most(count, trials, share):
    """The probability of count successes or fewer."""
    if share <= 0 or count >= trials:
        return 1.0
    if share >= 1 or count < 0:
        return 0.0
    return min(1.0, math.fsum(math.exp(log_probability(i, trials, share))
                              for i in range(count + 1)))


def at_least(count, trials, share):
    return at_most(trials - count, trials, 1 - share)


def plausible(counted, trials, share):
    """Whether a counted share of as many trials (rounded towards the truth) can be chance."""
    trials = int(trials)
    count = counted * trials
    if counted > share:
        return at_least(math.floor(count), trials, share) >= ALPHA
    return at_most(math.ceil(count), trials, share) >= ALPHA


def power(trials, share, bias):
    """The probability that so many trials betray a share that is off by bias."""
    trials = int(trials)
    high, low = min(share + bias, 1.0), max(share - bias, 0.0)
    # The smallest count above, and the largest below, that plausible() refuses.
    above = first(math.floor(trials * share), trials + 1,
                  lambda count: at_least(count, trials, share) < ALPHA)
    below = first(0, math.ceil(trials * share) + 1,
                  lambda count: at_most(count, trials, share) >= ALPHA) - 1
    return min(at_least(above, trials, high), at_most(below, trials, low))


def first(low, high, holds):
    """The first number in low to high - 1 from which on holds() is true, or high."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return low
