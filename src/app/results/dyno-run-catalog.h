/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run-list.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RUN_CATALOG (dyno_run_catalog_get_type ())

/**
 * DynoRunCatalog:
 *
 * All runs to choose from: those of the open documents, then those of the store.
 *
 * Signal `state-changed`: dyno_run_catalog_get_loading() or dyno_run_catalog_get_problem() return
 * another value.
 */
G_DECLARE_FINAL_TYPE (DynoRunCatalog, dyno_run_catalog, DYNO, RUN_CATALOG, GObject)

/* Returns an empty catalog. @folds: whether the runs of one submission share an entry. */
DynoRunCatalog *dyno_run_catalog_new (gboolean folds);

void dyno_run_catalog_set_store (DynoRunCatalog *self, DynoStore *store);
/* @documents: the open documents, a list of DynoStore. The catalog follows it. */
void dyno_run_catalog_set_documents (DynoRunCatalog *self, GListModel *documents);
/* @search (nullable): words that title, notes, models or backends must contain. */
void dyno_run_catalog_set_search (DynoRunCatalog *self, const char *search);

/* Removes a run from the list. */
void dyno_run_catalog_leave_out (DynoRunCatalog *self, const char *id);
/* Lists a run again. */
void dyno_run_catalog_take_back (DynoRunCatalog *self, const char *id);
/* Returns the runs, a list of DynoRunEntry. */
GListModel *dyno_run_catalog_get_model (DynoRunCatalog *self);
/* Returns the runs of the store alone; NULL if there is none. */
DynoRunList *dyno_run_catalog_get_runs (DynoRunCatalog *self);
/* Reads the runs of the store again, because other programs may have changed them. */
void dyno_run_catalog_refresh (DynoRunCatalog *self);
/* Returns whether runs are being read. */
gboolean dyno_run_catalog_get_loading (DynoRunCatalog *self);
/* Returns why the runs of the store could not be listed; NULL if there is no error. */
const char *dyno_run_catalog_get_problem (DynoRunCatalog *self);

G_END_DECLS
