/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <adwaita.h>
#include <libintl.h>

#include "fit-fixture.h"
#include "run-fixture.h"
#include "suite.h"
#include "template-fixture.h"
#include "window-fixture.h"

/* The window in a language whose every message is half as long again and stands in brackets (tools/pseudo-locale.py),
 * written from the left and from the right. */

static void
test_language (void)
{
  g_assert_true (g_str_has_prefix (gettext ("Models"), "⟦"));
}

static const GtkTextDirection directions[] = { GTK_TEXT_DIR_LTR, GTK_TEXT_DIR_RTL };

static void
test_template (gconstpointer resource)
{
  for (guint i = 0; i < G_N_ELEMENTS (directions); i++)
    {
      gtk_widget_set_default_direction (directions[i]);
      fit_fixture_assert_template (resource);
    }
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static void
test_pages (void)
{
  g_autoptr (DynoRun) run = run_fixture_add (window_fixture_get_store (), "A run", G_USEC_PER_SEC, 1);

  for (guint i = 0; i < G_N_ELEMENTS (directions); i++)
    {
      gtk_widget_set_default_direction (directions[i]);
      fit_fixture_assert_pages (run);
    }
  gtk_widget_set_default_direction (GTK_TEXT_DIR_LTR);
}

static int
run_suite (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  window_fixture_speak ("eo");
  window_fixture_init ();
  window_fixture_get_application ();
  template_fixture_ensure_types ();

  g_test_add_func ("/pseudo-locale/language", test_language);
  template_fixture_add_tests ("/pseudo-locale/", test_template);
  g_test_add_func ("/pseudo-locale/pages", test_pages);
  return window_fixture_run ();
}

SUITE (run_suite)
