/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-chart.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CHART_TABLE (dyno_chart_table_get_type ())

/**
 * DynoChartTable:
 *
 * The data of a chart in rows and columns, for those who would rather read than look. Property, read-write:
 * `chart` ([class@Dyno.Chart], nullable).
 */
G_DECLARE_FINAL_TYPE (DynoChartTable, dyno_chart_table, DYNO, CHART_TABLE, GtkWidget)

void dyno_chart_table_set_chart (DynoChartTable *self, DynoChart *chart);

G_END_DECLS
