/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-axis.h"
#include "dyno-chart-cases.h"

G_BEGIN_DECLS

/* The trade-off between two values: the best of both is not available at once. */

/**
 * DynoParetoMetric:
 * @value: the stable name of a value
 * @unit: its unit
 * @title: its name for people, to be translated
 * @words: (nullable): the same within a title, to be translated
 */
typedef struct
{
  const char *value;
  const char *unit;
  const char *title;
  const char *words;
} DynoParetoMetric;

double dyno_pareto_get_number (const DynoChartCase *kase, const DynoParetoMetric *metric);
/* Returns the cases in order of increasing @x. Elements are DynoChartCase. The caller owns the list, but not
 * its elements. @cases holds DynoChartCase. */
GPtrArray *dyno_pareto_sort (GPtrArray *cases, const DynoParetoMetric *x, const DynoParetoMetric *y);
/* Returns the Pareto front in the same order: no other case is better in one value and no worse in the other.
 * Elements are DynoChartCase. The caller owns the list, but not its elements. @sorted holds DynoChartCase. */
GPtrArray *dyno_pareto_find_front (GPtrArray *sorted, const DynoParetoMetric *x, const DynoParetoMetric *y);
/* Returns an axis with room for all values, linear from zero unless they are far apart. @cases holds
 * DynoChartCase. */
DynoAxis *dyno_pareto_create_axis (GPtrArray *cases, const DynoParetoMetric *metric, const char *title);

G_END_DECLS
