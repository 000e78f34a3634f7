#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What bench-stats times with src/stats, with SciPy: for each line that comes in, its processor time in milliseconds."""

import sys
import time

import numpy
from scipy import stats


def compare(before, after):
    begin = time.process_time()
    stats.mannwhitneyu(after, before)
    stats.bootstrap((after, before), lambda a, b, axis=-1: numpy.median(a, axis) / numpy.median(b, axis),
                    n_resamples=10000, method="percentile", random_state=1)
    return 1e3 * (time.process_time() - begin)


def main():
    random = numpy.random.default_rng(1)
    before = random.lognormal(2.3, 0.05, 1000)
    after = random.lognormal(2.33, 0.05, 1000)
    print("ready", flush=True)
    for _ in sys.stdin:
        print(compare(before, after), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
