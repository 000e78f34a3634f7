/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-chart.h"

G_BEGIN_DECLS

#define DYNO_TYPE_DATA_TABLE (dyno_data_table_get_type ())

/**
 * DynoDataTable:
 *
 * The data of a chart in rows and columns, as an alternative to the picture.
 */
G_DECLARE_FINAL_TYPE (DynoDataTable, dyno_data_table, DYNO, DATA_TABLE, AdwBin)

/* @chart may be NULL. */
void dyno_data_table_set_chart (DynoDataTable *self, DynoChart *chart);

/* Returns whether there is such a row. */
gboolean dyno_data_table_select_row (DynoDataTable *self, const char *text);

G_END_DECLS
