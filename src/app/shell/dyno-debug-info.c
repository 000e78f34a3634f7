/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>

#include "dyno-app-shell-private.h"
#include "dyno-machine.h"

char *
dyno_debug_info_collect (DynoStore *store)
{
  g_autofree char *system = g_get_os_info (G_OS_INFO_KEY_PRETTY_NAME);
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (NULL);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "Dyno: %s\n", PACKAGE_VERSION);
  g_string_append_printf (text, "GTK: %u.%u.%u\n", gtk_get_major_version (), gtk_get_minor_version (),
                          gtk_get_micro_version ());
  g_string_append_printf (text, "libadwaita: %u.%u.%u\n", adw_get_major_version (), adw_get_minor_version (),
                          adw_get_micro_version ());
  g_string_append_printf (text, "GLib: %u.%u.%u\n", glib_major_version, glib_minor_version,
                          glib_micro_version);
  g_string_append_printf (text, "System: %s\n", system != NULL ? system : "unknown");
  g_string_append_printf (text, "Display: %s\n", G_OBJECT_TYPE_NAME (gdk_display_get_default ()));
  if (machine != NULL)
    g_string_append_printf (text, "Processor: %s, %u cores, %u of %u threads usable\n",
                            dyno_machine_get_cpu_name (machine), dyno_machine_get_n_cores (machine),
                            dyno_machine_get_n_usable_threads (machine),
                            dyno_machine_get_n_threads (machine));
  g_string_append_printf (text, "Store: %s\n",
                          store == NULL                     ? "not open"
                          : dyno_store_is_read_only (store) ? "read-only"
                                                            : "writable");
  return g_string_free (text, FALSE);
}
