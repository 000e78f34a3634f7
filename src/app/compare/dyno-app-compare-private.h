/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <gio/gio.h>
#include <gtk/gtk.h>

#include "dyno-app-session-private.h"
#include "dyno-comparison.h"
#include "dyno-plan.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* dyno-compare-page */

#define DYNO_TYPE_COMPARE_PAGE (dyno_compare_page_get_type ())

/**
 * DynoComparePage:
 *
 * Compares two or more runs, one of them the baseline, or the backends of one run: a headline, the choice of both
 * sides, the cases as a forest plot, further differences, and charts.
 *
 * Signal `measure-again` (DynoPlan): the user asks to measure the disputed cases in one run.
 */
G_DECLARE_FINAL_TYPE (DynoComparePage, dyno_compare_page, DYNO, COMPARE_PAGE, DynoPage)

/* Compares exactly these runs. */
void dyno_compare_page_set_runs (DynoComparePage *self, DynoStore *store, const char *const *ids);
/* Adds a run. If it is the first, also adds the newest other run with the same cases, until another run is
 * added. */
void dyno_compare_page_compare_run (DynoComparePage *self, DynoStore *store, const char *id);
/* Reads a run and adds it to the comparison. The oldest run is the baseline until the user chooses another. */
void dyno_compare_page_add_run (DynoComparePage *self, DynoStore *store, const char *id);
/* Returns the number of compared runs. */
guint dyno_compare_page_get_n_runs (DynoComparePage *self);

/* dyno-comparison-details */

/* Fills the list with expander rows of details: how sure the verdicts are, what differs between the sides beside the
 * numbers, and the cases that are not compared. */
void dyno_comparison_details_fill (GtkListBox *list, const DynoComparison *comparison);

/* dyno-comparison-task */

/* Comparing takes seconds, and reading models may wait for a disk: both happen in a thread. */

/* @runs holds DynoRun. @metric may be NULL. @baseline may be NULL. @cancellable may be NULL. */
void dyno_comparison_task_compare (GPtrArray *runs,
                                   const char *metric,
                                   const char *baseline,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);
/* Returns the comparison. */
DynoComparison *dyno_comparison_task_compare_finish (GAsyncResult *result, GError **error);

/* @callback: called with the plan that measures the disputed cases again. */
void dyno_comparison_task_plan (DynoComparison *comparison, GAsyncReadyCallback callback, gpointer user_data);
/* Returns the plan. */
DynoPlan *dyno_comparison_task_plan_finish (GAsyncResult *result, GError **error);

/* dyno-chart-pairs */

#define DYNO_TYPE_CHART_PAIRS (dyno_chart_pairs_get_type ())

/**
 * DynoChartPairs:
 *
 * The charts of the two sides of a comparison side by side: with the same axes, the colour of their side, and a cursor
 * that both share. Below those of all cases are those of one case, which the user chooses.
 */
G_DECLARE_FINAL_TYPE (DynoChartPairs, dyno_chart_pairs, DYNO, CHART_PAIRS, AdwBin)

/* Makes the charts one by one in idle time. @comparison (nullable): has two sides. @ceilings: of the runs of its sides,
 * see dyno_chart_set_ceilings(). */
void dyno_chart_pairs_set_comparison (DynoChartPairs *self, DynoComparison *comparison, GHashTable *ceilings);
/* Shows the charts of that case. */
void dyno_chart_pairs_select (DynoChartPairs *self, guint number);

/* dyno-difference-list */

#define DYNO_TYPE_DIFFERENCE_LIST (dyno_difference_list_get_type ())

/**
 * DynoDifferenceList:
 *
 * The cases of a comparison, a row each: the name, the interval on a common axis on which better is to the right, the
 * verdict in words, and both values. A row that is activated unfolds the statistics. Property `narrow`, read-write:
 * whether these parts are below each other.
 *
 * Signal `selected` (guint): the user activated the row of that case.
 */
G_DECLARE_FINAL_TYPE (DynoDifferenceList, dyno_difference_list, DYNO, DIFFERENCE_LIST, AdwBin)

void dyno_difference_list_set_comparison (DynoDifferenceList *self, DynoComparison *comparison);

/* dyno-ratio-glyph */

#define DYNO_TYPE_RATIO_GLYPH (dyno_ratio_glyph_get_type ())

/**
 * DynoRatioGlyph:
 *
 * The ratio of a case with its interval, on an axis with 1 in the middle and better to the right. The grey band is
 * what does not matter, or is within the noise floor.
 */
G_DECLARE_FINAL_TYPE (DynoRatioGlyph, dyno_ratio_glyph, DYNO, RATIO_GLYPH, GtkWidget)

/* @widest: the natural logarithm of the ratio at the ends of the axis. */
void dyno_ratio_glyph_set (DynoRatioGlyph *self,
                           const DynoComparison *comparison,
                           const DynoComparedCase *kase,
                           double widest);

/* dyno-run-picker */

#define DYNO_TYPE_RUN_PICKER (dyno_run_picker_get_type ())

/**
 * DynoRunPicker:
 *
 * A popover to search for a run and pick it.
 *
 * Signal `picked (DynoRunEntry *entry)`: a run was picked.
 */
G_DECLARE_FINAL_TYPE (DynoRunPicker, dyno_run_picker, DYNO, RUN_PICKER, GtkPopover)

/* @session: whose store and documents have the runs; needed before the picker is shown */
void dyno_run_picker_set_session (DynoRunPicker *self, DynoAppSession *session);
/* Returns the runs to pick from, none before the picker is shown; picked runs stay in it until they are left out. */
DynoRunCatalog *dyno_run_picker_get_catalog (DynoRunPicker *self);

G_END_DECLS
