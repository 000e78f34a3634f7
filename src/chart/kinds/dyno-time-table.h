/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-private.h"

G_BEGIN_DECLS

/* What draws the readings of a case; whether it is the only one. */
typedef DynoLayer *(*DynoTimeLayer) (DynoSeries *series, gboolean is_single);

void dyno_time_table_add_head (DynoChart *chart, const char *title, const char *unit);
void dyno_time_table_add_series (DynoChart *chart, DynoSeries *series, const DynoChartCase *kase);
GPtrArray *dyno_time_table_add_cases (
    DynoChart *chart, GPtrArray *cases, const char *trace, const char *value, DynoTimeLayer create_layer);

G_END_DECLS
