/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-results-private.h"
#include "dyno-app-shell-private.h"
#include "dyno-app-widgets-private.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

#define WIDE 1180

static const char *const nodes[] = { "n1", "n2", "n3" };

/* Three nodes, each slower than the one before. */
static void
add_group (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (nodes); i++)
    {
      g_autofree char *title = g_strdup_printf ("Quick on %s", nodes[i]);
      g_autofree char *machine = g_strdup_printf ("{\"state\": {\"cluster\": {\"submission\": "
                                                  "\"a-submission\", \"node\": \"%s\", \"title\": \"Quick\", "
                                                  "\"target\": \"slurm:debug\"}}}",
                                                  nodes[i]);
      g_autoptr (DynoRun) run = run_fixture_make (title, (gint64)(i + 1) * G_USEC_PER_SEC, 1 + i);

      g_object_set (run, "machine", machine, NULL);
      run_fixture_keep (window_fixture_get_store (), run);
    }
}

static DynoWindow *
open_group (void)
{
  DynoWindow *window;

  window_fixture_clear_store ();
  add_group ();
  window = window_fixture_open (WIDE);
  dyno_window_show_page (window, "results");
  window_fixture_wait_shown (window, "n1, n2, n3");
  return window;
}

static gboolean
has_cells (gpointer window)
{
  GtkWidget *grid = page_fixture_find (window, DYNO_TYPE_NODE_GRID);
  g_autofree char *slowest = dyno_format_latency (12);

  return grid != NULL && gtk_widget_get_mapped (grid) && window_fixture_shows (grid, "n3") &&
         window_fixture_shows (grid, slowest);
}

/* The runs of a submission are one row, and what it shows is all of its nodes side by side. */
static void
test_shows (void)
{
  DynoWindow *window = open_group ();

  page_fixture_wait (has_cells, window);
  g_assert_false (window_fixture_shows (GTK_WIDGET (window), "Quick on n2"));
  g_assert_true (window_fixture_shows (GTK_WIDGET (window), "n1, n2, n3"));
  g_assert_false (
      window_fixture_can (page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RESULTS_PAGE), "results.delete"));
  window_fixture_close (window);
}

static gboolean
shows_second (gpointer page)
{
  DynoRun *run = dyno_results_page_get_run (page);

  return run != NULL && g_strcmp0 (dyno_run_get_title (run), "Quick on n2") == 0;
}

/* From a node one comes back to all of them. */
static void
test_node (void)
{
  DynoWindow *window = open_group ();
  GtkWidget *page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RESULTS_PAGE);
  GtkWidget *view = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_GROUP_VIEW);
  GtkWidget *row;

  page_fixture_wait (has_cells, window);
  row = page_fixture_find_row (view, "n2");
  g_assert_true (gtk_widget_activate (row));
  page_fixture_wait (shows_second, page);
  g_assert_false (gtk_widget_get_visible (view));
  g_assert_true (gtk_widget_activate_action (page, "results.back", NULL));
  g_assert_true (gtk_widget_get_visible (view));
  page_fixture_wait (has_cells, window);
  g_assert_false (window_fixture_can (page, "results.back"));
  window_fixture_close (window);
}

/* Whoever asks for the run of one node, as a search does, gets it within its group. */
static void
test_asked_for (void)
{
  DynoWindow *window = open_group ();
  GtkWidget *page = page_fixture_find (GTK_WIDGET (window), DYNO_TYPE_RESULTS_PAGE);
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (window_fixture_get_store (), NULL, 0, 9, NULL);

  dyno_window_show_run (window, dyno_run_get_id (runs->pdata[1]));
  page_fixture_wait (shows_second, page);
  g_assert_true (window_fixture_can (page, "results.back"));
  window_fixture_close (window);
}

static int
run_suite (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  g_test_add_func ("/group-view/shows", test_shows);
  g_test_add_func ("/group-view/node", test_node);
  g_test_add_func ("/group-view/asked-for", test_asked_for);
  return window_fixture_run ();
}

SUITE (run_suite)
