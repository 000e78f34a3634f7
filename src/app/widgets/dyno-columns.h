/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DYNO_TYPE_COLUMNS (dyno_columns_get_type ())

/**
 * DynoColumns:
 *
 * Lays out its children in equal columns if it is at least `threshold` px wide, or stacked if it is narrower
 * or they do not fit. Properties, read-write: `threshold` and `spacing` (int, px).
 */
G_DECLARE_FINAL_TYPE (DynoColumns, dyno_columns, DYNO, COLUMNS, GtkWidget)

G_END_DECLS
