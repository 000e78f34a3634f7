/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-run.h"
#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RESULTS_PAGE (dyno_results_page_get_type ())

/**
 * DynoResultsPage:
 *
 * The list of runs beside the run that is chosen; where there is little room, one or the other. Read-only,
 * notified property: `run` ([class@Dyno.Run], nullable): the run that is shown.
 *
 * Actions: `results.back`, `results.delete`, `results.close-document`; `results.recommend` and `results.history` go to what
 * follows from many runs, `results.show-runs` back to the runs.
 */
G_DECLARE_FINAL_TYPE (DynoResultsPage, dyno_results_page, DYNO, RESULTS_PAGE, AdwBin)

/* @store may be NULL. */
void dyno_results_page_set_store (DynoResultsPage *self, DynoStore *store, gboolean failed);
void dyno_results_page_set_documents (DynoResultsPage *self, GListModel *documents);
/* Shows a run, even one that the list has not come to yet. @id: the id of a run in the store, or a unique
 * beginning of one. */
void dyno_results_page_show_run (DynoResultsPage *self, const char *id);
/* Shows how a case went over the runs, in place of the runs. */
void dyno_results_page_show_history (DynoResultsPage *self);
/* Shows it as soon as it is listed. @id: the id of a run, or of a submission to other machines, that is
 * being stored. */
void dyno_results_page_show_newest (DynoResultsPage *self, const char *id);
/* Shows the first run of a document. */
void dyno_results_page_show_document (DynoResultsPage *self, DynoStore *document);
/* Lists the runs again: other programs may have added some to the store. */
void dyno_results_page_refresh (DynoResultsPage *self);
void dyno_results_page_focus_search (DynoResultsPage *self);
void dyno_results_page_search (DynoResultsPage *self, const char *words);
/* Asks where to, and saves the run that is shown. */
void dyno_results_page_save (DynoResultsPage *self);
/* Returns the run that is shown, once it is read; NULL otherwise. */
DynoRun *dyno_results_page_get_run (DynoResultsPage *self);

G_END_DECLS
