/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-hardware-private.h"
#include "dyno-app-session-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-comparison-builder.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-self-test-plan.h"
#include "dyno-unit.h"

struct _DynoNoiseFloorRow
{
  AdwActionRow parent_instance;

  DynoAppSession *session;
  GSignalGroup *session_signals;
  GSignalGroup *runner_signals;
  GSignalGroup *store_signals;
  DynoRunner *runner;
  DynoSelfTest *self_test;
  GCancellable *loading;
  gboolean planning;

  GtkProgressBar *progress_bar;
  GtkWidget *stop_button;
  GtkWidget *run_button;
};

G_DEFINE_FINAL_TYPE (DynoNoiseFloorRow, dyno_noise_floor_row, ADW_TYPE_ACTION_ROW)

/* Text */

static char *
describe_progress (DynoNoiseFloorRow *self)
{
  DynoResult *current = dyno_runner_get_current (self->runner);
  double seconds = dyno_runner_get_seconds_left (self->runner);
  g_autofree char *left = NULL;

  if (current == NULL)
    return g_strdup (_ ("Preparing…"));
  left = dyno_unit_format_duration (MAX (seconds, 0));
  /* Translators: %s is a span of time, such as “12 s” */
  return g_strdup_printf (_ ("Process %u of %u · %s left"), dyno_runner_get_invocation (self->runner) + 1,
                          dyno_method_get_invocations (dyno_case_get_method (dyno_result_get_case (current))),
                          left);
}

static void
update (DynoNoiseFloorRow *self)
{
  gboolean testing = self->runner != NULL && dyno_runner_is_self_test (self->runner);
  g_autofree char *text = NULL;

  if (self->planning)
    text = g_strdup (_ ("Preparing…"));
  else if (testing)
    text = describe_progress (self);
  else
    text = dyno_self_test_dup_floor (self->self_test, DYNO_COMPARISON_METRIC);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (self), text != NULL ? text : _ ("Not measured yet"));
  gtk_widget_set_visible (GTK_WIDGET (self->progress_bar), testing);
  gtk_widget_set_visible (self->stop_button, testing);
  gtk_widget_set_visible (self->run_button, !testing);
  if (testing)
    gtk_progress_bar_set_fraction (self->progress_bar, CLAMP (dyno_runner_get_progress (self->runner), 0, 1));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "noise-floor.run",
                                 self->session != NULL &&
                                     dyno_app_session_get_store (self->session) != NULL &&
                                     self->runner == NULL && !self->planning);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "noise-floor.stop", testing && self->session != NULL);
}

/* Stored self-test */

static void
load_thread (GTask *task, gpointer source, gpointer store, GCancellable *cancellable)
{
  GError *error = NULL;
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (&error);
  g_autoptr (JsonNode) node = machine != NULL ? dyno_machine_to_json (machine) : NULL;
  g_autofree char *json = node != NULL ? dyno_json_text_write (node, FALSE) : NULL;
  DynoSelfTest *self_test = json != NULL ? dyno_store_load_self_test (store, json, &error) : NULL;

  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_pointer (task, self_test, (GDestroyNotify)dyno_self_test_unref);
}

/* If it cannot be read, it counts as unknown; the store reports its own errors. */
static void
load_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSelfTest) self_test = g_task_propagate_pointer (G_TASK (result), &error);

  if (error == NULL)
    dyno_noise_floor_row_set_self_test (DYNO_NOISE_FLOOR_ROW (object), self_test);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_debug ("The self-test could not be read: %s", error->message);
}

static void
load (DynoNoiseFloorRow *self)
{
  DynoStore *store = self->session != NULL ? dyno_app_session_get_store (self->session) : NULL;

  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  if (store == NULL)
    return;
  self->loading = g_cancellable_new ();
  dyno_thread_task_run (self, self->loading, load_thread, g_object_ref (store), g_object_unref, load_cb);
}

/* The session */

/* Reading takes time, so it waits for the end of the current run. */
static void
runs_changed_cb (DynoNoiseFloorRow *self)
{
  if (self->runner == NULL)
    load (self);
}

static void
runner_changed_cb (DynoNoiseFloorRow *self)
{
  dyno_noise_floor_row_set_runner (self, dyno_app_session_get_runner (self->session));
}

static void
store_changed_cb (DynoNoiseFloorRow *self)
{
  g_signal_group_set_target (self->store_signals, dyno_app_session_get_store (self->session));
  load (self);
  update (self);
}

/* The self-test */

static void
plan_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  DynoSelfTestPlan *plan = dyno_self_test_plan_new (0, &error);

  if (plan != NULL)
    g_task_return_pointer (task, plan, (GDestroyNotify)dyno_self_test_plan_free);
  else
    g_task_return_error (task, error);
}

static void
plan_cb (GObject *object, GAsyncResult *result, gpointer user_data)
{
  DynoNoiseFloorRow *self = DYNO_NOISE_FLOOR_ROW (object);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSelfTestPlan) plan = g_task_propagate_pointer (G_TASK (result), &error);

  self->planning = FALSE;
  if (self->session == NULL)
    return;
  if (plan != NULL && dyno_app_session_start_self_test (self->session, plan->plan, &error) &&
      plan->remark != NULL)
    dyno_toast_say (GTK_WIDGET (self), plan->remark);
  if (error != NULL)
    dyno_toast_report_error (GTK_WIDGET (self), _ ("The self-test could not be started"), error);
  update (self);
}

static void
run_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoNoiseFloorRow *self = DYNO_NOISE_FLOOR_ROW (widget);

  self->planning = TRUE;
  update (self);
  dyno_thread_task_run (self, NULL, plan_thread, NULL, NULL, plan_cb);
}

static void
stop_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  dyno_app_session_stop_run (DYNO_NOISE_FLOOR_ROW (widget)->session);
}

static void
dyno_noise_floor_row_dispose (GObject *object)
{
  DynoNoiseFloorRow *self = DYNO_NOISE_FLOOR_ROW (object);

  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_clear_object (&self->session_signals);
  g_clear_object (&self->runner_signals);
  g_clear_object (&self->store_signals);
  g_clear_object (&self->session);
  g_clear_object (&self->runner);
  g_clear_pointer (&self->self_test, dyno_self_test_unref);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_NOISE_FLOOR_ROW);

  G_OBJECT_CLASS (dyno_noise_floor_row_parent_class)->dispose (object);
}

static void
dyno_noise_floor_row_class_init (DynoNoiseFloorRowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_noise_floor_row_dispose;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/dynobench/Dyno/dyno-noise-floor-row.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoNoiseFloorRow, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, DynoNoiseFloorRow, stop_button);
  gtk_widget_class_bind_template_child (widget_class, DynoNoiseFloorRow, run_button);
  gtk_widget_class_install_action (widget_class, "noise-floor.run", NULL, run_action);
  gtk_widget_class_install_action (widget_class, "noise-floor.stop", NULL, stop_action);
}

static void
dyno_noise_floor_row_init (DynoNoiseFloorRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  dyno_labels_shrink (self->stop_button);
  dyno_double_click_guard (self->run_button);

  GtkLabel *label = GTK_LABEL (gtk_button_get_child (GTK_BUTTON (self->run_button)));

  /* A label of our own would not give the button its name. */
  gtk_label_set_wrap (label, TRUE);
  /* A high row has room for two lines, but only a narrow one needs them. */
  gtk_label_set_natural_wrap_mode (label, GTK_NATURAL_WRAP_NONE);
  gtk_label_set_justify (label, GTK_JUSTIFY_CENTER);
  dyno_double_click_guard (self->stop_button);
  self->session_signals = g_signal_group_new (DYNO_TYPE_APP_SESSION);
  g_signal_group_connect_swapped (self->session_signals, "notify::runner", G_CALLBACK (runner_changed_cb),
                                  self);
  g_signal_group_connect_swapped (self->session_signals, "notify::store", G_CALLBACK (store_changed_cb),
                                  self);
  self->runner_signals = g_signal_group_new (DYNO_TYPE_RUNNER);
  g_signal_group_connect_swapped (self->runner_signals, "notify", G_CALLBACK (update), self);
  self->store_signals = g_signal_group_new (DYNO_TYPE_STORE);
  g_signal_group_connect_swapped (self->store_signals, "changed", G_CALLBACK (runs_changed_cb), self);
  update (self);
}

void
dyno_noise_floor_row_set_self_test (DynoNoiseFloorRow *self, DynoSelfTest *self_test)
{
  g_return_if_fail (DYNO_IS_NOISE_FLOOR_ROW (self));

  if (self_test != NULL)
    dyno_self_test_ref (self_test);
  g_clear_pointer (&self->self_test, dyno_self_test_unref);
  self->self_test = self_test;
  update (self);
}

void
dyno_noise_floor_row_set_session (DynoNoiseFloorRow *self, DynoAppSession *session)
{
  g_return_if_fail (DYNO_IS_NOISE_FLOOR_ROW (self));
  g_return_if_fail (DYNO_IS_APP_SESSION (session));
  g_return_if_fail (self->session == NULL);

  self->session = g_object_ref (session);
  g_signal_group_set_target (self->session_signals, session);
  runner_changed_cb (self);
  store_changed_cb (self);
}

void
dyno_noise_floor_row_set_runner (DynoNoiseFloorRow *self, DynoRunner *runner)
{
  g_return_if_fail (DYNO_IS_NOISE_FLOOR_ROW (self));
  g_return_if_fail (runner == NULL || DYNO_IS_RUNNER (runner));

  if (!g_set_object (&self->runner, runner))
    return;
  g_signal_group_set_target (self->runner_signals, runner);
  if (runner == NULL)
    load (self);
  update (self);
}
