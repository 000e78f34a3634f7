/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-ceiling.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CEILING_ROW (dyno_ceiling_row_get_type ())

/**
 * DynoCeilingRow:
 *
 * One ceiling of the machine: its median, its spread and its theoretical value; the expander shows how it was
 * measured.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingRow, dyno_ceiling_row, DYNO, CEILING_ROW, AdwExpanderRow)

/* Returns a new row. */
GtkWidget *dyno_ceiling_row_new (DynoCeiling *ceiling);

G_END_DECLS
