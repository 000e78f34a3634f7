/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-private.h"

G_BEGIN_DECLS

void dyno_time_table_add_head (DynoChart *chart, const char *title, const char *unit);
void dyno_time_table_add_series (DynoChart *chart, DynoSeries *series, const DynoChartCase *kase);

G_END_DECLS
