/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-device.h"

gboolean
dyno_visible_device_choose (const char *variable, const char *device, GError **error)
{
  static GMutex mutex;
  static GHashTable *chosen;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&mutex);
  const char *before;

  if (chosen == NULL)
    chosen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  before = g_hash_table_lookup (chosen, variable);
  if (before != NULL && !g_str_equal (before, device))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("This process already uses the device “%s”, so it cannot use “%s”."), before, device);
      return FALSE;
    }
  if (before == NULL)
    {
      g_hash_table_insert (chosen, g_strdup (variable), g_strdup (device));
      g_setenv (variable, device, TRUE);
    }
  return TRUE;
}
