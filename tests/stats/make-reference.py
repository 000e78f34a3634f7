#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes reference.ini: what SciPy makes of data that the tests give to src/stats as well.

Run by hand, python3 make-reference.py > reference.ini, with numpy and scipy; the tests read the file alone.
"""

import itertools
import sys

import numpy
import scipy
from scipy import stats


def write(name, **values):
    """A group of a key file; numbers with all their digits."""
    print(f"\n[{name}]")
    for key, value in values.items():
        numbers = numpy.atleast_1d(numpy.asarray(value, dtype=float))
        print(f"{key}={';'.join(repr(float(number)) for number in numbers)}")


def find_exact_p(a, b):
    """Two-sided, over all ways to divide the values, ties or not."""
    ranks = stats.rankdata(numpy.concatenate([a, b]))
    observed = ranks[:len(a)].sum()
    sums = numpy.array([ranks[list(chosen)].sum() for chosen in itertools.combinations(range(len(ranks)), len(a))])
    return min(1, 2 * min((sums <= observed + 1e-9).mean(), (sums >= observed - 1e-9).mean()))


def write_rank_test(name, a, b, exact):
    result = stats.mannwhitneyu(a, b, method="asymptotic")
    p = result.pvalue
    if exact:
        p = find_exact_p(a, b)
        if len(set(a) | set(b)) == len(a) + len(b):
            assert abs(p - stats.mannwhitneyu(a, b, method="exact").pvalue) < 1e-12
    pairs = numpy.subtract.outer(a, b)
    write(name, a=a, b=b, u=result.statistic, p=p, delta=(pairs > 0).mean() - (pairs < 0).mean())


def write_rank_tests(random):
    write_rank_test("rank-test five", [4.1, 4.3, 4.2, 4.0, 4.25], [4.4, 4.5, 4.35, 4.45, 4.6], True)
    write_rank_test("rank-test uneven", random.normal(10, 1, 4).round(3), random.normal(11, 1, 9).round(3), True)
    write_rank_test("rank-test equal", [1, 1, 1, 1], [1, 1, 1], True)
    write_rank_test("rank-test tied", random.integers(0, 5, 8), random.integers(1, 7, 6), True)
    write_rank_test("rank-test ten", random.normal(10, 1, 10).round(1), random.normal(10.5, 1, 9).round(1), True)
    write_rank_test("rank-test many", random.normal(10, 1, 60).round(4), random.normal(10.3, 2, 45).round(4), False)
    write_rank_test("rank-test many-tied", random.integers(0, 12, 80), random.integers(1, 13, 70), False)


def write_false_discovery(random):
    # Benjamini and Hochberg, 1995, section 4: fifteen comparisons of thrombolysis trials.
    trials = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
              0.7590, 1.0]
    shuffled = random.permutation(trials)
    write("false-discovery", p=shuffled, adjusted=stats.false_discovery_control(shuffled))


def write_distributions():
    z = [-8, -3, -1.2, 0, 0.3, 2.5, 6]
    write("normal", z=z, probability=stats.norm.cdf(z))
    t = numpy.array([-30, -4, -1.3, 0, 0.4, 2.2, 12])
    for freedom in (1, 4, 7.5, 200):
        write(f"student {freedom}", freedom=freedom, t=t, probability=stats.t.cdf(t, freedom))
    x = [0.001, 0.05, 0.3, 0.5, 0.77, 0.99]
    for a, b in ((0.5, 0.5), (1, 30), (44, 1), (459, 3), (3000, 5000), (99000, 1001)):
        write(f"beta {a} {b}", a=a, b=b, x=x, probability=stats.beta.cdf(x, a, b))


def write_bootstrap(random):
    """Intervals of a hundred thousand resamples; ours may differ by what chance does in fewer."""
    for n in (40, 101, 300):
        a = random.lognormal(1, 0.2, n).round(6)
        b = random.lognormal(1.1, 0.3, n + 10).round(6)
        median = stats.bootstrap((a,), numpy.median, n_resamples=100000, method="BCa", random_state=1)
        ratio = stats.bootstrap((a, b), lambda x, y, axis=-1: numpy.median(x, axis) / numpy.median(y, axis),
                                n_resamples=100000, method="BCa", random_state=1)
        write(f"bootstrap {n}", a=a, b=b, median=median.confidence_interval, ratio=ratio.confidence_interval)


def find_division(values, min_level=3):
    """Where the energy distance, weighted by the lengths, is the largest."""
    n = len(values)
    distances = {
        k: k * (n - k) / n * stats.energy_distance(values[:k], values[k:]) ** 2
        for k in range(min_level, n - min_level + 1)
    }
    return max(distances, key=distances.get)


def write_divisions(random):
    for n, change, step in ((20, 12, 4), (60, 45, 2), (200, 30, 1.5)):
        values = random.standard_t(3, n)
        values[change:] += step
        write(f"division {n}", values=values.round(6), change=find_division(values.round(6)))


def write_early_stopping():
    """The fewest tries of which so few exceed the percentile with a chance of one in a hundred at most."""
    for percent in (90, 95, 99, 99.9):
        over = [0, 1, 2, 5, 10]
        sizes = []
        for count in over:
            size = count + 1
            while stats.binom.cdf(count, size, 1 - percent / 100) > 0.01:
                size += 1
            sizes.append(size)
        write(f"early-stopping {percent}", percent=percent, over=over, sizes=sizes)


def write_means(random):
    values = random.lognormal(0, 1, 30).round(4)
    write("means", values=values, geometric=stats.gmean(values), harmonic=stats.hmean(values))


def main():
    random = numpy.random.default_rng(2026)
    print("# SPDX-License-Identifier: GPL-3.0-or-later")
    print(f"# Written by make-reference.py with SciPy {scipy.__version__}, NumPy {numpy.__version__}.")
    write_rank_tests(random)
    write_false_discovery(random)
    write_distributions()
    write_bootstrap(random)
    write_divisions(random)
    write_early_stopping()
    write_means(random)
    return 0


if __name__ == "__main__":
    sys.exit(main())
