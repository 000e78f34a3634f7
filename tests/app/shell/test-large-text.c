/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-app-runs-private.h"
#include "fit-fixture.h"
#include "run-fixture.h"
#include "suite.h"
#include "template-fixture.h"
#include "window-fixture.h"

/* The window with text of twice the size, as it is set for eyes that need it, and once more in German, whose words are
 * long. */

#define DPI   96
#define LARGE 2

static void
set_scale (int scale)
{
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", scale * DPI * PANGO_SCALE, NULL);
}

static int
measure_letter (void)
{
  GtkWidget *label = g_object_ref_sink (gtk_label_new ("M"));
  int height;

  gtk_widget_measure (label, GTK_ORIENTATION_VERTICAL, -1, &height, NULL, NULL, NULL);
  g_object_unref (label);
  return height;
}

static void
test_scaled (void)
{
  int large = measure_letter ();
  int usual;

  set_scale (1);
  usual = measure_letter ();
  set_scale (LARGE);
  g_assert_cmpint (large, >, usual * 3 / 2);
}

static void
test_template (gconstpointer resource)
{
  fit_fixture_assert_template (resource);
}

static void
test_pages (void)
{
  g_autoptr (DynoRun) run = run_fixture_add (window_fixture_get_store (), "A run", G_USEC_PER_SEC, 1);

  fit_fixture_assert_pages (run);
}

/* A value with its unit and quality does not push the rest out of the window. */
static void
test_values (void)
{
  g_autoptr (DynoRun) run = run_fixture_make ("A run", G_USEC_PER_SEC, 1);
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  GtkWidget *view = g_object_ref_sink (dyno_case_view_new ());
  int minimum;

  dyno_result_take_value (
      result, dyno_value_new ("compute_gflops", 123456, "GFLOP/s", DYNO_QUALITY_ESTIMATED, "the operators"));
  dyno_case_view_set_result (DYNO_CASE_VIEW (view), run, result);
  gtk_widget_measure (view, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, <=, 360 - 24);
  g_object_unref (view);
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  if (g_getenv ("DYNO_TEST_LOCALES") != NULL)
    window_fixture_speak ("de");
  window_fixture_init ();
  window_fixture_get_application ();
  template_fixture_ensure_types ();
  set_scale (LARGE);

  g_test_add_func ("/large-text/scaled", test_scaled);
  template_fixture_add_tests ("/large-text/", test_template);
  g_test_add_func ("/large-text/values", test_values);
  g_test_add_func ("/large-text/pages", test_pages);
  return window_fixture_run ();
}

SUITE (run_suite)
