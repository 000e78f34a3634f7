/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "benchmark/dyno-app-benchmark-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-grade.h"
#include "dyno-history.h"
#include "dyno-sandbox.h"

#define RUN_ENDED     "run-ended"
#define RUN_CONTINUES "run-continues"
#define ALERTS        "alerts"

/* A notification has room for few lines. */
#define MAX_ALERTS 4

/* The desktop ends sandboxed applications without a window unless they have asked to stay, and lists those
 * that have. A desktop without the portal does neither, so errors are ignored. */
static void
call_background_portal (GApplication *application, const char *method, GVariant *parameters)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (parameters);
  GDBusConnection *bus = g_application_get_dbus_connection (application);

  if (bus == NULL || !dyno_sandbox_is_active ())
    return;
  g_dbus_connection_call (bus, "org.freedesktop.portal.Desktop", "/org/freedesktop/portal/desktop",
                          "org.freedesktop.portal.Background", method, owned, NULL, G_DBUS_CALL_FLAGS_NONE,
                          -1, NULL, NULL, NULL);
}

static void
turn_cb (GApplication *application, GParamSpec *pspec, DynoRunner *runner)
{
  g_autofree char *message =
      g_strdup_printf (_ ("The benchmark is %.0f %% done."), 100 * dyno_runner_get_progress (runner));
  GVariantDict options;

  g_variant_dict_init (&options, NULL);
  g_variant_dict_insert (&options, "message", "s", message);
  call_background_portal (application, "SetStatus",
                          g_variant_new ("(@a{sv})", g_variant_dict_end (&options)));
}

void
dyno_run_notices_continue (GApplication *application, DynoRunner *runner)
{
  g_autoptr (GNotification) notification = g_notification_new (_ ("The Run Continues in the Background"));

  g_notification_set_body (notification, _ ("Each case is stored as soon as it is finished."));
  g_notification_set_default_action (notification, "app.show-progress");
  g_notification_add_button (notification, _ ("Show"), "app.show-progress");
  g_notification_add_button (notification, _ ("Stop"), "app.stop-run");
  g_application_send_notification (application, RUN_CONTINUES, notification);

  GVariantDict options;
  g_variant_dict_init (&options, NULL);
  g_variant_dict_insert (&options, "reason", "s", _ ("A benchmark is running."));
  g_variant_dict_insert (&options, "autostart", "b", FALSE);
  call_background_portal (application, "RequestBackground",
                          g_variant_new ("(s@a{sv})", "", g_variant_dict_end (&options)));

  g_signal_connect_object (runner, "notify::current", G_CALLBACK (turn_cb), application, G_CONNECT_SWAPPED);
  turn_cb (application, NULL, runner);
}

void
dyno_run_notices_end (GApplication *application, DynoRun *run, const GError *error, const char *problem)
{
  g_autoptr (GNotification) notification =
      g_notification_new (error != NULL ? _ ("The Run Ended Early") : _ ("The Run Has Ended"));
  g_autofree char *counts = run != NULL ? dyno_run_dup_outcome (run) : NULL;

  g_notification_set_body (notification, error != NULL ? error->message : problem != NULL ? problem : counts);
  if (run != NULL && !dyno_run_is_self_test (run))
    {
      g_notification_set_default_action_and_target (notification, "app.show-run", "s", dyno_run_get_id (run));
      g_notification_add_button_with_target (notification, _ ("Show Results"), "app.show-run", "s",
                                             dyno_run_get_id (run));
    }
  g_application_send_notification (application, RUN_ENDED, notification);
}

void
dyno_run_notices_end_submission (GApplication *application, DynoClusterProgress *progress)
{
  g_autoptr (GNotification) notification = g_notification_new (_ ("The Run on Other Machines Has Ended"));
  g_autofree char *counts = dyno_submission_page_dup_counts (progress);
  guint n_tasks = dyno_cluster_progress_get_job (progress)->tasks->len;
  DynoRun *run = NULL;

  for (guint i = 0; run == NULL && i < n_tasks; i++)
    run = dyno_cluster_progress_get_run (progress, i);

  g_notification_set_body (notification, counts);
  if (run != NULL)
    {
      const char *id = dyno_run_get_id (run);

      g_notification_set_default_action_and_target (notification, "app.show-run", "s", id);
      g_notification_add_button_with_target (notification, _ ("Show Results"), "app.show-run", "s", id);
    }
  g_application_send_notification (application, dyno_cluster_progress_get_id (progress), notification);
}

/* Alerts */

static void
send_alerts (GApplication *application, const char *run_id, guint n, const char *lines)
{
  g_autofree char *title = g_strdup_printf (ngettext ("%u Alert", "%u Alerts", n), n);
  g_autoptr (GNotification) notification = g_notification_new (title);

  g_notification_set_body (notification, lines);
  g_notification_set_priority (notification, G_NOTIFICATION_PRIORITY_HIGH);
  if (run_id != NULL)
    g_notification_set_default_action_and_target (notification, "app.show-run", "s", run_id);
  g_application_send_notification (application, ALERTS, notification);
}

typedef struct
{
  DynoStore *store;
  char *run_id;
  char *node;   /* (nullable): that was lost, in place of judging the run */
  char *reason; /* (nullable): why */
} Judging;

static void
judging_free (gpointer data)
{
  Judging *judging = data;

  g_object_unref (judging->store);
  g_free (judging->run_id);
  g_free (judging->node);
  g_free (judging->reason);
  g_free (judging);
}

static void
judge_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  const Judging *judging = data;
  g_autoptr (DynoAlertRules) rules = dyno_alert_rules_new ();
  g_autoptr (GPtrArray) notes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoRun) run = dyno_store_load_run (judging->store, judging->run_id, &error);
  g_autoptr (GPtrArray) alerts = NULL;

  if (run != NULL && judging->node == NULL)
    alerts = dyno_alerts_find (run, judging->store, rules, notes, &error);
  else if (run != NULL)
    {
      /* Keeps the loss with the last case that the node measured. */
      GListModel *results = dyno_run_get_results (run);
      guint n = g_list_model_get_n_items (results);
      g_autoptr (DynoResult) last = n > 0 ? g_list_model_get_item (results, n - 1) : NULL;

      alerts = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_alert_free);
      g_ptr_array_add (alerts, dyno_alert_new_lost (judging->node, judging->reason, last));
    }
  if (alerts != NULL && dyno_alerts_keep (alerts, run, judging->store, &error))
    g_task_return_pointer (task, g_steal_pointer (&alerts), (GDestroyNotify)g_ptr_array_unref);
  else
    g_task_return_error (task, g_steal_pointer (&error));
}

/* A run whose alerts cannot be found is shown nevertheless, so the reason is for developers only. */
static void
judged_cb (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const Judging *judging = g_task_get_task_data (G_TASK (result));
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) alerts = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GString) lines = g_string_new (NULL);

  if (error != NULL)
    g_debug ("%s", error->message);
  for (guint i = 0; alerts != NULL && i < MIN (alerts->len, MAX_ALERTS); i++)
    {
      const DynoAlert *alert = alerts->pdata[i];

      g_string_append_printf (lines, "%s%s: %s", i > 0 ? "\n" : "", alert->name, alert->message);
    }
  if (alerts != NULL && alerts->len > 0)
    send_alerts (G_APPLICATION (source), judging->run_id, alerts->len, lines->str);
  g_application_release (G_APPLICATION (source));
}

/* Takes the texts. */
static void
judge (GApplication *application, DynoStore *store, DynoRun *run, char *node, char *reason)
{
  Judging *judging = g_new (Judging, 1);

  *judging = (Judging){ g_object_ref (store), g_strdup (dyno_run_get_id (run)), node, reason };
  g_application_hold (application);
  dyno_thread_task_run (application, NULL, judge_thread, judging, judging_free, judged_cb);
}

void
dyno_run_notices_tell_alerts (GApplication *application, DynoStore *store, DynoRun *run)
{
  judge (application, store, run, NULL, NULL);
}

void
dyno_run_notices_tell_lost (GApplication *application, DynoClusterProgress *progress, guint number)
{
  const DynoClusterTask *lost = dyno_cluster_progress_get_job (progress)->tasks->pdata[number];
  DynoRun *run = dyno_cluster_progress_get_run (progress, number);
  DynoStore *store =
      dyno_app_session_get_store (dyno_application_get_session (DYNO_APPLICATION (application)));
  g_autoptr (DynoAlert) alert = dyno_alert_new_lost (lost->node, lost->reason, NULL);

  /* A node without results has no run to keep it with. */
  if (run != NULL && store != NULL)
    judge (application, store, run, g_strdup (lost->node), g_strdup (lost->reason));
  else
    send_alerts (application, NULL, 1, alert->message);
}

void
dyno_run_notices_withdraw (GApplication *application, DynoRunner *runner)
{
  g_application_withdraw_notification (application, RUN_ENDED);
  g_application_withdraw_notification (application, RUN_CONTINUES);
  if (runner != NULL)
    g_signal_handlers_disconnect_by_func (runner, turn_cb, application);
}
