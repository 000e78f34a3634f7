/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-charts-private.h"
#include "dyno-app-history-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-metric.h"
#include "dyno-subject-charts.h"

struct _DynoHistoryPage
{
  AdwBin parent_instance;

  DynoStore *store;
  GCancellable *loading;
  gboolean is_stale; /* the store has changed since it was read */
  gboolean filling;  /* the selection changes because its list is being filled */
  DynoHistoryAnswer *answer;

  /* Requested history */
  char *machine;
  char *key;
  char *metric;

  GtkStack *stack;
  AdwStatusPage *problem;
  GtkLabel *machine_label;
  GtkDropDown *case_choice;
  GtkDropDown *metric_choice;
  GtkDropDown *machine_choice;
  AdwStatusPage *hint;
  GtkWidget *content;
  GtkLabel *answer_label;
  DynoChartView *chart_view;
  GtkWidget *changes_group;
  GtkListBox *changes_list;
  GtkWidget *baselines_group;
  GtkListBox *baselines_list;
  DynoHistoryRuns *runs;
};

enum
{
  RUN_ACTIVATED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoHistoryPage, dyno_history_page, ADW_TYPE_BIN)

static guint signals[N_SIGNALS];

static void load (DynoHistoryPage *self);

/* Choices */

static void
fill_choice (DynoHistoryPage *self, GtkDropDown *drop_down, GListStore *choices, const char *selected)
{
  self->filling = TRUE;
  gtk_drop_down_set_model (drop_down, G_LIST_MODEL (choices));
  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (choices)); i++)
    {
      g_autoptr (DynoHistoryChoice) choice = g_list_model_get_item (G_LIST_MODEL (choices), i);

      if (g_strcmp0 (dyno_history_choice_get_id (choice), selected) == 0)
        gtk_drop_down_set_selected (drop_down, i);
    }
  self->filling = FALSE;
}

static void
add_choice (GListStore *choices, const char *id, const char *label, const char *details)
{
  g_autoptr (DynoHistoryChoice) choice = dyno_history_choice_new (id, label, details);

  g_list_store_append (choices, choice);
}

/* The requested case is listed even if it has no history yet. */
static void
fill_cases (DynoHistoryPage *self)
{
  g_autoptr (GListStore) choices = g_list_store_new (DYNO_TYPE_HISTORY_CHOICE);
  const DynoHistoryAnswer *answer = self->answer;

  for (guint i = 0; i < answer->machine->cases->len; i++)
    {
      const DynoHistoryCase *kase = answer->machine->cases->pdata[i];
      g_autofree char *n_runs = g_strdup_printf (ngettext ("%u run", "%u runs", kase->n_runs), kase->n_runs);

      if (kase->n_runs >= 2 || kase == answer->kase)
        add_choice (choices, kase->key, kase->label, n_runs);
    }
  fill_choice (self, self->case_choice, choices, answer->kase->key);
}

static void
fill_machines (DynoHistoryPage *self)
{
  g_autoptr (GListStore) choices = g_list_store_new (DYNO_TYPE_HISTORY_CHOICE);
  const DynoHistoryAnswer *answer = self->answer;

  for (guint i = 0; i < answer->machines->len; i++)
    {
      const DynoHistoryMachine *machine = answer->machines->pdata[i];

      add_choice (choices, machine->snapshot, machine->title, machine->is_this ? _ ("This machine") : "");
    }
  fill_choice (self, self->machine_choice, choices, answer->machine->snapshot);
  gtk_label_set_label (self->machine_label, answer->machine->title);
  gtk_widget_set_visible (GTK_WIDGET (self->machine_choice), answer->machines->len > 1);
  gtk_widget_set_visible (GTK_WIDGET (self->machine_label), answer->machines->len == 1);
}

static gboolean
take_choice (DynoHistoryPage *self, GtkDropDown *drop_down, char **wanted)
{
  DynoHistoryChoice *choice = gtk_drop_down_get_selected_item (drop_down);

  if (self->filling || choice == NULL || g_strcmp0 (*wanted, dyno_history_choice_get_id (choice)) == 0)
    return FALSE;
  g_free (*wanted);
  *wanted = g_strdup (dyno_history_choice_get_id (choice));
  return TRUE;
}

static void
case_chosen_cb (DynoHistoryPage *self)
{
  if (take_choice (self, self->case_choice, &self->key))
    load (self);
}

static void
metric_chosen_cb (DynoHistoryPage *self)
{
  if (take_choice (self, self->metric_choice, &self->metric))
    load (self);
}

static void
machine_chosen_cb (DynoHistoryPage *self)
{
  if (take_choice (self, self->machine_choice, &self->machine))
    load (self);
}

/* Results */

static const DynoHistoryTrend *
get_trend (const DynoHistoryAnswer *answer)
{
  return answer != NULL && answer->history != NULL && answer->history->trends->len > 0
             ? answer->history->trends->pdata[0]
             : NULL;
}

static void
show_history (DynoHistoryPage *self)
{
  const DynoHistoryTrend *trend = get_trend (self->answer);
  gboolean has_history = trend != NULL && trend->points->len >= 2;

  gtk_widget_set_visible (GTK_WIDGET (self->hint), !has_history);
  gtk_widget_set_visible (self->content, has_history);
  if (has_history)
    {
      DynoHistory *history = self->answer->history;
      g_autoptr (DynoChart) chart = dyno_history_chart_new (history);
      g_autofree char *words = dyno_history_dup_answer (history, trend);

      gtk_label_set_label (self->answer_label, words);
      dyno_chart_view_set_chart (self->chart_view, chart);
      dyno_history_rows_fill_changes (self->changes_list, history, trend);
      dyno_history_rows_fill_baselines (self->baselines_list, history, trend);
      dyno_history_runs_set_trend (self->runs, history, trend);
      gtk_widget_set_visible (self->changes_group,
                              gtk_widget_get_first_child (GTK_WIDGET (self->changes_list)) != NULL);
      gtk_widget_set_visible (self->baselines_group,
                              gtk_widget_get_first_child (GTK_WIDGET (self->baselines_list)) != NULL);
    }
  else if (trend != NULL)
    {
      adw_status_page_set_title (self->hint, _ ("Measured Once"));
      adw_status_page_set_description (
          self->hint, _ ("History needs two runs of the same case. Measure this one again to see "
                         "whether anything changes."));
    }
  else
    {
      /* The drop-down above shows its name. */
      adw_status_page_set_title (self->hint, _ ("No Values"));
      adw_status_page_set_description (
          self->hint, _ ("No run of this machine has a number of this case. Choose another one."));
    }
}

static void
take_answer (DynoHistoryPage *self, DynoHistoryAnswer *answer)
{
  /* Redraw a chart only if something has changed, so that its zoom and cursor stay. */
  const DynoHistory *shown = self->answer != NULL ? self->answer->history : NULL;
  gboolean news = shown == NULL || answer->history == NULL || !dyno_history_equal (shown, answer->history);

  g_clear_pointer (&self->answer, dyno_history_answer_free);
  self->answer = answer;
  gtk_stack_set_visible_child_name (self->stack, answer->kase != NULL ? "history" : "empty");
  if (answer->kase == NULL)
    return;
  fill_machines (self);
  fill_cases (self);

  g_autoptr (GListStore) choices = g_list_store_new (DYNO_TYPE_HISTORY_CHOICE);
  GPtrArray *metrics = self->answer->metrics;
  for (guint i = 0; i < metrics->len; i++)
    {
      g_autofree char *title = dyno_metric_title_dup (metrics->pdata[i]);

      add_choice (choices, metrics->pdata[i], title, "");
    }
  fill_choice (self, self->metric_choice, choices,
               self->answer->history != NULL ? self->answer->history->metric : NULL);

  if (news)
    show_history (self);
}

static void
loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoHistoryPage) self = DYNO_HISTORY_PAGE (user_data);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoHistoryAnswer) answer = dyno_history_task_load_finish (result, &error);
  g_autofree char *description = NULL;

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED) || self->store == NULL)
    return;
  if (answer != NULL)
    {
      take_answer (self, g_steal_pointer (&answer));
      return;
    }
  description = g_markup_escape_text (error->message, -1);
  adw_status_page_set_description (self->problem, description);
  gtk_stack_set_visible_child_name (self->stack, "problem");
}

static void
load (DynoHistoryPage *self)
{
  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  self->is_stale = FALSE;
  if (self->store == NULL)
    return;
  self->loading = g_cancellable_new ();
  dyno_history_task_load (self->store, self->answer != NULL ? self->answer->here : NULL, self->machine,
                          self->key, self->metric, self->loading, loaded_cb, g_object_ref (self));
}

static void
store_changed_cb (DynoHistoryPage *self)
{
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    load (self);
  else
    self->is_stale = TRUE;
}

static void
retry_cb (DynoHistoryPage *self)
{
  gtk_stack_set_visible_child_name (self->stack, "loading");
  load (self);
}

/* Actions */

static void
open_run_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  g_signal_emit (widget, signals[RUN_ACTIVATED], 0, g_variant_get_string (parameter, NULL));
}

static void
chart_activated_cb (DynoHistoryPage *self, GObject *subject)
{
  if (DYNO_IS_RUN (subject))
    g_signal_emit (self, signals[RUN_ACTIVATED], 0, dyno_run_get_id (DYNO_RUN (subject)));
}

static void
compare_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  gtk_widget_activate_action (widget, "win.compare-runs", "(s@as)",
                              dyno_store_get_path (DYNO_HISTORY_PAGE (widget)->store), parameter);
}

static void
name_baseline_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoHistoryPage *self = DYNO_HISTORY_PAGE (widget);
  const char *run_id = g_variant_get_string (parameter, NULL);
  const DynoHistoryTrend *trend = get_trend (self->answer);
  const DynoHistoryPoint *point = trend != NULL ? dyno_history_find_point (trend, run_id) : NULL;

  if (point != NULL)
    dyno_baseline_form_ask (widget, self->store, run_id, point->run_title);
}

static void
remove_baseline_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoHistoryPage *self = DYNO_HISTORY_PAGE (widget);
  const DynoHistory *history = self->answer != NULL ? self->answer->history : NULL;

  for (guint i = 0; history != NULL && i < history->baselines->len; i++)
    {
      const DynoBaseline *baseline = history->baselines->pdata[i];

      if (g_str_equal (baseline->name, g_variant_get_string (parameter, NULL)))
        dyno_baseline_writer_remove (widget, self->store, baseline);
    }
}

static void
refresh_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  load (DYNO_HISTORY_PAGE (widget));
}

static void
dyno_history_page_map (GtkWidget *widget)
{
  DynoHistoryPage *self = DYNO_HISTORY_PAGE (widget);

  GTK_WIDGET_CLASS (dyno_history_page_parent_class)->map (widget);

  if (self->is_stale)
    load (self);
}

static void
dyno_history_page_dispose (GObject *object)
{
  DynoHistoryPage *self = DYNO_HISTORY_PAGE (object);

  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_object (&self->store);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_HISTORY_PAGE);

  G_OBJECT_CLASS (dyno_history_page_parent_class)->dispose (object);
}

static void
dyno_history_page_finalize (GObject *object)
{
  DynoHistoryPage *self = DYNO_HISTORY_PAGE (object);

  g_clear_pointer (&self->answer, dyno_history_answer_free);
  g_free (self->machine);
  g_free (self->key);
  g_free (self->metric);

  G_OBJECT_CLASS (dyno_history_page_parent_class)->finalize (object);
}

static void
dyno_history_page_class_init (DynoHistoryPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = dyno_history_page_dispose;
  object_class->finalize = dyno_history_page_finalize;
  widget_class->map = dyno_history_page_map;

  signals[RUN_ACTIVATED] = g_signal_new ("run-activated", DYNO_TYPE_HISTORY_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                                         NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (DYNO_TYPE_CHART_VIEW);
  g_type_ensure (DYNO_TYPE_COLUMNS);
  g_type_ensure (DYNO_TYPE_HISTORY_CHOICE);
  g_type_ensure (DYNO_TYPE_HISTORY_RUNS);
  g_type_ensure (DYNO_TYPE_TAB_STOP);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-history-page.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, problem);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, machine_label);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, case_choice);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, metric_choice);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, machine_choice);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, hint);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, content);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, answer_label);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, chart_view);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, changes_group);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, changes_list);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, baselines_group);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, baselines_list);
  gtk_widget_class_bind_template_child (widget_class, DynoHistoryPage, runs);
  gtk_widget_class_bind_template_callback (widget_class, case_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, metric_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, machine_chosen_cb);
  gtk_widget_class_bind_template_callback (widget_class, chart_activated_cb);
  gtk_widget_class_bind_template_callback (widget_class, retry_cb);
  gtk_widget_class_install_action (widget_class, "history.open-run", "s", open_run_action);
  gtk_widget_class_install_action (widget_class, "history.compare", "as", compare_action);
  gtk_widget_class_install_action (widget_class, "history.name-baseline", "s", name_baseline_action);
  gtk_widget_class_install_action (widget_class, "history.remove-baseline", "s", remove_baseline_action);
  gtk_widget_class_install_action (widget_class, "history.refresh", NULL, refresh_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F5, 0, "history.refresh", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, GDK_ALT_MASK, "results.show-runs", NULL);
}

static void
dyno_history_page_init (DynoHistoryPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
dyno_history_page_set_store (DynoHistoryPage *self, DynoStore *store, gboolean failed)
{
  g_return_if_fail (DYNO_IS_HISTORY_PAGE (self));
  g_return_if_fail (store == NULL || DYNO_IS_STORE (store));

  if (failed)
    gtk_stack_set_visible_child_name (self->stack, "problem");
  if (store == NULL || !g_set_object (&self->store, store))
    return;
  g_signal_connect_object (store, "changed", G_CALLBACK (store_changed_cb), self, G_CONNECT_SWAPPED);
  store_changed_cb (self);
}

void
dyno_history_page_show_case (DynoHistoryPage *self, const char *machine, const char *key)
{
  g_return_if_fail (DYNO_IS_HISTORY_PAGE (self));
  g_return_if_fail (key != NULL);

  g_free (self->machine);
  self->machine = g_strdup (machine);
  g_free (self->key);
  self->key = g_strdup (key);
  load (self);
}

void
dyno_history_page_refresh (DynoHistoryPage *self)
{
  g_return_if_fail (DYNO_IS_HISTORY_PAGE (self));

  store_changed_cb (self);
}
