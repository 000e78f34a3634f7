/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_COMPARE_PAGE (dyno_compare_page_get_type ())

/**
 * DynoComparePage:
 *
 * Two or more runs side by side, one of them the baseline, or the backends of one run: what is faster, as a sentence, a
 * forest plot and a table, what else differs, and overlaid charts.
 *
 * Signal `measure-again` ([class@Dyno.Plan]): the user asks to measure the disputed cases in one run.
 */
G_DECLARE_FINAL_TYPE (DynoComparePage, dyno_compare_page, DYNO, COMPARE_PAGE, AdwBin)

/* @store may be NULL. */
void dyno_compare_page_set_store (DynoComparePage *self, DynoStore *store);
void dyno_compare_page_set_documents (DynoComparePage *self, GListModel *documents);
/* Compares these runs and no others. */
void dyno_compare_page_set_runs (DynoComparePage *self, DynoStore *store, const char *const *ids);
/* Adds a run, and where it is the first one, also the newest other one with the same cases, until another
 * run is added. */
void dyno_compare_page_compare_run (DynoComparePage *self, DynoStore *store, const char *id);
/* Reads a run and adds it to what is compared. The oldest one is the baseline until another one is chosen. */
void dyno_compare_page_add_run (DynoComparePage *self, DynoStore *store, const char *id);
/* Returns how many runs are compared. */
guint dyno_compare_page_get_n_runs (DynoComparePage *self);

G_END_DECLS
