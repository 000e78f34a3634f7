/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <gtk/gtk.h>

#include "dyno-app-session-private.h"
#include "dyno-result.h"
#include "dyno-run.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* dyno-case-table */

#define DYNO_TYPE_CASE_TABLE (dyno_case_table_get_type ())

/**
 * DynoCaseTable:
 *
 * The cases of a run as a table, grouped by model, sortable within each group by every column. Signal
 * `activated` (DynoResult): a case was activated. Properties: `narrow` (boolean): only the most
 * important columns.
 */
G_DECLARE_FINAL_TYPE (DynoCaseTable, dyno_case_table, DYNO, CASE_TABLE, AdwBin)

/* @run: may be the shown one, which has more results by now; rows then stay where they are. */
void dyno_case_table_set_run (DynoCaseTable *self, DynoRun *run);
/* Returns the rows in their current order: results, with the name of each model as a GtkStringObject above
 * its own. */
GListModel *dyno_case_table_get_rows (DynoCaseTable *self);

/* dyno-case-view */

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

/* dyno-compare-menu */

/* Returns a menu of what a run can be compared with: the previous one, the named ones, any. The caller owns it. Its items
 * activate `run.compare-previous`, `run.compare-with` (the id of a run), `run.compare-other` and `run.compare`. */
GMenu *dyno_compare_menu_new (void);
/* Reads the names of runs anew, and lists all but those of the run itself. @cancellable may be NULL. */
void dyno_compare_menu_update (GMenu *self, DynoStore *store, const char *run_id, GCancellable *cancellable);

/* dyno-findings-card */

#define DYNO_TYPE_FINDINGS_CARD (dyno_findings_card_get_type ())

/**
 * DynoFindingsCard:
 *
 * Sums up a run in a sentence, with more of them folded, and says a doubt about its numbers, with a button to
 * fix it.
 */
G_DECLARE_FINAL_TYPE (DynoFindingsCard, dyno_findings_card, DYNO, FINDINGS_CARD, AdwBin)

/* @repeatable: whether its cases can be measured again: the run is in the store and has a plan. @is_live: whether a
 * runner still changes the run. */
void dyno_findings_card_set_run (DynoFindingsCard *self, DynoRun *run, gboolean repeatable, gboolean is_live);
/* In a narrow window, buttons are below their sentences. */
void dyno_findings_card_set_narrow (DynoFindingsCard *self, gboolean narrow);

/* dyno-interval-glyph */

#define DYNO_TYPE_INTERVAL_GLYPH (dyno_interval_glyph_get_type ())

/**
 * DynoIntervalGlyph:
 *
 * The interval of a median, relative to the median in the middle of the line. The glyphs of a table share a
 * scale; without an interval, nothing is drawn.
 */
G_DECLARE_FINAL_TYPE (DynoIntervalGlyph, dyno_interval_glyph, DYNO, INTERVAL_GLYPH, GtkWidget)

/* @low: the deviation of the interval's low end from the median, as a share of the median; NaN for no
 * interval. @widest: the deviation at both ends of the line, as a share of the median. */
void
dyno_interval_glyph_set (DynoIntervalGlyph *self, double low, double high, double widest, gboolean doubtful);

/* dyno-measure-more */

/* Returns whether there is more to measure of the models of @run than it has. */
gboolean dyno_measure_more_has_choices (DynoRun *run);
/* Offers in a window to measure more of the models of @run: each choice opens Benchmark with a plan. Below, the window says
 * why values are missing. @owner: a widget of the window that has these pages. */
void dyno_measure_more_present (GtkWidget *owner, DynoRun *run);

/* dyno-missing-view */

#define DYNO_TYPE_MISSING_VIEW (dyno_missing_view_get_type ())

/**
 * DynoMissingView:
 *
 * A folded row that says which values of some cases were not measured, grouped by reason. Hidden when there are none.
 */
G_DECLARE_FINAL_TYPE (DynoMissingView, dyno_missing_view, DYNO, MISSING_VIEW, AdwBin)

void dyno_missing_view_set_results (DynoMissingView *self, GListModel *results);

/* dyno-module-table */

#define DYNO_TYPE_MODULE_TABLE (dyno_module_table_get_type ())

/**
 * DynoModuleTable:
 *
 * The time of a case by module: a tree down to the operators, the longest time first.
 */
G_DECLARE_FINAL_TYPE (DynoModuleTable, dyno_module_table, DYNO, MODULE_TABLE, AdwBin)

/* Returns whether it has operators to show. */
gboolean dyno_module_table_set_result (DynoModuleTable *self, DynoResult *result);
/* Returns the rows that are currently unfolded, as GtkTreeListRow. */
GListModel *dyno_module_table_get_rows (DynoModuleTable *self);

/* dyno-run-tiles */

#define DYNO_TYPE_RUN_TILES (dyno_run_tiles_get_type ())

/**
 * DynoRunTiles:
 *
 * The models of a run at a glance, a tile each, in a row that scrolls. Signal `activated` (DynoResult): a tile, which
 * stands for the best case of its model, was clicked.
 */
G_DECLARE_FINAL_TYPE (DynoRunTiles, dyno_run_tiles, DYNO, RUN_TILES, AdwBin)

void dyno_run_tiles_set_run (DynoRunTiles *self, DynoRun *run);

/* dyno-run-view */

#define DYNO_TYPE_RUN_VIEW (dyno_run_view_get_type ())

/**
 * DynoRunView:
 *
 * A run: a tile for each model, a sentence, and its charts, cases and notes. Properties: `entry` (DynoRunEntry,
 * nullable, read-write), `narrow` (boolean, read-write) and `run` (DynoRun, read-only, notified: the
 * run with its results, NULL until they are read).
 *
 * Actions: `run.save`, `run.report`, `run.rename`, `run.notes`, `run.name-baseline`, `run.compare`, `run.import`. The page
 * around it deletes the run (`results.delete`) and goes back (`results.back`), and the window shows the history of a case
 * (`win.show-case-history`).
 */
G_DECLARE_FINAL_TYPE (DynoRunView, dyno_run_view, DYNO, RUN_VIEW, AdwBin)

/* Returns its entry; NULL if there is none. */
DynoRunEntry *dyno_run_view_get_entry (DynoRunView *self);
/* @session: has the store that takes in the runs of documents. */
void dyno_run_view_set_session (DynoRunView *self, DynoAppSession *session);
/* Reads the run and shows it. @entry may be NULL. */
void dyno_run_view_set_entry (DynoRunView *self, DynoRunEntry *entry);
/* Shows a run while it is measured, and once more whenever it has more results: the run of @entry itself, which is not
 * read from its store. It cannot be saved, repeated or changed before its end. */
void dyno_run_view_show_live (DynoRunView *self, DynoRunEntry *entry);
/* The run that is shown live has ended: it is a run like any other from now on, and nothing moves. */
void dyno_run_view_end_live (DynoRunView *self);
/* Opens the page of a case. @result: one of the shown run. */
void dyno_run_view_open_case (DynoRunView *self, DynoResult *result);
/* Returns the run with its results; NULL until they are read. */
DynoRun *dyno_run_view_get_run (DynoRunView *self);
/* Asks for a file and saves the run as a `.dyno` document. */
void dyno_run_view_save (DynoRunView *self);

G_END_DECLS
