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
 * The list of runs beside the selected run; in a narrow window, one or the other. Read-only, notified
 * property: `run` (DynoRun, nullable): the shown run.
 *
 * Actions: `results.back`, `results.delete`, `results.close-document`; `results.recommend` and
 * `results.history` open the pages about all runs, `results.show-runs` goes back to the runs.
 */
G_DECLARE_FINAL_TYPE (DynoResultsPage, dyno_results_page, DYNO, RESULTS_PAGE, AdwBin)

/* @store may be NULL. */
void dyno_results_page_set_store (DynoResultsPage *self, DynoStore *store, gboolean failed);
void dyno_results_page_set_documents (DynoResultsPage *self, GListModel *documents);
/* Shows a run, even one that is not listed yet. @id: the id of a run in the store, or a unique beginning of
 * one. */
void dyno_results_page_show_run (DynoResultsPage *self, const char *id);
/* Shows the history of a case in place of the runs. */
void dyno_results_page_show_history (DynoResultsPage *self);
/* Shows the run as soon as it is listed. @id: the id of a run that is being stored, or of a submission to
 * other machines. */
void dyno_results_page_show_newest (DynoResultsPage *self, const char *id);
/* Shows the first run of a document. */
void dyno_results_page_show_document (DynoResultsPage *self, DynoStore *document);
/* Lists the runs again: other programs may have added some to the store. */
void dyno_results_page_refresh (DynoResultsPage *self);
void dyno_results_page_focus_search (DynoResultsPage *self);
void dyno_results_page_search (DynoResultsPage *self, const char *words);
/* Asks for a file and saves the shown run. */
void dyno_results_page_save (DynoResultsPage *self);
/* Returns the shown run; NULL until it is read. */
DynoRun *dyno_results_page_get_run (DynoResultsPage *self);

G_END_DECLS
