/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>
#include <gio/gio.h>
#include <gtk/gtk.h>

#include "dyno-history.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* dyno-baseline-form */

#define DYNO_TYPE_BASELINE_FORM (dyno_baseline_form_get_type ())

/**
 * DynoBaselineForm:
 *
 * Asks for the name of a baseline run.
 */
G_DECLARE_FINAL_TYPE (DynoBaselineForm, dyno_baseline_form, DYNO, BASELINE_FORM, AdwBin)

/* Shows a dialog for the name, then gives the name to the run. @title may be NULL. */
void dyno_baseline_form_ask (GtkWidget *widget, DynoStore *store, const char *run_id, const char *title);

/* dyno-baseline-writer */

/* Adds and removes baseline names in a thread. A toast above the widget shows the result. */

/* Gives a name to a run; another run that had the name loses it. */
void dyno_baseline_writer_set (GtkWidget *widget, DynoStore *store, const char *name, const char *run_id);
/* Removes the name. The user can undo this as long as its run exists. */
void dyno_baseline_writer_remove (GtkWidget *widget, DynoStore *store, const DynoBaseline *baseline);

/* dyno-history-choice */

#define DYNO_TYPE_HISTORY_CHOICE (dyno_history_choice_get_type ())

/**
 * DynoHistoryChoice:
 *
 * An item of a list to choose from. Read-only properties: `label` (string) and `details` (string, maybe
 * empty).
 */
G_DECLARE_FINAL_TYPE (DynoHistoryChoice, dyno_history_choice, DYNO, HISTORY_CHOICE, GObject)

/* Returns a choice. @details: further details, maybe empty. */
DynoHistoryChoice *dyno_history_choice_new (const char *id, const char *label, const char *details);
/* Returns its unique id. */
const char *dyno_history_choice_get_id (DynoHistoryChoice *self);

/* dyno-history-page */

#define DYNO_TYPE_HISTORY_PAGE (dyno_history_page_get_type ())

/**
 * DynoHistoryPage:
 *
 * The history of one value of one case over all runs of a machine: a chart with the changes, the changes in
 * words, the baselines and the runs. It follows the store while it is visible.
 *
 * Actions: `history.open-run`, `history.name-baseline` (the id of a run), `history.compare` (ids of runs, the
 * one to compare with first), `history.remove-baseline` (its name), `history.refresh`. Signal `run-activated
 * (char *id)`: the user asks for a run.
 */
G_DECLARE_FINAL_TYPE (DynoHistoryPage, dyno_history_page, DYNO, HISTORY_PAGE, AdwBin)

/* @store may be NULL. */
void dyno_history_page_set_store (DynoHistoryPage *self, DynoStore *store, gboolean failed);
/* Shows the history of a case. @machine (nullable): the snapshot of its machine, JSON. @key: all parts of the case
 * (dyno_case_parts_dup_key()). */
void dyno_history_page_show_case (DynoHistoryPage *self, const char *machine, const char *key);
/* Reads the store again, now or when the page is next shown. */
void dyno_history_page_refresh (DynoHistoryPage *self);

/* dyno-history-rows */

/* Rows for the changes and baselines of a trend. They call actions of the history page, which shows them. */

/* Lists the changes, the latest first. */
void
dyno_history_rows_fill_changes (GtkListBox *list, const DynoHistory *history, const DynoHistoryTrend *trend);
/* Lists the baselines among the runs of the trend, and the baselines without a run. */
void dyno_history_rows_fill_baselines (GtkListBox *list,
                                       const DynoHistory *history,
                                       const DynoHistoryTrend *trend);

/* dyno-history-runs */

#define DYNO_TYPE_HISTORY_RUNS (dyno_history_runs_get_type ())

/**
 * DynoHistoryRuns:
 *
 * The runs of a trend, newest first, some of which can be chosen for a comparison. It uses the actions of the
 * page around it: `history.open-run`, `history.compare`, `history.name-baseline` and
 * `history.remove-baseline`.
 */
G_DECLARE_FINAL_TYPE (DynoHistoryRuns, dyno_history_runs, DYNO, HISTORY_RUNS, AdwBin)

/* Shows the runs of a trend. Chosen runs stay chosen if they are part of it. */
void dyno_history_runs_set_trend (DynoHistoryRuns *self, DynoHistory *history, const DynoHistoryTrend *trend);

/* dyno-history-task */

/**
 * DynoHistoryAnswer:
 * @here: (nullable): the snapshot of this machine, JSON
 * @machines: (element-type DynoHistoryMachine): the machines that can have a history
 * @machine: (nullable): the machine of this history; NULL if none has a case
 * @kase: (nullable): the case of this history; NULL if none was measured in two runs
 * @metrics: (nullable) (element-type utf8): the stable names of its values
 * @history: (nullable): its history
 *
 * The contents of a history page.
 */
typedef struct
{
  char *here;
  GPtrArray *machines;
  const DynoHistoryMachine *machine;
  const DynoHistoryCase *kase;
  GPtrArray *metrics;
  DynoHistory *history;
} DynoHistoryAnswer;

void dyno_history_answer_free (DynoHistoryAnswer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoHistoryAnswer, dyno_history_answer_free)

/* Finds everything that can have a history, and the requested history; if that does not exist, that of the
 * case measured most often. @here (nullable): the snapshot of this machine, JSON, if it is known already.
 * @machine may be NULL. @key may be NULL. @metric may be NULL. */
void dyno_history_task_load (DynoStore *store,
                             const char *here,
                             const char *machine,
                             const char *key,
                             const char *metric,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);
/* Returns the answer. */
DynoHistoryAnswer *dyno_history_task_load_finish (GAsyncResult *result, GError **error);

/* dyno-history-words */

/* Words about a run in the lists of a history. */

/* Returns the title of the run, or a substitute. */
char *dyno_history_words_dup_title (const DynoHistoryPoint *point);
/* Returns the title of the run and when it began. */
char *dyno_history_words_dup_name (const DynoHistoryPoint *point);
/* Returns when the run began, how much its processes differ, and whether they became steady. */
char *dyno_history_words_dup_details (const DynoHistoryPoint *point);

G_END_DECLS
