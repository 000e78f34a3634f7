/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "suite.h"

#include <glib.h>
#include <string.h>

/* A test that starts itself as a subprocess passes GLib's arguments alone. */
#define VARIABLE "DYNO_TEST_SUITE"

typedef struct
{
  const char *file;
  SuiteRun run;
  SuiteAdd add;           /* in place of @run */
  const SuiteTest *tests; /* in place of either */
  guint n_tests;
} Suite;

static Suite suites[64];
static guint n_suites;

void
suite_add (const char *file, SuiteRun run)
{
  g_assert_cmpuint (n_suites, <, G_N_ELEMENTS (suites));
  suites[n_suites++] = (Suite){ .file = file, .run = run };
}

void
suite_add_tests (const char *file, const SuiteTest *tests, guint n_tests)
{
  suite_add (file, NULL);
  suites[n_suites - 1].tests = tests;
  suites[n_suites - 1].n_tests = n_tests;
}

void
suite_add_with (const char *file, SuiteAdd add)
{
  suite_add (file, NULL);
  suites[n_suites - 1].add = add;
}

gboolean
suite_is_thorough (void)
{
  return g_getenv ("DYNO_TEST_THOROUGH") != NULL;
}

/* Returns `axis` of `…/test-axis.c`. */
static char *
dup_name (const Suite *suite)
{
  g_autofree char *base = g_path_get_basename (suite->file);
  const char *name = strchr (base, '-') + 1;

  return g_strndup (name, strlen (name) - strlen (".c"));
}

static int
run (const Suite *suite, int argc, char *argv[])
{
  if (suite->run != NULL)
    return suite->run (argc, argv);
  g_test_init (&argc, &argv, NULL);
  if (suite->add != NULL)
    suite->add ();
  for (guint i = 0; i < suite->n_tests; i++)
    if (!suite->tests[i].is_thorough || suite_is_thorough ())
      g_test_add_func (suite->tests[i].path, suite->tests[i].run);
  return g_test_run ();
}

int
main (int argc, char *argv[])
{
  gboolean is_named = argc > 1 && argv[1][0] != '-';
  const char *wanted = is_named ? argv[1] : g_getenv (VARIABLE);
  const char *program = argv[0];

  for (guint i = 0; i < n_suites; i++)
    {
      g_autofree char *name = dup_name (&suites[i]);

      if (g_strcmp0 (name, wanted) != 0)
        continue;
      g_setenv (VARIABLE, name, TRUE);
      if (!is_named)
        return run (&suites[i], argc, argv);
      argv[1] = argv[0];
      return run (&suites[i], argc - 1, argv + 1);
    }
  g_printerr ("Usage: %s SUITE [OPTION…]. The suites are:\n", program);
  for (guint i = 0; i < n_suites; i++)
    {
      g_autofree char *name = dup_name (&suites[i]);

      g_printerr ("  %s\n", name);
    }
  return 2;
}
