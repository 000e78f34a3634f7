/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-cases.h"
#include "dyno-comparison.h"

G_BEGIN_DECLS

#define DYNO_COMPARISON_METRIC    "latency_p50_ms"
#define DYNO_COMPARISON_THRESHOLD 0.02

/**
 * DynoComparisonOptions:
 * @metric: (nullable): the stable name of the value to test; NULL for the median latency
 * @threshold: the practical threshold, as a share; 0 for 2 %
 * @by: the parts in which the cases of one run are compared; 0 to compare runs or, for a single run, the parts that
 *   vary in it
 * @baseline: (nullable): the baseline: a run by its id or title, or a value of @by; NULL for the first
 *
 * How to compare.
 */
typedef struct
{
  const char *metric;
  double threshold;
  DynoCaseParts by;
  const char *baseline;
} DynoComparisonOptions;

/* Aligns the cases, judges each, and finds the other differences. May take some seconds: not for the main
 * thread. Returns the comparison, possibly without a case; NULL where one run has nothing to compare
 * (DYNO_ERROR_INVALID_ARGUMENT) or there is no such baseline (DYNO_ERROR_NOT_FOUND). @runs: runs with their
 * results, or one run whose cases are compared with each other. */
DynoComparison *dyno_comparison_new (GPtrArray *runs, const DynoComparisonOptions *options, GError **error);

G_END_DECLS
