/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-app-session-private.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-score.h"
#include "run-fixture.h"
#include "suite.h"
#include "window-fixture.h"

/* Returns the run of the reference as one of this machine, with its first cases. */
static DynoRun *
make_run (guint n_cases)
{
  DynoRun *reference = dyno_reference_get_bundled ()->run;
  g_autoptr (DynoMachine) machine = dyno_machine_snapshot (NULL);
  g_autoptr (JsonNode) node = dyno_machine_to_json (machine);
  g_autofree char *text = dyno_json_text_write (node, FALSE);
  DynoRun *run = dyno_run_new (NULL);

  g_object_set (run, "title", "Mine", "started-at", (gint64)G_USEC_PER_SEC, "finished-at",
                (gint64)2 * G_USEC_PER_SEC, "plan", dyno_run_get_plan (reference), "machine", text, "source",
                "dyno", "app-version", PACKAGE_VERSION, NULL);
  for (guint i = 0; i < n_cases; i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (reference), i);

      dyno_run_add_result (run, result);
    }
  return run;
}

static void
assert_shows (GtkWidget *widget, DynoRun *run, const char *words)
{
  g_autoptr (DynoScore) score = dyno_score_new (run, dyno_reference_get_bundled ());
  g_autofree char *answer = dyno_score_dup_answer (score);
  g_autofree char *scope = dyno_score_dup_scope (score);
  g_autofree char *text = dyno_score_dup_text (score);

  g_assert_nonnull (strstr (text, words));
  g_assert_true (window_fixture_shows (widget, answer));
  g_assert_true (scope == NULL || window_fixture_shows (widget, scope));
}

static void
test_run (void)
{
  GtkWidget *window = gtk_window_new ();
  GtkWidget *view = g_object_new (DYNO_TYPE_SCORE_VIEW, NULL);
  g_autoptr (DynoRun) whole = make_run (6);
  g_autoptr (DynoRun) part = make_run (4);
  g_autoptr (DynoRun) little = make_run (1);
  g_autoptr (DynoRun) other = run_fixture_make ("Short", G_USEC_PER_SEC, 1);

  gtk_window_set_child (GTK_WINDOW (window), view);
  gtk_window_present (GTK_WINDOW (window));
  g_assert_false (gtk_widget_get_visible (view));
  g_object_set (view, "run", whole, NULL);
  assert_shows (view, whole, "Score 100 (95 % interval ");
  g_object_set (view, "run", part, NULL);
  assert_shows (view, part, "It is of 4 of 6 cases of the suite “Quick” on ");
  g_object_set (view, "run", little, NULL);
  assert_shows (view, little, "There is no score: 1 of 6 cases");
  g_object_set (view, "run", other, NULL);
  g_assert_false (gtk_widget_get_visible (view));
  g_object_set (view, "run", whole, NULL);
  g_object_set (view, "run", NULL, NULL);
  g_assert_false (gtk_widget_get_visible (view));
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
is_shown_view (GtkWidget *widget, gconstpointer data)
{
  return DYNO_IS_SCORE_VIEW (widget) && gtk_widget_get_mapped (widget);
}

static gboolean
is_shown_button (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_BUTTON (widget) && gtk_widget_get_mapped (widget);
}

static GtkWidget *
find_view (DynoWindow *window)
{
  return page_fixture_find_where (GTK_WIDGET (window), is_shown_view, NULL);
}

static gboolean
shows_answer (gpointer window)
{
  return find_view (window) != NULL;
}

static gboolean
shows_results (gpointer window)
{
  return g_strcmp0 (dyno_window_get_page (window), "results") == 0 && find_view (window) != NULL;
}

/* The page that asks the question has the answer of an earlier run, and leads to that run. */
static void
test_newest (void)
{
  g_autoptr (DynoRun) run = make_run (6);
  g_autoptr (DynoScore) score = dyno_score_new (run, dyno_reference_get_bundled ());
  g_autofree char *answer = dyno_score_dup_answer (score);
  DynoWindow *window;

  g_settings_set_boolean (dyno_app_session_get_settings (window_fixture_get_session ()), "first-start",
                          FALSE);
  run_fixture_keep (window_fixture_get_store (), run);
  window = window_fixture_open (1000);
  page_fixture_wait (shows_answer, window);
  g_assert_cmpstr (dyno_window_get_page (window), ==, "benchmark");
  g_assert_true (window_fixture_shows (find_view (window), "How Fast Is This Computer?"));
  g_assert_true (window_fixture_shows (find_view (window), answer));
  /* Large text in a narrow window needs more height than there is. */
  g_assert_nonnull (gtk_widget_get_ancestor (find_view (window), GTK_TYPE_SCROLLED_WINDOW));
  g_signal_emit_by_name (page_fixture_find_where (find_view (window), is_shown_button, NULL), "clicked");
  page_fixture_wait (shows_results, window);
  assert_shows (find_view (window), run, "Score 100 (95 % interval ");
  window_fixture_close (window);
  window_fixture_clear_store ();
}

/* A run of something else has no answer. */
static void
test_none (void)
{
  g_autoptr (DynoRun) run = run_fixture_add (window_fixture_get_store (), "Short", G_USEC_PER_SEC, 1);
  DynoWindow *window = window_fixture_open (1000);

  dyno_window_show_run (window, dyno_run_get_id (run));
  window_fixture_wait_shown (window, "Short");
  g_assert_null (find_view (window));
  window_fixture_close (window);
  window_fixture_clear_store ();
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  window_fixture_init ();
  g_test_add_func ("/score-view/run", test_run);
  g_test_add_func ("/score-view/newest", test_newest);
  g_test_add_func ("/score-view/none", test_none);
  return window_fixture_run ();
}

SUITE (run_suite)
