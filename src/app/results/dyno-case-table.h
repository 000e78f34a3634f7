/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CASE_TABLE (dyno_case_table_get_type ())

/**
 * DynoCaseTable:
 *
 * The cases of a run, one a row, sorted by whatever column is pressed. Properties: `run` ([class@Dyno.Run],
 * nullable, with results), `narrow` (boolean: show only what matters most), and the read-only, notified
 * `selected` ([class@Dyno.Result], nullable).
 */
G_DECLARE_FINAL_TYPE (DynoCaseTable, dyno_case_table, DYNO, CASE_TABLE, AdwBin)

GtkWidget *dyno_case_table_new (void);

void dyno_case_table_set_run (DynoCaseTable *self, DynoRun *run);
DynoResult *dyno_case_table_get_selected (DynoCaseTable *self);
void dyno_case_table_select (DynoCaseTable *self, DynoResult *result);

G_END_DECLS
