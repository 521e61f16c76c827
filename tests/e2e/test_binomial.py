# SPDX-License-Identifier: MIT
"""The bounds themselves: they keep their error rate, and they see a bias of five points."""

import random
import sys
import unittest

import binomial


def drawn(generator, trials, share):
    return sum(generator.random() < share for _ in range(trials)) / trials


class Bounds(unittest.TestCase):
    def test_tails_are_exact(self):
        self.assertAlmostEqual(binomial.at_most(0, 3, 0.5), 1 / 8)
        self.assertAlmostEqual(binomial.at_most(1, 3, 0.5), 1 / 2)
        self.assertAlmostEqual(binomial.at_least(3, 3, 0.1), 1e-3)
        self.assertAlmostEqual(binomial.at_least(2, 2, 1.0), 1.0)

    def test_true_data_pass(self):
        generator = random.Random(1)
        for share in (0.02, 0.25, 0.5, 0.9):
            for _ in range(20):
                self.assertTrue(binomial.plausible(drawn(generator, 1000, share), 1000, share))

    def test_biased_data_fail(self):
        generator = random.Random(2)
        for share in (0.02, 0.25, 0.5, 0.9):
            for bias in (-0.05, 0.05):
                if share + bias < 0:
                    continue
                counted = drawn(generator, 8000, share + bias)
                self.assertFalse(binomial.plausible(counted, 8000, share))

    def test_power_is_what_simulation_shows(self):
        generator = random.Random(3)
        trials, share, bias = 3500, 0.5, 0.05
        refused = sum(not binomial.plausible(drawn(generator, trials, share + bias), trials, share)
                      for _ in range(60)) / 60
        self.assertAlmostEqual(binomial.power(trials, share, bias), refused, delta=0.2)

    def test_few_trials_have_no_power(self):
        self.assertLess(binomial.power(500, 0.5, 0.05), 0.01)
        self.assertGreater(binomial.power(8000, 0.5, 0.05), 0.99)


if __name__ == "__main__":
    sys.exit(0 if unittest.main(exit=False).result.wasSuccessful() else 1)
