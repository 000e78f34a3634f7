/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <gtk/gtk.h>

#include "dyno-report.h"
#include "dyno-result.h"
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

/* dyno-findings-card */

#define DYNO_TYPE_FINDINGS_CARD (dyno_findings_card_get_type ())

/**
 * DynoFindingsCard:
 *
 * Sums up a run in a few sentences and lists doubts about its numbers, with a button to fix each. Property
 * `narrow` (boolean): whether the buttons are below the sentences.
 */
G_DECLARE_FINAL_TYPE (DynoFindingsCard, dyno_findings_card, DYNO, FINDINGS_CARD, AdwBin)

/* @repeatable: whether its cases can be measured again: the run is in the store and has a plan. */
void dyno_findings_card_set_run (DynoFindingsCard *self, DynoRun *run, gboolean repeatable);

/* dyno-run-entry */

#define DYNO_TYPE_RUN_ENTRY (dyno_run_entry_get_type ())

/**
 * DynoRunEntry:
 *
 * A run in a list: its summary, and the store or document that holds it. Read-only properties, in words:
 * `title`, `summary` (models and backends), `details` (date and number of cases), and `document` (boolean:
 * whether it is in a document instead of the store). An entry may be a group: the runs of one submission to
 * other machines.
 *
 * Signal `write-failed (GError *error)`: a new title or new notes could not be stored.
 */
G_DECLARE_FINAL_TYPE (DynoRunEntry, dyno_run_entry, DYNO, RUN_ENTRY, GObject)

/* Returns a new entry. */
DynoRunEntry *dyno_run_entry_new (DynoStore *store, DynoRun *run, gboolean document);
/* Returns an entry for a group, with the id of the submission. @members holds DynoRun. */
DynoRunEntry *dyno_run_entry_new_group (DynoStore *store, GPtrArray *members, gboolean document);

/* Returns the store or document of the run. */
DynoStore *dyno_run_entry_get_store (DynoRunEntry *self);
/* Returns the id of the run, or the id of the submission of a group. */
const char *dyno_run_entry_get_id (DynoRunEntry *self);
/* Returns whether the run is in a document instead of the store. */
gboolean dyno_run_entry_is_document (DynoRunEntry *self);
/* Returns whether the run can be renamed, annotated and deleted; a group cannot. */
gboolean dyno_run_entry_is_writable (DynoRunEntry *self);

/* Returns the summaries of the runs of a group; NULL if it is not a group. Elements are DynoRun. */
GPtrArray *dyno_run_entry_get_members (DynoRunEntry *self);
/* @members holds DynoRun. */
void dyno_run_entry_set_members (DynoRunEntry *self, GPtrArray *members);
/* Returns the summary of the run, or of the first run of a group. */
DynoRun *dyno_run_entry_get_run (DynoRunEntry *self);
void dyno_run_entry_set_run (DynoRunEntry *self, DynoRun *run);

/* Returns the title as shown, or a substitute. */
char *dyno_run_entry_dup_title (DynoRunEntry *self);
/* Renames the run, here at once and soon in the store. */
void dyno_run_entry_set_title (DynoRunEntry *self, const char *title);
/* Sets the notes of the run, here at once and soon in the store. */
void dyno_run_entry_set_notes (DynoRunEntry *self, const char *notes);

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

/* dyno-report-subject */

/**
 * DynoReportSubject:
 *
 * The subject of a report: runs by their ids, and how to present them. Writing the report reads the runs
 * again, on any thread, because the shown runs belong to the main thread.
 */
typedef struct _DynoReportSubject DynoReportSubject;

/* Returns a subject without runs. @title: a name for its file. */
DynoReportSubject *dyno_report_subject_new (const DynoReportTemplate *of, const char *title);
/* Returns a subject with that run alone. */
DynoReportSubject *dyno_report_subject_new_for_run (DynoRunEntry *entry);
DynoReportSubject *dyno_report_subject_ref (DynoReportSubject *self);
void dyno_report_subject_unref (DynoReportSubject *self);

void dyno_report_subject_add_run (DynoReportSubject *self, DynoStore *store, const char *id);
/* @metric may be NULL. @baseline may be NULL. */
void dyno_report_subject_set_comparison (DynoReportSubject *self, const char *metric, const char *baseline);
void dyno_report_subject_set_goal (DynoReportSubject *self,
                                   const DynoGoal *goal,
                                   const char *row_axis,
                                   const char *column_axis);

/* Returns a name for its file. */
const char *dyno_report_subject_get_title (DynoReportSubject *self);
/* Returns whether the format can hold this report: data formats hold runs, but nothing derived from them. */
gboolean dyno_report_subject_takes (DynoReportSubject *self, const DynoReportFormat *format);
/* May be called on any thread. Returns the bytes of the file. The caller owns it. */
GBytes *dyno_report_subject_write (DynoReportSubject *self, const DynoReportFormat *format, GError **error);
/* May be called on any thread. Returns the report as a document. */
DynoReportDocument *dyno_report_subject_build (DynoReportSubject *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoReportSubject, dyno_report_subject_unref)

/* dyno-report-button */

#define DYNO_TYPE_REPORT_BUTTON (dyno_report_button_get_type ())

/**
 * DynoReportButton:
 *
 * A menu to save, print and copy the report. Insensitive without a subject.
 */
G_DECLARE_FINAL_TYPE (DynoReportButton, dyno_report_button, DYNO, REPORT_BUTTON, AdwBin)

/* Takes @subject. @subject may be NULL. */
void dyno_report_button_take_subject (DynoReportButton *self, DynoReportSubject *subject);

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

/* dyno-run-list */

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

/* dyno-run-catalog */

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

/* dyno-run-printer */

/* Returns an operation that prints the document. Takes @document. */
GtkPrintOperation *dyno_run_printer_create_operation (DynoReportDocument *document);
/* Asks for a printer and prints the report. */
void dyno_run_printer_print (GtkWidget *widget, DynoReportSubject *subject);

/* dyno-run-saver */

/* Saves runs as documents and writes reports, in a thread, to any place that GIO can write to. */

/* Asks for a file and saves the run as a `.dyno` document. */
void dyno_run_saver_ask_document (GtkWidget *widget, DynoRunEntry *entry);
/* Asks for a file and saves a report; the file name determines the format. @suffix: the suffix of a report
 * format, such as `html`. */
void dyno_run_saver_ask_report (GtkWidget *widget, DynoReportSubject *subject, const char *suffix);

/* Copies the report. @format: the name of a text format, such as `markdown`, that @subject takes. */
void dyno_run_saver_copy_report (GtkWidget *widget, DynoReportSubject *subject, const char *format);

/* Saves the run as a `.dyno` document. @cancellable may be NULL. */
void dyno_run_saver_save_document_async (DynoRunEntry *entry,
                                         GFile *file,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
/* Saves the report. @cancellable may be NULL. */
void dyno_run_saver_save_report_async (DynoReportSubject *subject,
                                       GFile *file,
                                       const DynoReportFormat *format,
                                       GCancellable *cancellable,
                                       GAsyncReadyCallback callback,
                                       gpointer user_data);
/* Returns whether the file is written. */
gboolean dyno_run_saver_save_finish (GAsyncResult *result, GError **error);

/* dyno-run-view */

#define DYNO_TYPE_RUN_VIEW (dyno_run_view_get_type ())

/**
 * DynoRunView:
 *
 * A run with its headline numbers, charts, cases and notes. Properties: `entry` (DynoRunEntry,
 * nullable, read-write), `narrow` (boolean, read-write) and `run` (DynoRun, read-only, notified: the
 * run with its results, NULL until they are read).
 *
 * Actions: `run.save`, `run.report`, `run.rename`, `run.name-baseline`, `run.compare`, `run.import`. The page
 * around it deletes the run (`results.delete`) and goes back (`results.back`).
 *
 * Signal `show-history` (DynoResult): the user asks for the history of a case.
 */
G_DECLARE_FINAL_TYPE (DynoRunView, dyno_run_view, DYNO, RUN_VIEW, AdwBin)

/* Returns its entry; NULL if there is none. */
DynoRunEntry *dyno_run_view_get_entry (DynoRunView *self);
/* Reads the run and shows it. @entry may be NULL. */
void dyno_run_view_set_entry (DynoRunView *self, DynoRunEntry *entry);
/* Returns the run with its results; NULL until they are read. */
DynoRun *dyno_run_view_get_run (DynoRunView *self);
/* Asks for a file and saves the run as a `.dyno` document. */
void dyno_run_view_save (DynoRunView *self);

G_END_DECLS
