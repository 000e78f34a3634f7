/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-result.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CASE_GRID (dyno_case_grid_get_type ())

/**
 * DynoCaseGrid:
 *
 * All cases of a run at a glance: a small square per case shows its status by symbol and colour. Properties,
 * read-write: `results` (a list of DynoResult) and `selected` (DynoResult or NULL).
 */
G_DECLARE_FINAL_TYPE (DynoCaseGrid, dyno_case_grid, DYNO, CASE_GRID, AdwBin)

GListModel *dyno_case_grid_get_results (DynoCaseGrid *self);
void dyno_case_grid_set_results (DynoCaseGrid *self, GListModel *results);
/* Returns the result of the selected square; NULL if there is none. */
DynoResult *dyno_case_grid_get_selected (DynoCaseGrid *self);
/* @result: a result of the list, or NULL to clear the selection. */
void dyno_case_grid_set_selected (DynoCaseGrid *self, DynoResult *result);

/* Returns the case's label, its status, and its median latency or the reason of its failure. The caller owns
 * it. */
char *dyno_case_grid_describe (DynoResult *result);

G_END_DECLS
