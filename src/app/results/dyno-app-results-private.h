/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <gtk/gtk.h>

#include "dyno-app-session-private.h"
#include "dyno-run.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* dyno-bin-window */

#define DYNO_TYPE_BIN_WINDOW (dyno_bin_window_get_type ())

/**
 * DynoBinWindow:
 *
 * The runs deleted in the last 30 days. Each can be restored.
 */
G_DECLARE_FINAL_TYPE (DynoBinWindow, dyno_bin_window, DYNO, BIN_WINDOW, AdwWindow)

/* Returns a window with the deleted runs of @store. */
GtkWidget *dyno_bin_window_new (DynoStore *store);

/* dyno-group-view */

#define DYNO_TYPE_GROUP_VIEW (dyno_group_view_get_type ())

/**
 * DynoGroupView:
 *
 * The runs of one submission side by side: cases by node, and charts of all nodes.
 *
 * Property, read-write: `narrow` (boolean: whether it is shown without the list and has a button back to it).
 *
 * Signal `run-activated (const char *id)`: the user asks for the run of one node.
 */
G_DECLARE_FINAL_TYPE (DynoGroupView, dyno_group_view, DYNO, GROUP_VIEW, AdwBin)

/* Returns the shown group; NULL if there is none. */
DynoRunEntry *dyno_group_view_get_entry (DynoGroupView *self);
/* @entry may be NULL. */
void dyno_group_view_set_entry (DynoGroupView *self, DynoRunEntry *entry);

/* dyno-recommendation-view */

#define DYNO_TYPE_RECOMMENDATION_VIEW (dyno_recommendation_view_get_type ())

/**
 * DynoRecommendationView:
 *
 * Recommends settings from all runs of a store: a goal, limits, and a matrix of the best cases. Cells without
 * data offer to measure them.
 */
G_DECLARE_FINAL_TYPE (DynoRecommendationView, dyno_recommendation_view, DYNO, RECOMMENDATION_VIEW, AdwBin)

/* Reads all runs in a thread. */
void dyno_recommendation_view_show_store (DynoRecommendationView *self, DynoStore *store);
/* Releases the runs, which may be large. */
void dyno_recommendation_view_clear (DynoRecommendationView *self);

/* dyno-results-page */

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
G_DECLARE_FINAL_TYPE (DynoResultsPage, dyno_results_page, DYNO, RESULTS_PAGE, DynoPage)

/* Shows a run, even one that is not listed yet. @id: the id of a run in the store, or a unique beginning of
 * one. */
void dyno_results_page_show_run (DynoResultsPage *self, const char *id);
/* Shows the history of a case in place of the runs. */
void dyno_results_page_show_history (DynoResultsPage *self);
/* The same for this case, see dyno_history_page_show_case(). */
void dyno_results_page_show_case_history (DynoResultsPage *self, const char *machine, const char *key);
/* Shows the run as soon as it is listed. @id: the id of a run that is being stored, or of a submission to
 * other machines. */
void dyno_results_page_show_newest (DynoResultsPage *self, const char *id);
/* Shows the first run of a document. */
void dyno_results_page_show_document (DynoResultsPage *self, DynoStore *document);
/* Lists the runs again: other programs may have added some to the store. */
void dyno_results_page_refresh (DynoResultsPage *self);
void dyno_results_page_search (DynoResultsPage *self, const char *words);
/* Asks for a file and saves the shown run. */
void dyno_results_page_save (DynoResultsPage *self);
/* Returns the shown run; NULL until it is read. */
DynoRun *dyno_results_page_get_run (DynoResultsPage *self);

G_END_DECLS
