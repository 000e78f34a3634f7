/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_COMPARE_PAGE (dyno_compare_page_get_type ())

/**
 * DynoComparePage:
 *
 * Compares two or more runs, one of them the baseline, or the backends of one run: a sentence that names the
 * faster one, a forest plot, a table, further differences, and overlaid charts.
 *
 * Signal `measure-again` (DynoPlan): the user asks to measure the disputed cases in one run.
 */
G_DECLARE_FINAL_TYPE (DynoComparePage, dyno_compare_page, DYNO, COMPARE_PAGE, AdwBin)

/* @store may be NULL. */
void dyno_compare_page_set_store (DynoComparePage *self, DynoStore *store);
void dyno_compare_page_set_documents (DynoComparePage *self, GListModel *documents);
/* Compares exactly these runs. */
void dyno_compare_page_set_runs (DynoComparePage *self, DynoStore *store, const char *const *ids);
/* Adds a run. If it is the first, also adds the newest other run with the same cases, until another run is
 * added. */
void dyno_compare_page_compare_run (DynoComparePage *self, DynoStore *store, const char *id);
/* Reads a run and adds it to the comparison. The oldest run is the baseline until the user chooses another. */
void dyno_compare_page_add_run (DynoComparePage *self, DynoStore *store, const char *id);
/* Returns the number of compared runs. */
guint dyno_compare_page_get_n_runs (DynoComparePage *self);

G_END_DECLS
