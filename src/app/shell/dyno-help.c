/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-app-shell-private.h"
#include "dyno-compat.h"
#include "dyno-page-list.h"
#include "dyno-paths.h"

char *
dyno_help_dup_path (const char *page)
{
  const char *file = "index.html";

  for (guint i = 0; i < G_N_ELEMENTS (dyno_pages); i++)
    if (g_strcmp0 (dyno_pages[i]->name, page) == 0)
      file = dyno_pages[i]->manual;
  return dyno_paths_build (DYNO_PATH_MANUAL, file, NULL);
}

static void
shown_cb (GObject *window, GAsyncResult *result, gpointer user_data)
{
  g_autofree char *path = user_data;
  g_autoptr (GError) error = NULL;
  g_autofree char *body = NULL;

  if (dyno_compat_show_file_finish (result, &error))
    return;
  /* Translators: the first %s is a path, the second an error message */
  body = g_strdup_printf (_ ("Open “%s” in a browser yourself. The desktop said: %s"), path, error->message);
  dyno_compat_present_message (GTK_WIDGET (window), _ ("The Manual Could Not Be Opened"), body);
}

void
dyno_help_show (GtkWindow *window, const char *page)
{
  g_autofree char *path = dyno_help_dup_path (page);

  g_return_if_fail (GTK_IS_WINDOW (window));

  if (g_file_test (path, G_FILE_TEST_EXISTS))
    {
      dyno_compat_show_file_async (window, path, shown_cb, g_strdup (path));
      return;
    }
  dyno_compat_present_message (GTK_WIDGET (window), _ ("The Manual Is Not Installed"),
                               _ ("This copy of Dyno was built without its manual. Install Sphinx and MyST "
                                  "(python3-sphinx and python3-myst-parser) and build Dyno again."));
}
