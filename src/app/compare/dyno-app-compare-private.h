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
 * Compares two or more runs, one of them the baseline, or the backends of one run: a sentence that names the
 * faster one, a forest plot, a table, further differences, and overlaid charts.
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

/* Fills the list with expander rows of details: why cases are undecided, the differences in settings, and the
 * cases that are not compared. */
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

/* dyno-difference */

#define DYNO_TYPE_DIFFERENCE (dyno_difference_get_type ())

/**
 * DynoDifference:
 *
 * A case of a comparison, as an item of a list.
 */
G_DECLARE_FINAL_TYPE (DynoDifference, dyno_difference, DYNO, DIFFERENCE, GObject)

/* Returns a list of DynoDifference, one per case. */
GListModel *dyno_difference_list (DynoComparison *comparison);

/* Returns its comparison. */
DynoComparison *dyno_difference_get_comparison (DynoDifference *self);
const DynoComparedCase *dyno_difference_get_case (DynoDifference *self);

/* dyno-difference-table */

#define DYNO_TYPE_DIFFERENCE_TABLE (dyno_difference_table_get_type ())

/**
 * DynoDifferenceTable:
 *
 * The cases of a comparison, a row each. Properties, read-write: `narrow` (boolean: show only the most
 * important columns) and `show-side` (boolean: name the side that each row compares with the baseline).
 */
G_DECLARE_FINAL_TYPE (DynoDifferenceTable, dyno_difference_table, DYNO, DIFFERENCE_TABLE, AdwBin)

void dyno_difference_table_set_differences (DynoDifferenceTable *self, GListModel *differences);
void dyno_difference_table_set_show_side (DynoDifferenceTable *self, gboolean show_side);

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

/* Returns the runs to pick from; picked runs stay in it until they are left out. */
DynoRunCatalog *dyno_run_picker_get_catalog (DynoRunPicker *self);

G_END_DECLS
