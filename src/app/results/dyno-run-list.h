/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run-entry.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RUN_LIST (dyno_run_list_get_type ())

/**
 * DynoRunList:
 *
 * The runs of a store, newest first, as a list of DynoRunEntry that grows page by page as the user
 * scrolls to its end. It follows the store. Read-only properties, notified: `loading` (boolean) and `problem`
 * (nullable string: why the runs could not be listed).
 */
G_DECLARE_FINAL_TYPE (DynoRunList, dyno_run_list, DYNO, RUN_LIST, GObject)

/* Returns the list, which starts to read its runs. */
DynoRunList *dyno_run_list_new (DynoStore *store, gboolean document, gboolean folds);

/* Returns the store of the runs. */
DynoStore *dyno_run_list_get_store (DynoRunList *self);
/* Returns whether runs are being read. */
gboolean dyno_run_list_get_loading (DynoRunList *self);
/* Returns why the runs could not be listed; NULL if there is no error. */
const char *dyno_run_list_get_problem (DynoRunList *self);
/* @search (nullable): words that title, notes, models or backends must contain. */
void dyno_run_list_set_search (DynoRunList *self, const char *search);
/* Reads again all runs that were read before. */
void dyno_run_list_refresh (DynoRunList *self);

/* Hides a run as if it were deleted. */
void dyno_run_list_hide (DynoRunList *self, const char *id);
/* Shows a hidden run again. */
void dyno_run_list_unhide (DynoRunList *self, const char *id);

G_END_DECLS
