/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-benchmark-private.h"
#include "dyno-app-widgets-private.h"
#include "dyno-model-reader.h"
#include "page-fixture.h"
#include "suite.h"

static GtkWidget *
open_window (const char *spec)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = dyno_model_reader_load (spec, NULL, &error);
  GtkWidget *window;

  g_assert_no_error (error);
  window = dyno_model_window_new (model);
  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static const char *
get_text (GtkWidget *window, const char *name)
{
  return adw_action_row_get_subtitle (ADW_ACTION_ROW (page_fixture_find_named (window, name)));
}

static gboolean
is_counted (gpointer window)
{
  return !g_str_equal (get_text (window, "work_row"), "Counting…");
}

static gboolean
knows_needs (gpointer window)
{
  return gtk_widget_get_visible (page_fixture_find_named (window, "needs_group"));
}

static void
test_known (void)
{
  GtkWidget *window = open_window ("bert-tiny");

  g_assert_cmpstr (gtk_window_get_title (GTK_WINDOW (window)), ==, "BERT tiny");
  g_assert_cmpstr (get_text (window, "family_row"), ==, "Text encoder");
  g_assert_cmpstr (get_text (window, "task_row"), ==, "feature-extraction");
  g_assert_cmpstr (get_text (window, "source_row"), ==, "google/bert_uncased_L-2_H-128_A-2");
  g_assert_cmpstr (get_text (window, "licence_row"), ==, "Apache-2.0");
  g_assert_cmpstr (get_text (window, "size_row"), ==, "Tiny (below 25 M)");
  g_assert_nonnull (strstr (get_text (window, "parameters_row"), "4385920"));
  g_assert_nonnull (strstr (get_text (window, "weights_row"), "at random"));
  g_assert_cmpstr (get_text (window, "work_row"), ==, "Counting…");
  gtk_window_destroy (GTK_WINDOW (window));
}

/* Only a model of several graphs has stages. */
static void
test_stages (void)
{
  GtkWidget *single = open_window ("bert-tiny");
  GtkWidget *staged = open_window ("t5-small");

  g_assert_false (gtk_widget_get_visible (page_fixture_find_named (single, "stages_row")));
  g_assert_cmpstr (get_text (staged, "stages_row"), ==, "encoder, decoder");
  gtk_window_destroy (GTK_WINDOW (single));
  gtk_window_destroy (GTK_WINDOW (staged));
}

/* A row for each precision that can be built; half precision has half the weights. */
static void
test_needs (void)
{
  GtkWidget *window = open_window ("bert-tiny");
  g_autofree char *whole = dyno_format_bytes (4 * 4385920);
  g_autofree char *half = dyno_format_bytes (2 * 4385920);
  GtkWidget *first, *second;

  page_fixture_wait (knows_needs, window);
  first = page_fixture_find (page_fixture_find_named (window, "needs_group"), ADW_TYPE_ACTION_ROW);
  second = gtk_widget_get_next_sibling (first);
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (first)), ==, "fp32");
  g_assert_true (g_str_has_prefix (adw_action_row_get_subtitle (ADW_ACTION_ROW (first)), whole));
  g_assert_nonnull (strstr (adw_action_row_get_subtitle (ADW_ACTION_ROW (first)), "A step fits"));
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (second)), ==, "fp16");
  g_assert_true (g_str_has_prefix (adw_action_row_get_subtitle (ADW_ACTION_ROW (second)), half));
  gtk_window_destroy (GTK_WINDOW (window));
}

/* The work of a config is counted without an engine, however large the model is, with as many tokens as it accepts. */
static void
test_work (void)
{
  GtkWidget *window = open_window ("clip-vit-base-patch32");
  GtkWidget *huge = open_window ("falcon-40b");

  page_fixture_wait (is_counted, window);
  g_assert_nonnull (strstr (get_text (window, "work_row"), "FLOP at batch 1, sequence 77; "));
  g_assert_nonnull (strstr (get_text (window, "work_row"), "MAC in matrix products and convolutions"));
  page_fixture_wait (is_counted, huge);
  g_assert_nonnull (strstr (get_text (huge, "work_row"), "TFLOP at batch 1, sequence 128; "));
  gtk_window_destroy (GTK_WINDOW (window));
  gtk_window_destroy (GTK_WINDOW (huge));
}

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *)data == NULL;
}

/* Closing the window does not wait for the count. */
static void
test_close (void)
{
  GtkWidget *window = open_window ("bert-base-uncased");
  gpointer watched = window;

  g_object_add_weak_pointer (G_OBJECT (window), &watched);
  page_fixture_wait (knows_needs, window);
  gtk_window_close (GTK_WINDOW (window));
  page_fixture_wait (is_gone, &watched);
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();

  g_test_add_func ("/model-window/known", test_known);
  g_test_add_func ("/model-window/stages", test_stages);
  g_test_add_func ("/model-window/needs", test_needs);
  g_test_add_func ("/model-window/work", test_work);
  g_test_add_func ("/model-window/close", test_close);
  return g_test_run ();
}

SUITE (run_suite)
