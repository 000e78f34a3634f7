/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-private.h"

G_BEGIN_DECLS

/* Creates the layer for the readings of a case. @is_single: whether it is the only one. */
typedef DynoLayer *(*DynoTimeLayer) (DynoSeries *series, gboolean is_single);

/* Adds the headings of a table of readings over time. */
void dyno_time_table_add_head (DynoChart *chart, const char *title, const char *unit);
/* Adds rows for the readings: one each, or in long series one for several, to keep the table readable. @kase
 * may be NULL. */
void dyno_time_table_add_series (DynoChart *chart, DynoSeries *series, const DynoChartCase *kase);
/* Adds the readings of each case to the picture and to the table, above the phases of the case if it is the
 * only one. Returns the series, in the order of the cases. Elements are DynoSeries. The caller owns it.
 * @cases holds DynoChartCase. */
GPtrArray *dyno_time_table_add_cases (
    DynoChart *chart, GPtrArray *cases, const char *trace, const char *value, DynoTimeLayer create_layer);

G_END_DECLS
