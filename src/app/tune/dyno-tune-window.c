/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-session-private.h"
#include "dyno-app-tune-private.h"
#include "dyno-app-widgets-private.h"

struct _DynoTuneWindow
{
  AdwWindow parent_instance;

  DynoAppSession *session;
  gboolean racing;
  gboolean over;

  GtkStack *stack;
  DynoTuneForm *form;
  DynoRaceView *view;
  GtkWidget *start_button;
  GtkWidget *stop_button;
  GtkWidget *again_button;
  GtkWidget *run_button;
};

G_DEFINE_FINAL_TYPE (DynoTuneWindow, dyno_tune_window, ADW_TYPE_WINDOW)

static void
update_actions (DynoTuneWindow *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  gboolean on_form = !self->racing && !self->over;
  DynoRun *run = dyno_race_view_get_run (self->view);

  gtk_stack_set_visible_child_name (self->stack, on_form ? "form" : "race");
  gtk_widget_set_visible (self->start_button, on_form);
  gtk_widget_set_visible (self->stop_button, self->racing);
  gtk_widget_set_visible (self->again_button, self->over);
  gtk_widget_set_visible (self->run_button, self->over);
  gtk_widget_action_set_enabled (widget, "tune.start", on_form && dyno_tune_form_get_ready (self->form));
  gtk_widget_action_set_enabled (widget, "tune.stop", self->racing);
  gtk_widget_action_set_enabled (widget, "tune.again", self->over);
  gtk_widget_action_set_enabled (
      widget, "tune.show-run", self->over && run != NULL && dyno_app_session_has_stored (self->session, run));
}

static void
show_race (DynoTuneWindow *self, DynoRace *race)
{
  self->racing = TRUE;
  dyno_race_view_follow (self->view, race, dyno_app_session_get_runner (self->session));
  update_actions (self);
}

static void
start_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoTuneWindow *self = DYNO_TUNE_WINDOW (widget);
  g_autoptr (DynoRace) race = NULL;
  g_autoptr (GError) error = NULL;
  DynoGoal goal;

  dyno_tune_form_get_goal (self->form, &goal);
  race = dyno_race_new (&goal);
  dyno_race_set_stored (race, dyno_tune_form_get_stored (self->form));
  if (dyno_app_session_start_race (self->session, dyno_tune_form_get_race_plan (self->form), race,
                                   dyno_tune_form_get_seconds (self->form), &error))
    show_race (self, race);
  else
    dyno_toast_report_error (widget, _ ("The race cannot start"), error);
}

static void
stop_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoTuneWindow *self = DYNO_TUNE_WINDOW (widget);

  dyno_race_view_set_stopping (self->view);
  dyno_app_session_stop_run (self->session);
  gtk_widget_action_set_enabled (widget, "tune.stop", FALSE);
}

static void
again_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoTuneWindow *self = DYNO_TUNE_WINDOW (widget);

  self->over = FALSE;
  update_actions (self);
}

static void
show_run_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  DynoTuneWindow *self = DYNO_TUNE_WINDOW (widget);
  const char *id = dyno_run_get_id (dyno_race_view_get_run (self->view));

  gtk_widget_activate_action (widget, "app.show-run", "s", id);
  gtk_window_close (GTK_WINDOW (self));
}

static void
run_ended_cb (DynoTuneWindow *self, DynoRun *run, GError *error)
{
  if (!self->racing)
    return;
  self->racing = FALSE;
  self->over = run != NULL;
  if (run != NULL)
    dyno_race_view_conclude (self->view, run);
  else
    dyno_toast_report_error (GTK_WIDGET (self), _ ("The race cannot start"), error);
  update_actions (self);
}

static void
dyno_tune_window_dispose (GObject *object)
{
  DynoTuneWindow *self = DYNO_TUNE_WINDOW (object);

  g_clear_object (&self->session);
  gtk_widget_dispose_template (GTK_WIDGET (self), DYNO_TYPE_TUNE_WINDOW);

  G_OBJECT_CLASS (dyno_tune_window_parent_class)->dispose (object);
}

static void
dyno_tune_window_class_init (DynoTuneWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dyno_tune_window_dispose;

  g_type_ensure (DYNO_TYPE_RACE_VIEW);
  g_type_ensure (DYNO_TYPE_TUNE_FORM);
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/dynobench/Dyno/dyno-tune-window.ui");
  gtk_widget_class_bind_template_child (widget_class, DynoTuneWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneWindow, form);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneWindow, view);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneWindow, start_button);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneWindow, stop_button);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneWindow, again_button);
  gtk_widget_class_bind_template_child (widget_class, DynoTuneWindow, run_button);
  gtk_widget_class_bind_template_callback (widget_class, update_actions);
  gtk_widget_class_install_action (widget_class, "tune.start", NULL, start_action);
  gtk_widget_class_install_action (widget_class, "tune.stop", NULL, stop_action);
  gtk_widget_class_install_action (widget_class, "tune.again", NULL, again_action);
  gtk_widget_class_install_action (widget_class, "tune.show-run", NULL, show_run_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Return, GDK_CONTROL_MASK, "tune.start", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
dyno_tune_window_init (DynoTuneWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  dyno_double_click_guard (self->stop_button);
  update_actions (self);
}

GtkWidget *
dyno_tune_window_new (GtkApplication *application, DynoAppSession *session, DynoPlan *plan)
{
  DynoTuneWindow *self;

  g_return_val_if_fail (GTK_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (DYNO_IS_APP_SESSION (session), NULL);

  self = g_object_new (DYNO_TYPE_TUNE_WINDOW, "application", application, NULL);
  self->session = g_object_ref (session);
  dyno_tune_form_set_store (self->form, dyno_app_session_get_store (session));
  g_signal_connect_object (session, "run-ended", G_CALLBACK (run_ended_cb), self, G_CONNECT_SWAPPED);
  if (plan != NULL)
    dyno_tune_form_set_plan (self->form, plan);
  if (dyno_app_session_get_race (session) != NULL)
    show_race (self, dyno_app_session_get_race (session));
  return GTK_WIDGET (self);
}

void
dyno_tune_window_present (DynoAppSession *session, GtkWindow *parent, DynoPlan *plan)
{
  GtkApplication *application;
  DynoTuneWindow *self = NULL;

  g_return_if_fail (DYNO_IS_APP_SESSION (session));
  g_return_if_fail (GTK_IS_WINDOW (parent));
  g_return_if_fail (DYNO_IS_PLAN (plan));

  application = gtk_window_get_application (parent);
  for (GList *l = gtk_application_get_windows (application); l != NULL && self == NULL; l = l->next)
    if (DYNO_IS_TUNE_WINDOW (l->data))
      self = l->data;
  if (self == NULL)
    self = DYNO_TUNE_WINDOW (dyno_tune_window_new (application, session, plan));
  else if (!self->racing)
    {
      /* A plan does not disturb a running race, but replaces an earlier answer. */
      self->over = FALSE;
      dyno_tune_form_set_plan (self->form, plan);
      update_actions (self);
    }
  gtk_window_set_transient_for (GTK_WINDOW (self), parent);
  gtk_window_present (GTK_WINDOW (self));
}
