/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "benchmark/dyno-app-benchmark-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-grade.h"
#include "dyno-sandbox.h"

#define RUN_ENDED     "run-ended"
#define RUN_CONTINUES "run-continues"

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

void
dyno_run_notices_withdraw (GApplication *application, DynoRunner *runner)
{
  g_application_withdraw_notification (application, RUN_ENDED);
  g_application_withdraw_notification (application, RUN_CONTINUES);
  if (runner != NULL)
    g_signal_handlers_disconnect_by_func (runner, turn_cb, application);
}
