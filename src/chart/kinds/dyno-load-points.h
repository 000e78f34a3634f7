/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-cases.h"
#include "dyno-load-summary.h"
#include "dyno-series.h"

G_BEGIN_DECLS

/**
 * DynoLoadMark:
 * @kase: its case
 * @rate: requested items per second, 0 for a closed loop
 * @clients: the number of clients
 * @answered: answered items per second
 * @good: items per second that were answered within the limit
 * @p50: median latency, in ms; like those below, NaN if the rate was overloaded, because it then grew
 *   throughout
 * @p90: its 90th percentile; like the next, NaN if there are too few requests for it
 * @p99: its 99th percentile
 * @problems: DynoLoadProblems
 * @has_limit: whether there was a limit
 *
 * A stretch under load, as a point of a chart.
 */
typedef struct
{
  const DynoChartCase *kase;
  double rate;
  double clients;
  double answered;
  double good;
  double p50;
  double p90;
  double p99;
  guint problems;
  gboolean has_limit;
} DynoLoadMark;

/* Returns the rate with the model's word for an item. */
char *dyno_load_points_format (const DynoLoadMark *mark, double rate);
/* A closed loop and a rate are never the same measurement, so they are never in one series. Returns all
 * stretches of that kind, in the order of the cases; for searches for the capacity, those of the first
 * process. Elements are DynoLoadMark. @cases holds DynoChartCase. */
GArray *dyno_load_points_list (GPtrArray *cases, gboolean are_rates);
gboolean dyno_load_points_has_rates (DynoResult *result);
gboolean dyno_load_points_has_loops (DynoResult *result);
/* Returns a note that the chart shows only the first process of a search; NULL if there is none. @cases holds
 * DynoChartCase. */
char *dyno_load_points_dup_note (GPtrArray *cases);
/* Returns whether its queue grew throughout. */
gboolean dyno_load_points_is_overloaded (const DynoLoadMark *mark);
/* Returns whether it has too few requests for one of its percentiles. */
gboolean dyno_load_points_has_too_few (const DynoLoadMark *mark);
/* Returns whether its rate was delivered and kept within the limit. */
gboolean dyno_load_points_is_kept (const DynoLoadMark *mark);
/* Returns the series of the stretch: there is one for each combination of dimensions other than the load,
 * which the axes show. @all holds DynoSeries. @cases holds DynoChartCase. */
DynoSeries *dyno_load_points_find_series (
    GPtrArray *all, GPtrArray *cases, const DynoLoadMark *mark, const char *what, guint first_slot);

G_END_DECLS
