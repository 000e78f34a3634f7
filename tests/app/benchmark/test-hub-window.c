/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-app-benchmark-private.h"
#include "dyno-hub-cache.h"
#include "page-fixture.h"
#include "suite.h"

#define ID     "somebody/tiny-bert"
#define COMMIT "0123456789abcdef0123456789abcdef01234567"
#define CONFIG                                                                                               \
  "{ \"model_type\": \"bert\", \"vocab_size\": 100, \"hidden_size\": 8, \"num_hidden_layers\": 1, "          \
  "\"num_attention_heads\": 2, \"intermediate_size\": 16, \"max_position_embeddings\": 512, "                \
  "\"type_vocab_size\": 2 }"

static GtkWidget *
open_window (const char *text)
{
  GtkWidget *window = dyno_hub_window_new ();

  gtk_window_present (GTK_WINDOW (window));
  gtk_editable_set_text (GTK_EDITABLE (page_fixture_find_named (window, "id_row")), text);
  return window;
}

static gboolean
has_problem (gpointer window)
{
  return gtk_widget_get_visible (page_fixture_find_named (window, "problem_label"));
}

static const char *
get_problem (GtkWidget *window)
{
  return gtk_label_get_label (GTK_LABEL (page_fixture_find_named (window, "problem_label")));
}

static gboolean
is_busy (GtkWidget *window)
{
  return gtk_widget_get_visible (page_fixture_find_named (window, "progress_box"));
}

static void
never_cb (void)
{
  g_assert_not_reached ();
}

/* An error is shown in the window, which allows another try; editing the text removes it. */
static void
assert_problem (const char *text, const char *words)
{
  GtkWidget *window = open_window (text);

  g_signal_connect (window, "fetched", G_CALLBACK (never_cb), NULL);
  gtk_widget_activate_action (window, "hub.fetch", NULL);
  g_assert_true (is_busy (window));
  page_fixture_wait (has_problem, window);
  g_assert_nonnull (strstr (get_problem (window), words));
  g_assert_false (is_busy (window));
  g_assert_true (gtk_widget_is_sensitive (page_fixture_find_named (window, "choice_group")));

  gtk_editable_set_text (GTK_EDITABLE (page_fixture_find_named (window, "id_row")), "other");
  g_assert_false (has_problem (window));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
test_unreachable (void)
{
#ifdef HAVE_LIBSOUP
  assert_problem ("https://127.0.0.1/somebody/nothing/tree/main", "127.0.0.1:1” cannot be reached");
#else
  assert_problem ("https://127.0.0.1/somebody/nothing/tree/main", "libsoup");
#endif
}

static void
test_wrong_id (void)
{
  assert_problem ("no/such/id", "“no/such/id” cannot be a model on the hub");
}

/* Nothing can be fetched without an id or during another download. */
static void
test_states (void)
{
  GtkWidget *window = open_window ("  ");
  GtkWidget *button = page_fixture_find_named (window, "fetch_button");

  g_assert_false (gtk_widget_is_sensitive (button));
  gtk_editable_set_text (GTK_EDITABLE (page_fixture_find_named (window, "id_row")), ID);
  g_assert_true (gtk_widget_is_sensitive (button));
  g_assert_false (is_busy (window));
  gtk_widget_activate_action (window, "hub.fetch", NULL);
  g_assert_false (gtk_widget_is_sensitive (button));
  g_assert_false (gtk_widget_is_sensitive (page_fixture_find_named (window, "choice_group")));
  page_fixture_wait (has_problem, window);
  gtk_window_destroy (GTK_WINDOW (window));
}

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *)data == NULL;
}

static void
test_close (void)
{
  GtkWidget *window = open_window (ID);
  gpointer watched = window;

  g_signal_connect (window, "fetched", G_CALLBACK (never_cb), NULL);
  g_object_add_weak_pointer (G_OBJECT (window), &watched);
  gtk_widget_activate_action (window, "hub.fetch", NULL);
  gtk_window_close (GTK_WINDOW (window));
  page_fixture_wait (is_gone, &watched);
}

/* As a download leaves it. */
static void
write_snapshot (void)
{
  g_autofree char *folder = dyno_hub_cache_build_path (ID);
  g_autofree char *references = g_build_filename (folder, "refs", NULL);
  g_autofree char *reference = g_build_filename (references, "main", NULL);
  g_autofree char *snapshot = g_build_filename (folder, "snapshots", COMMIT, NULL);
  g_autofree char *config = g_build_filename (snapshot, "config.json", NULL);

  g_assert_cmpint (g_mkdir_with_parents (references, 0700), ==, 0);
  g_assert_cmpint (g_mkdir_with_parents (snapshot, 0700), ==, 0);
  g_assert_true (g_file_set_contents (reference, COMMIT, -1, NULL));
  g_assert_true (g_file_set_contents (config, CONFIG, -1, NULL));
}

static gboolean
is_loaded (gpointer list)
{
  return !dyno_model_list_get_loading (list);
}

static gboolean
is_read (gpointer row)
{
  return dyno_model_row_get_model (row) != NULL;
}

static gboolean
is_listed (gpointer list)
{
  GtkWidget *row = page_fixture_find (list, DYNO_TYPE_MODEL_ROW);

  for (; row != NULL; row = gtk_widget_get_next_sibling (row))
    if (DYNO_IS_MODEL_ROW (row) && g_str_equal (dyno_model_row_get_spec (DYNO_MODEL_ROW (row)), ID))
      return TRUE;
  return FALSE;
}

/* What is in the cache is listed at the next start, as the bundled models are: neither ticked nor kept in the settings. */
static void
test_found_again (void)
{
  GtkWidget *window = gtk_window_new ();
  DynoModelList *list = g_object_new (DYNO_TYPE_MODEL_LIST, NULL);
  g_auto (GStrv) files = NULL;
  g_auto (GStrv) selected = NULL;

  write_snapshot ();
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (list));
  gtk_window_present (GTK_WINDOW (window));
  page_fixture_wait (is_listed, list);
  files = dyno_model_list_dup_files (list);
  selected = dyno_model_list_dup_selected (list);
  g_assert_null (files[0]);
  g_assert_null (selected[0]);
  gtk_window_destroy (GTK_WINDOW (window));
}

/* A fetched model is added like a file: ticked, remembered, and only once. */
static void
test_added (void)
{
  g_autoptr (GSettings) settings = g_settings_new (APP_ID);
  GtkWidget *window = gtk_window_new ();
  DynoModelList *list = g_object_new (DYNO_TYPE_MODEL_LIST, NULL);
  g_auto (GStrv) files = NULL;
  g_auto (GStrv) selected = NULL;
  g_auto (GStrv) recent = NULL;
  GtkWidget *row;

  write_snapshot ();
  gtk_window_set_child (GTK_WINDOW (window), GTK_WIDGET (list));
  gtk_window_present (GTK_WINDOW (window));
  page_fixture_wait (is_loaded, list);
  dyno_model_list_add (list, ID);
  dyno_model_list_add (list, ID);
  row = page_fixture_find (GTK_WIDGET (list), DYNO_TYPE_MODEL_ROW);
  g_assert_cmpstr (dyno_model_row_get_spec (DYNO_MODEL_ROW (row)), ==, ID);
  page_fixture_wait (is_read, row);

  files = dyno_model_list_dup_files (list);
  selected = dyno_model_list_dup_selected (list);
  recent = g_settings_get_strv (settings, "recent-model-files");
  g_assert_cmpstr (files[0], ==, ID);
  g_assert_null (files[1]);
  g_assert_cmpstr (selected[0], ==, ID);
  g_assert_null (selected[1]);
  g_assert_cmpstr (recent[0], ==, ID);
  g_settings_reset (settings, "recent-model-files");
  gtk_window_destroy (GTK_WINDOW (window));
}

static int
run_suite (int argc, char *argv[])
{
  g_autofree char *home = NULL;

  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  home = g_dir_make_tmp ("dyno-hub-window-XXXXXX", NULL);
  g_setenv ("HF_HOME", home, TRUE);
  g_unsetenv ("HF_HUB_CACHE");
  g_unsetenv ("HF_HUB_OFFLINE");
  /* Nothing listens on this port. */
  g_setenv ("HF_ENDPOINT", "http://127.0.0.1:1", TRUE);

  g_test_add_func ("/hub-window/unreachable", test_unreachable);
  g_test_add_func ("/hub-window/wrong-id", test_wrong_id);
  g_test_add_func ("/hub-window/states", test_states);
  g_test_add_func ("/hub-window/close", test_close);
  g_test_add_func ("/hub-window/found-again", test_found_again);
  g_test_add_func ("/hub-window/added", test_added);
  return g_test_run ();
}

SUITE (run_suite)
