/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <sys/resource.h>

#include "dyno-error.h"
#include "dyno-paths.h"
#include "dyno-priority.h"

/* RealtimeKit grants up to −15 unless it is configured otherwise. */
#define HIGH_NICENESS (-10)

#define KIT_NAME       "org.freedesktop.RealtimeKit1"
#define KIT_PATH       "/org/freedesktop/RealtimeKit1"
#define KIT_TIMEOUT_MS 5000

gboolean
dyno_priority_check (const char *priority, GError **error)
{
  if (g_str_equal (priority, DYNO_PRIORITY_NORMAL) || g_str_equal (priority, DYNO_PRIORITY_HIGH))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("The priority “%s” is unknown. Choose “normal” or “high”."), priority);
  return FALSE;
}

static gboolean
ask_kit (GDBusConnection *bus, guint64 thread, GError **error)
{
  g_autoptr (GVariant) reply = NULL;

  reply = g_dbus_connection_call_sync (bus, KIT_NAME, KIT_PATH, KIT_NAME, "MakeThreadHighPriority",
                                       g_variant_new ("(ti)", thread, HIGH_NICENESS), NULL,
                                       G_DBUS_CALL_FLAGS_NONE, KIT_TIMEOUT_MS, NULL, error);
  return reply != NULL;
}

char *
dyno_priority_raise (GError **error)
{
  g_autofree char *folder = dyno_paths_build (DYNO_PATH_PROCFS, "self", "task", NULL);
  g_autoptr (GDir) threads = g_dir_open (folder, 0, error);
  g_autoptr (GDBusConnection) bus = NULL;
  g_autoptr (GError) refusal = NULL;
  const char *name;
  guint n = 0, n_raised = 0;

  if (threads == NULL)
    return NULL;
  while ((name = g_dir_read_name (threads)) != NULL)
    {
      guint64 thread = g_ascii_strtoull (name, NULL, 10);
      gboolean is_raised = setpriority (PRIO_PROCESS, (id_t)thread, HIGH_NICENESS) == 0;

      if (!is_raised && errno == ESRCH)
        continue;
      if (!is_raised && bus == NULL && refusal == NULL)
        bus = g_bus_get_sync (G_BUS_TYPE_SYSTEM, NULL, &refusal);
      if (!is_raised && refusal == NULL)
        is_raised = ask_kit (bus, thread, &refusal);
      n++;
      n_raised += is_raised;
    }

  if (refusal == NULL)
    return g_strdup_printf (bus == NULL ? _ ("All %u threads ran with a high priority (niceness %d).")
                                        : _ ("All %u threads ran with a high priority (niceness %d), which "
                                             "RealtimeKit granted."),
                            n, HIGH_NICENESS);
  g_dbus_error_strip_remote_error (refusal);
  if (n_raised > 0)
    return g_strdup_printf (_ ("%u of %u threads ran with a high priority (niceness %d), the others with the "
                               "usual one. RealtimeKit: %s"),
                            n_raised, n, HIGH_NICENESS, refusal->message);
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
      _ ("Neither the kernel nor RealtimeKit granted a high priority, so the case ran with the usual "
         "one. RealtimeKit: %s"),
      refusal->message);
  return NULL;
}
