/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-axis.h"
#include "dyno-chart-cases.h"

G_BEGIN_DECLS

/* Two values of which one cannot have the best of both. */

/**
 * DynoParetoMetric:
 * @value: the stable name of a value
 * @unit: its unit
 * @title: what people call it, to be translated
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
/* Returns the cases, their @x growing. Elements are DynoChartCase. The caller owns the list, not what is
 * in it. @cases holds DynoChartCase. */
GPtrArray *dyno_pareto_sort (GPtrArray *cases, const DynoParetoMetric *x, const DynoParetoMetric *y);
/* Returns those to which none is better in one value and no worse in the other, in the same order.
 * Elements are DynoChartCase. The caller owns the list, not what is in it. @sorted holds DynoChartCase. */
GPtrArray *dyno_pareto_find_front (GPtrArray *sorted, const DynoParetoMetric *x, const DynoParetoMetric *y);
/* Returns an axis with room for all of them, linear from zero unless they are far apart. @cases holds
 * DynoChartCase. */
DynoAxis *dyno_pareto_create_axis (GPtrArray *cases, const DynoParetoMetric *metric, const char *title);

G_END_DECLS
