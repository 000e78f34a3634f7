/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-compat.h"
#include "dyno-error.h"
#include "dyno-race.h"

#define COLUMN_WIDTH 290

struct _DynoBenchmarkPage
{
  DynoPage parent_instance;

  GSettings *settings;
  DynoRunner *runner;
  DynoPlan *rest; /* to be measured once a run is analysed */
  guint rest_id;

  GtkStack *stack;
  DynoPlanForm *form;
  AdwBin *live_bin;
  DynoLivePage *live_page; /* made for the first run */
  AdwBin *submission_bin;
  DynoSubmissionPage *submission_page; /* made for the first submission */
  GCancellable *submitting;
  gboolean planning; /* engines are being asked */
  GtkButton *run_button;
  AdwStatusPage *error_page;
  DynoNarrowBin *narrow_bin;
  GtkOrientable *halves;
  GtkWidget *column;
  DynoForecastView *forecast_view;
  GtkOrientable *run_box;
};

enum
{
  PROP_0,
  PROP_RUNNING,
  PROP_RUNNER,
  N_PROPS
};

enum
{
  RUN_FINISHED,
  SHOW_RESULTS,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoBenchmarkPage, dyno_benchmark_page, DYNO_TYPE_PAGE)

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

void
dyno_benchmark_column_place (GtkWidget *column, GtkOrientable *halves, gboolean narrow)
{
  gtk_orientable_set_orientation (halves, narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_widget_set_size_request (column, narrow ? -1 : COLUMN_WIDTH, -1);
}

static DynoAppSession *
get_session (DynoBenchmarkPage *self)
{
  return dyno_page_get_session (DYNO_PAGE (self));
}

static void
update_actions (DynoBenchmarkPage *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean running = self->runner != NULL;
  gboolean shows_run = g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "live") == 0;
  gboolean is_elsewhere = dyno_plan_form_is_elsewhere (self->form);
  gboolean ready = !shows_run && !(running && is_elsewhere) && self->submitting == NULL &&
                   dyno_plan_form_get_ready (self->form);

  gtk_button_set_label (self->run_button, is_elsewhere ? _ ("_Submit")
                                          : running    ? _ ("Add to _Queue")
                                                       : _ ("_Run"));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->run_button),
                               is_elsewhere ? _ ("Hand all cases over to other machines (Ctrl+Enter)")
                               : running
                                   ? _ ("Measure all cases after the runs that come before (Ctrl+Enter)")
                                   : _ ("Measure all cases (Ctrl+Enter)"));

  gtk_widget_action_set_enabled (widget, "benchmark.run", ready);
  gtk_widget_action_set_enabled (widget, "benchmark.run-when-idle", ready);
  gtk_widget_action_set_enabled (widget, "benchmark.every-engine", ready && !self->planning);
  gtk_widget_action_set_enabled (widget, "benchmark.pause", running);
  gtk_widget_action_set_enabled (widget, "benchmark.skip", running);
  gtk_widget_action_set_enabled (widget, "benchmark.stop", running);
  gtk_widget_action_set_enabled (widget, "benchmark.show-run", running);
}

static void
show_error (DynoBenchmarkPage *self, const char *title, const GError *error)
{
  g_autofree char *description = g_markup_escape_text (error->message, -1);

  adw_status_page_set_title (self->error_page, title);
  adw_status_page_set_description (self->error_page, description);
  gtk_stack_set_visible_child_name (self->stack, "error");
}

/* The run */

static void
runner_changed_cb (DynoBenchmarkPage *self)
{
  if (!g_set_object (&self->runner, dyno_app_session_get_runner (get_session (self))))
    return;
  if (self->live_page == NULL)
    {
      self->live_page = g_object_new (DYNO_TYPE_LIVE_PAGE, NULL);
      adw_bin_set_child (self->live_bin, GTK_WIDGET (self->live_page));
    }
  if (self->runner != NULL)
    {
      dyno_live_page_set_runner (self->live_page, self->runner,
                                 dyno_app_session_get_store (get_session (self)));
      g_settings_set_boolean (self->settings, "first-start", FALSE);
      /* Who plans the next run goes on with that. */
      if (!dyno_app_session_get_continues (get_session (self)) ||
          g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "form") != 0)
        gtk_stack_set_visible_child_name (self->stack, "live");
    }
  else
    dyno_live_page_end (self->live_page);
  update_actions (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNER]);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_RUNNING]);
}

/* Reading a run would disturb one that is being measured. */
static void
dyno_benchmark_page_read_store (DynoPage *page)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (page);
  DynoStore *store = dyno_app_session_get_store (get_session (self));

  if (store != NULL && self->runner == NULL)
    dyno_plan_form_show_score (self->form, store);
}

static void
queued_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GtkWidget) page = user_data;
  g_autoptr (GError) error = NULL;

  if (dyno_app_session_queue_run_finish (DYNO_APP_SESSION (object), result, &error))
    dyno_toast_say (page, _ ("The run was added to the queue"));
  else
    dyno_toast_report_error (page, _ ("The run cannot be added to the queue"), error);
}

static void
queue_plan (DynoBenchmarkPage *self, DynoPlan *plan, DynoQueuePriority priority)
{
  dyno_app_session_queue_run_async (get_session (self), plan, priority, queued_cb, g_object_ref (self));
}

static void
show_form (DynoBenchmarkPage *self)
{
  g_settings_set_boolean (self->settings, "first-start", FALSE);
  if (self->runner == NULL && self->live_page != NULL)
    dyno_live_page_set_runner (self->live_page, NULL, NULL);
  gtk_stack_set_visible_child_name (self->stack, "form");
  update_actions (self);
}

static gboolean
measure_rest_cb (gpointer data)
{
  DynoBenchmarkPage *self = data;
  g_autoptr (DynoPlan) rest = g_steal_pointer (&self->rest);

  self->rest_id = 0;
  dyno_benchmark_page_run_plan (self, rest);
  return G_SOURCE_REMOVE;
}

static void
run_ended_cb (DynoBenchmarkPage *self, DynoRun *run, GError *error)
{
  DynoCaseCounts counts = { 0 };
  gboolean has_results;

  dyno_benchmark_page_read_store (DYNO_PAGE (self));
  /* The rest is measured even if cases can no longer be analysed. */
  if (self->rest != NULL && g_error_matches (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT))
    {
      dyno_toast_report_error (GTK_WIDGET (self), _ ("Cases cannot be analysed"), error);
      show_form (self);
      self->rest_id = g_idle_add (measure_rest_cb, self);
      return;
    }
  if (error != NULL)
    {
      g_clear_object (&self->rest);
      show_error (self, _ ("The Run Cannot Start"), error);
      return;
    }
  dyno_run_count_cases (run, &counts);

  g_autoptr (GPtrArray) unanalysed = dyno_runner_list_unanalysed (run);
  g_autofree char *text = dyno_case_counts_dup_text (&counts);
  /* Translators: %s counts the cases of a run, such as “2 measured · 6 not run” */
  g_autofree char *ended = g_strdup_printf (_ ("The run has ended: %s"), text);
  /* Translators: %s counts the cases of a run, such as “2 measured · 6 not run” */
  g_autofree char *interrupted = g_strdup_printf (_ ("Interrupted: %s"), text);

  dyno_announce (GTK_WIDGET (self), ended);
  /* Other listeners must hear of the end before the rest begins. */
  if (self->rest != NULL && unanalysed->len == 0)
    {
      self->rest_id = g_idle_add (measure_rest_cb, self);
      return;
    }
  g_clear_object (&self->rest);
  if (dyno_run_is_interrupted (run))
    dyno_toast_say (GTK_WIDGET (self), interrupted);
  has_results = counts.of[DYNO_CASE_STATE_NOT_RUN] < counts.n_cases;
  if (!has_results || dyno_run_is_self_test (run) || !dyno_app_session_has_stored (get_session (self), run))
    show_form (self);
  if (has_results)
    g_signal_emit (self, signals[RUN_FINISHED], 0, run);
}

/* Other machines */

static void
show_results_cb (DynoBenchmarkPage *self, const char *id)
{
  g_signal_emit (self, signals[SHOW_RESULTS], 0, id);
}

static void
ensure_submission_page (DynoBenchmarkPage *self)
{
  if (self->submission_page != NULL)
    return;
  self->submission_page = g_object_new (DYNO_TYPE_SUBMISSION_PAGE, NULL);
  g_signal_connect_object (self->submission_page, "show-results", G_CALLBACK (show_results_cb), self,
                           G_CONNECT_SWAPPED);
  adw_bin_set_child (self->submission_bin, GTK_WIDGET (self->submission_page));
}

static void
show_submission (DynoBenchmarkPage *self, const char *id)
{
  ensure_submission_page (self);
  dyno_submission_page_show (self->submission_page, dyno_app_session_get_follower (get_session (self)), id);
  gtk_stack_set_visible_child_name (self->stack, "submission");
}

static void
submitted_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoBenchmarkPage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *id = dyno_cluster_follower_submit_finish (DYNO_CLUSTER_FOLLOWER (object), result, &error);
  gboolean is_shown, is_cancelled;

  /* The window may have been closed. */
  if (self->settings == NULL)
    return;
  is_shown = g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "submission") == 0;
  is_cancelled = g_cancellable_is_cancelled (self->submitting);
  g_clear_object (&self->submitting);
  update_actions (self);
  if (error != NULL && !is_cancelled)
    show_error (self, _ ("The Plan Cannot Be Submitted"), error);
  else if (error == NULL && is_shown)
    show_submission (self, id);
}

static void
submit_plan (DynoBenchmarkPage *self, DynoPlan *plan)
{
  DynoClusterFollower *follower = dyno_app_session_get_follower (get_session (self));
  DynoClusterOptions options;

  if (follower == NULL)
    {
      dyno_toast_say (GTK_WIDGET (self), _ ("Nothing can be submitted: results cannot be stored here"));
      return;
    }
  dyno_plan_form_init_options (self->form, &options);
  self->submitting = g_cancellable_new ();
  ensure_submission_page (self);
  dyno_submission_page_begin (self->submission_page);
  gtk_stack_set_visible_child_name (self->stack, "submission");
  g_settings_set_boolean (self->settings, "first-start", FALSE);
  update_actions (self);
  dyno_cluster_follower_submit_async (follower, &options, plan, self->submitting, submitted_cb,
                                      g_object_ref (self));
}

static void
cancel_submission_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (widget);

  if (self->submitting != NULL)
    g_cancellable_cancel (self->submitting);
  gtk_stack_set_visible_child_name (self->stack, "form");
}

static void
show_submission_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  show_submission (DYNO_BENCHMARK_PAGE (widget), g_variant_get_string (parameter, NULL));
}

/* Beside the form there is room for the forecast; below it there is room for one line. */
static void
narrow_changed_cb (DynoBenchmarkPage *self)
{
  gboolean narrow = dyno_narrow_bin_get_narrow (self->narrow_bin);

  dyno_benchmark_column_place (self->column, self->halves, narrow);
  gtk_orientable_set_orientation (self->run_box,
                                  narrow ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
}

static void
counting_changed_cb (DynoBenchmarkPage *self)
{
  dyno_forecast_view_show (self->forecast_view, dyno_plan_form_get_count (self->form),
                           !dyno_plan_form_is_elsewhere (self->form));
}

static void
run_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (widget);
  g_autoptr (DynoPlan) plan = dyno_plan_form_create_plan (self->form);

  if (dyno_plan_form_is_elsewhere (self->form))
    submit_plan (self, plan);
  else
    dyno_benchmark_page_run_plan (self, plan);
}

static void
run_when_idle_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (widget);
  g_autoptr (DynoPlan) plan = dyno_plan_form_create_plan (self->form);
  DynoMethod *method = dyno_plan_get_method (plan);

  if (self->runner != NULL)
    {
      queue_plan (self, plan, DYNO_QUEUE_IDLE);
      return;
    }
  if (dyno_method_get_wait_quiet (method) < DYNO_QUEUE_IDLE_SECONDS)
    g_object_set (method, "wait-quiet", DYNO_QUEUE_IDLE_SECONDS, NULL);
  dyno_benchmark_page_run_plan (self, plan);
}

static void
find_settings_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  g_autoptr (DynoPlan) plan = dyno_plan_form_create_plan (DYNO_BENCHMARK_PAGE (widget)->form);
  g_autofree char *json = dyno_plan_to_json (plan);

  gtk_widget_activate_action (widget, "win.find-settings", "s", json);
}

/* Engines are asked on a thread, because that may take a while. */
static void
plan_engines_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  DynoPlan *plan = data;
  g_autoptr (GHashTable) given = g_hash_table_new (g_str_hash, g_str_equal);
  GError *error = NULL;

  if (!g_str_equal (*dyno_plan_get_generate_tokens (plan), "0"))
    g_hash_table_add (given, (gpointer) "generate-tokens");
  if (dyno_every_engine_plan (plan, given, &error))
    g_task_return_pointer (task, g_object_ref (plan), g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
engines_planned_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = g_task_propagate_pointer (G_TASK (result), &error);

  /* The window may have been closed. */
  if (self->settings == NULL)
    return;
  self->planning = FALSE;
  update_actions (self);
  if (plan == NULL)
    dyno_toast_report_error (GTK_WIDGET (self), _ ("Engines cannot be compared"), error);
  else
    dyno_benchmark_page_run_plan (self, plan);
}

static void
every_engine_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (widget);

  self->planning = TRUE;
  update_actions (self);
  dyno_toast_say (widget, _ ("Asking the engines what they can run"));
  dyno_thread_task_run (widget, NULL, plan_engines_thread, dyno_plan_form_create_plan (self->form),
                        g_object_unref, engines_planned_cb);
}

static void
pause_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (widget);

  dyno_runner_set_paused (self->runner, !dyno_runner_get_paused (self->runner));
}

static void
skip_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_runner_skip (DYNO_BENCHMARK_PAGE (widget)->runner);
}

static void
stop_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (widget);

  dyno_live_page_set_stopping (self->live_page, TRUE);
  dyno_app_session_stop_run (get_session (self));
  gtk_widget_action_set_enabled (widget, "benchmark.pause", FALSE);
  gtk_widget_action_set_enabled (widget, "benchmark.skip", FALSE);
  gtk_widget_action_set_enabled (widget, "benchmark.stop", FALSE);
}

static void
back_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (widget);

  show_form (self);
  if (self->submission_page != NULL)
    dyno_submission_page_leave_ended (self->submission_page);
}

static void
show_run_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (widget);

  gtk_stack_set_visible_child_name (self->stack, "live");
  update_actions (self);
}

static void
reset_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_plan_form_reset (DYNO_BENCHMARK_PAGE (widget)->form);
}

/* Files */

static void
open_model_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoBenchmarkPage) self = user_data;
  g_autoptr (GFile) file = dyno_compat_choose_finish (result);

  if (file != NULL)
    dyno_benchmark_page_add_model_file (self, file);
}

static void
open_model_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  static const DynoCompatFilter filters[] = { { N_ ("Models and configs"), .with_models = TRUE }, { NULL } };

  dyno_compat_open_file_async (widget, _ ("Add Model File"), filters, open_model_cb, g_object_ref (widget));
}

static void
fetched_cb (DynoBenchmarkPage *self, const char *spec)
{
  show_form (self);
  dyno_plan_form_add_model (self->form, spec);
}

static void
add_from_hub_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  GtkWidget *window = dyno_hub_window_new ();

  g_signal_connect_object (window, "fetched", G_CALLBACK (fetched_cb), widget, G_CONNECT_SWAPPED);
  gtk_window_set_transient_for (GTK_WINDOW (window), GTK_WINDOW (gtk_widget_get_root (widget)));
  gtk_window_present (GTK_WINDOW (window));
}

/* Suites are read and written in a thread: a file may be long or on a slow disk. */

static void
suite_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = g_task_propagate_pointer (G_TASK (result), &error);

  if (plan != NULL)
    dyno_benchmark_page_show_plan (self, plan);
  else
    dyno_toast_report_error (GTK_WIDGET (self), _ ("The suite cannot be opened"), error);
}

static void
return_plan (GTask *task, DynoPlan *plan, GError *error)
{
  if (plan != NULL)
    g_task_return_pointer (task, plan, g_object_unref);
  else
    g_task_return_error (task, error);
}

static void
load_bundled_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  DynoPlan *plan = dyno_plan_new_bundled (task_data, &error);

  return_plan (task, plan, error);
}

static void
quick_loaded_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoPlan) plan = g_task_propagate_pointer (G_TASK (result), &error);

  if (plan != NULL)
    dyno_benchmark_page_run_plan (self, plan);
  else
    show_error (self, _ ("The Run Cannot Start"), error);
}

static void
quick_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_thread_task_run (widget, NULL, load_bundled_thread, g_strdup ("quick"), g_free, quick_loaded_cb);
}

static void
load_suite_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_thread_task_run (widget, NULL, load_bundled_thread, g_variant_dup_string (parameter, NULL), g_free,
                        suite_loaded_cb);
}

static void
load_file_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  GError *error = NULL;
  DynoPlan *plan = dyno_plan_new_from_file (task_data, &error);

  return_plan (task, plan, error);
}

static void
open_suite_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoBenchmarkPage) self = user_data;
  g_autoptr (GFile) file = dyno_compat_choose_finish (result);

  if (file == NULL)
    return;
  dyno_thread_task_run (self, NULL, load_file_thread, g_steal_pointer (&file), g_object_unref,
                        suite_loaded_cb);
}

static void
open_suite_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  static const DynoCompatFilter filters[] = { { N_ ("Suites"), { "json" } }, { NULL } };

  dyno_compat_open_file_async (widget, _ ("Open Suite"), filters, open_suite_cb, g_object_ref (widget));
}

typedef struct
{
  DynoPlan *plan;
  GFile *file;
} Saving;

static void
saving_free (Saving *saving)
{
  g_object_unref (saving->plan);
  g_object_unref (saving->file);
  g_free (saving);
}

static void
save_thread (GTask *task, gpointer source_object, gpointer task_data, GCancellable *cancellable)
{
  Saving *saving = task_data;
  GError *error = NULL;

  if (dyno_plan_save (saving->plan, saving->file, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
suite_saved_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  dyno_writing_end ();
  if (g_task_propagate_boolean (G_TASK (result), &error))
    dyno_toast_say (GTK_WIDGET (object), _ ("Suite saved"));
  else
    dyno_toast_report_error (GTK_WIDGET (object), _ ("The suite cannot be saved"), error);
}

static void
save_suite_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (DynoBenchmarkPage) self = user_data;
  g_autoptr (GFile) file = dyno_compat_choose_finish (result);
  Saving *saving;

  if (file == NULL)
    return;
  saving = g_new (Saving, 1);
  saving->plan = dyno_plan_form_create_plan (self->form);
  saving->file = g_steal_pointer (&file);
  dyno_writing_begin ();
  dyno_thread_task_run (self, NULL, save_thread, saving, (GDestroyNotify)saving_free, suite_saved_cb);
}

static void
save_suite_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  const DynoCompatFormat formats[] = { { "json", _ ("Suites") }, { NULL } };

  dyno_compat_save_file_async (widget, _ ("Save Suite"), _ ("suite.json"), formats, save_suite_cb,
                               g_object_ref (widget));
}

static void
dyno_benchmark_page_constructed (GObject *object)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (object);
  DynoAppSession *session = get_session (self);

  G_OBJECT_CLASS (dyno_benchmark_page_parent_class)->constructed (object);

  dyno_plan_form_set_session (self->form, session);
  g_signal_connect_object (session, "notify::runner", G_CALLBACK (runner_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "run-ended", G_CALLBACK (run_ended_cb), self, G_CONNECT_SWAPPED);
  runner_changed_cb (self);
}

static void
dyno_benchmark_page_focus_search (DynoPage *page)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (page);

  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->stack), "form") == 0)
    dyno_plan_form_focus_search (self->form);
}

static void
dyno_benchmark_page_dispose (GObject *object)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (object);

  g_clear_object (&self->settings);
  g_clear_object (&self->runner);
  g_clear_object (&self->rest);
  g_clear_handle_id (&self->rest_id, g_source_remove);
  g_clear_object (&self->submitting);
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_BENCHMARK_PAGE);

  G_OBJECT_CLASS (dyno_benchmark_page_parent_class)->dispose (object);
}

static void
dyno_benchmark_page_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoBenchmarkPage *self = DYNO_BENCHMARK_PAGE (object);

  switch (prop_id)
    {
    case PROP_RUNNING:
      g_value_set_boolean (value, self->runner != NULL);
      break;
    case PROP_RUNNER:
      g_value_set_object (value, self->runner);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
install_actions (GtkWidgetClass *widget_class)
{
  gtk_widget_class_install_action (widget_class, "benchmark.run", NULL, run_action);
  gtk_widget_class_install_action (widget_class, "benchmark.run-when-idle", NULL, run_when_idle_action);
  gtk_widget_class_install_action (widget_class, "benchmark.run-quick", NULL, quick_action);
  gtk_widget_class_install_action (widget_class, "benchmark.every-engine", NULL, every_engine_action);
  gtk_widget_class_install_action (widget_class, "benchmark.find-settings", NULL, find_settings_action);
  gtk_widget_class_install_action (widget_class, "benchmark.reset", NULL, reset_action);
  gtk_widget_class_install_action (widget_class, "benchmark.pause", NULL, pause_action);
  gtk_widget_class_install_action (widget_class, "benchmark.skip", NULL, skip_action);
  gtk_widget_class_install_action (widget_class, "benchmark.stop", NULL, stop_action);
  gtk_widget_class_install_action (widget_class, "benchmark.back", NULL, back_action);
  gtk_widget_class_install_action (widget_class, "benchmark.show-run", NULL, show_run_action);
  gtk_widget_class_install_action (widget_class, "benchmark.cancel-submission", NULL,
                                   cancel_submission_action);
  gtk_widget_class_install_action (widget_class, "benchmark.show-submission", "s", show_submission_action);
  gtk_widget_class_install_action (widget_class, "benchmark.open-model", NULL, open_model_action);
  gtk_widget_class_install_action (widget_class, "benchmark.add-from-hub", NULL, add_from_hub_action);
  gtk_widget_class_install_action (widget_class, "benchmark.load-suite", "s", load_suite_action);
  gtk_widget_class_install_action (widget_class, "benchmark.open-suite", NULL, open_suite_action);
  gtk_widget_class_install_action (widget_class, "benchmark.save-suite", NULL, save_suite_action);

  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Return, GDK_CONTROL_MASK, "benchmark.run", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_p, GDK_CONTROL_MASK, "benchmark.pause", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_o, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                       "benchmark.open-model", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_h, GDK_CONTROL_MASK | GDK_SHIFT_MASK,
                                       "benchmark.add-from-hub", NULL);
}

static void
dyno_benchmark_page_class_init (DynoBenchmarkPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;

  object_class->constructed = dyno_benchmark_page_constructed;
  object_class->dispose = dyno_benchmark_page_dispose;
  object_class->get_property = dyno_benchmark_page_get_property;
  DYNO_PAGE_CLASS (klass)->read_store = dyno_benchmark_page_read_store;
  DYNO_PAGE_CLASS (klass)->focus_search = dyno_benchmark_page_focus_search;

  properties[PROP_RUNNING] = g_param_spec_boolean ("running", NULL, NULL, FALSE, flags);
  properties[PROP_RUNNER] = g_param_spec_object ("runner", NULL, NULL, DYNO_TYPE_RUNNER, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[RUN_FINISHED] = g_signal_new ("run-finished", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                        NULL, NULL, G_TYPE_NONE, 1, DYNO_TYPE_RUN);

  signals[SHOW_RESULTS] = g_signal_new ("show-results", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                        NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (DYNO_TYPE_FORECAST_VIEW);
  g_type_ensure (DYNO_TYPE_LIVE_PAGE);
  g_type_ensure (DYNO_TYPE_NARROW_BIN);
  g_type_ensure (DYNO_TYPE_PLAN_FORM);
  g_type_ensure (DYNO_TYPE_SUBMISSION_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-benchmark-page.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoBenchmarkPage, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoBenchmarkPage, form);
  gtk_widget_class_bind_template_child (widget_class, DynoBenchmarkPage, live_bin);
  gtk_widget_class_bind_template_child (widget_class, DynoBenchmarkPage, submission_bin);
  gtk_widget_class_bind_template_child (widget_class, DynoBenchmarkPage, run_button);
  gtk_widget_class_bind_template_child (widget_class, DynoBenchmarkPage, error_page);
  gtk_widget_class_bind_template_child (widget_class, DynoBenchmarkPage, narrow_bin);
  gtk_widget_class_bind_template_child (widget_class, DynoBenchmarkPage, halves);
  gtk_widget_class_bind_template_child (widget_class, DynoBenchmarkPage, column);
  gtk_widget_class_bind_template_child (widget_class, DynoBenchmarkPage, forecast_view);
  gtk_widget_class_bind_template_child (widget_class, DynoBenchmarkPage, run_box);
  gtk_widget_class_bind_template_callback (widget_class, update_actions);
  gtk_widget_class_bind_template_callback (widget_class, counting_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, narrow_changed_cb);
  install_actions (widget_class);
}

static void
dyno_benchmark_page_init (DynoBenchmarkPage *self)
{
  self->settings = g_settings_new (APP_ID);
  gtk_widget_init_template (GTK_WIDGET (self));
  if (g_settings_get_boolean (self->settings, "first-start"))
    gtk_stack_set_visible_child_name (self->stack, "first-start");
  narrow_changed_cb (self);
  update_actions (self);
}

void
dyno_benchmark_page_add_model_file (DynoBenchmarkPage *self, GFile *file)
{
  g_return_if_fail (DYNO_IS_BENCHMARK_PAGE (self));
  g_return_if_fail (G_IS_FILE (file));
  show_form (self);
  dyno_plan_form_add_model_file (self->form, file);
}

void
dyno_benchmark_page_show_plan (DynoBenchmarkPage *self, DynoPlan *plan)
{
  g_return_if_fail (DYNO_IS_BENCHMARK_PAGE (self));
  g_return_if_fail (DYNO_IS_PLAN (plan));

  dyno_plan_form_set_plan (self->form, plan);
  if (self->runner == NULL)
    show_form (self);
}

static void
show_start_error (DynoBenchmarkPage *self, GError *error)
{
  if (self->runner != NULL)
    dyno_toast_report_error (GTK_WIDGET (self), _ ("The run cannot start"), error);
  else
    show_error (self, _ ("The Run Cannot Start"), error);
}

void
dyno_benchmark_page_run_plan (DynoBenchmarkPage *self, DynoPlan *plan)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (DYNO_IS_BENCHMARK_PAGE (self));
  g_return_if_fail (DYNO_IS_PLAN (plan));

  if (self->runner != NULL)
    queue_plan (self, plan, DYNO_QUEUE_NORMAL);
  else if (!dyno_app_session_start_run (get_session (self), plan, &error))
    show_start_error (self, error);
}

void
dyno_benchmark_page_analyse_run (DynoBenchmarkPage *self, DynoRun *run, DynoPlan *rest)
{
  g_autoptr (GError) error = NULL;

  g_return_if_fail (DYNO_IS_BENCHMARK_PAGE (self));
  g_return_if_fail (DYNO_IS_RUN (run));

  if (dyno_app_session_start_analysis (get_session (self), run, &error))
    g_set_object (&self->rest, rest);
  else
    show_start_error (self, error);
}

gboolean
dyno_benchmark_page_get_running (DynoBenchmarkPage *self)
{
  g_return_val_if_fail (DYNO_IS_BENCHMARK_PAGE (self), FALSE);
  return self->runner != NULL;
}

DynoRunner *
dyno_benchmark_page_get_runner (DynoBenchmarkPage *self)
{
  g_return_val_if_fail (DYNO_IS_BENCHMARK_PAGE (self), NULL);
  return self->runner;
}

const DynoPageInfo dyno_benchmark_page_info = {
  "benchmark",  N_ ("_Benchmark"), "dyno-benchmark-symbolic",
  "<Control>1", "measuring.html",  dyno_benchmark_page_get_type
};
