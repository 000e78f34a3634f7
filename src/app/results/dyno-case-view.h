/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-run.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CASE_VIEW (dyno_case_view_get_type ())

/**
 * DynoCaseView:
 *
 * All details of one case: its outcome, the findings, its charts and its values.
 */
G_DECLARE_FINAL_TYPE (DynoCaseView, dyno_case_view, DYNO, CASE_VIEW, AdwBin)

/* Returns an empty view. */
GtkWidget *dyno_case_view_new (void);
void dyno_case_view_set_result (DynoCaseView *self, DynoRun *run, DynoResult *result);

/* @ceilings (nullable): the ceilings of the machines of runs, see dyno_chart_groups_set_ceilings(). */
void dyno_case_view_set_ceilings (DynoCaseView *self, GHashTable *ceilings);

G_END_DECLS
