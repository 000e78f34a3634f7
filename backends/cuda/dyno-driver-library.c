/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-driver-library.h"
#include "dyno-error.h"
#include "dyno-vendor-library.h"

/**
 * dyno_driver_library_load:
 * @file_names: (array zero-terminated=1): names of a library, the best first
 * @symbols: (array length=n_symbols): the functions to look for
 * @n_symbols: how many
 *
 * Opens a library that comes with a driver, and leaves it open.
 *
 * Returns: whether there is one with all functions that are needed; that there is none is the usual state
 */
gboolean
dyno_driver_library_load (const char *const *file_names, const DynoDriverSymbol *symbols, gsize n_symbols)
{
  GModule *library = dyno_vendor_library_open (file_names);
  gboolean complete = library != NULL;

  for (gsize i = 0; library != NULL && i < n_symbols; i++)
    {
      *symbols[i].function = dyno_vendor_library_find (library, symbols[i].names);
      complete = complete && (*symbols[i].function != NULL || !symbols[i].needed);
    }
  return complete;
}

/**
 * dyno_driver_library_choose:
 * @variable: the variable of the environment by which a driver is told which devices a process may see
 * @device: what the driver calls the device
 * @error: return location for an error
 *
 * Lets this process see no other device, so that the first there is is the one that was asked for, in whatever order
 * the driver counts. It has to be said before the driver is used, and can be said once.
 *
 * Returns: whether the process sees that device
 */
gboolean
dyno_driver_library_choose (const char *variable, const char *device, GError **error)
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
