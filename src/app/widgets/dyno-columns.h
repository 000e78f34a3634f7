/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DYNO_TYPE_COLUMNS (dyno_columns_get_type ())

/**
 * DynoColumns:
 *
 * Lays its children side by side in equal columns where it is at least `threshold` px wide, and one below
 * the other where it is narrower, or where they do not fit. Properties, read-write: `threshold` and `spacing` (int, px).
 */
G_DECLARE_FINAL_TYPE (DynoColumns, dyno_columns, DYNO, COLUMNS, GtkWidget)

G_END_DECLS
