/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-page-list.h"
#include "dyno-paths.h"
#include "suite.h"
#include "window-fixture.h"

/* The manual has each page that the window can ask for, and the window says so where there is no manual. */

static void
test_targets (void)
{
  g_autofree char *start = dyno_help_dup_path (NULL);

  if (!g_file_test (start, G_FILE_TEST_EXISTS))
    {
      g_test_skip ("the manual is not part of this build");
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (dyno_pages); i++)
    {
      g_autofree char *path = dyno_help_dup_path (dyno_pages[i]->name);

      g_assert_cmpstr (path, !=, start);
      g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
    }
}

static gboolean
is_told (gpointer heading)
{
  GListModel *windows = gtk_window_get_toplevels ();

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++)
    {
      g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);

      if (gtk_widget_get_mapped (window) && window_fixture_shows (window, heading))
        return TRUE;
    }
  return FALSE;
}

static void
test_missing (void)
{
  DynoWindow *window = window_fixture_open (1000);

  dyno_paths_set_root (DYNO_PATH_MANUAL, "/nowhere");
  g_assert_true (window_fixture_press (GTK_WIDGET (window), GDK_KEY_F1, 0));
  page_fixture_wait (is_told, (gpointer) "The Manual Is Not Installed");
  dyno_paths_set_root (DYNO_PATH_MANUAL, NULL);
  window_fixture_close (window);
}

static void
add_tests (void)
{
  g_test_add_func ("/help/targets", test_targets);
  g_test_add_func ("/help/missing", test_missing);
}

WINDOW_SUITE (add_tests)
