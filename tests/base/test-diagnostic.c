/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "dyno-diagnostic.h"
#include "suite.h"

static void
test_new (void)
{
  g_autoptr (DynoDiagnostic) diagnostic =
      dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "swap", "Memory is short.");

  g_assert_cmpint (dyno_diagnostic_get_severity (diagnostic), ==, DYNO_SEVERITY_WARNING);
  g_assert_cmpstr (dyno_diagnostic_get_code (diagnostic), ==, "swap");
  g_assert_cmpstr (dyno_diagnostic_get_message (diagnostic), ==, "Memory is short.");
}

/* A hash is a record; what asks for something is none, and a warning never. */
static void
test_record (void)
{
  static const struct
  {
    DynoSeverity severity;
    const char *code;
    gboolean is_record;
  } cases[] = {
    { DYNO_SEVERITY_INFO, "engine-library", TRUE },
    { DYNO_SEVERITY_INFO, "engine-default", FALSE },
    { DYNO_SEVERITY_WARNING, "engine-library", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (DynoDiagnostic) diagnostic =
          dyno_diagnostic_new (cases[i].severity, cases[i].code, "It is.");

      g_assert_cmpint (dyno_diagnostic_is_record (diagnostic), ==, cases[i].is_record);
    }
}

static void
test_boxed (void)
{
  DynoDiagnostic *diagnostic = dyno_diagnostic_new (DYNO_SEVERITY_INFO, "swap", "Memory is short.");
  g_autoptr (DynoDiagnostic) copy = g_boxed_copy (DYNO_TYPE_DIAGNOSTIC, diagnostic);

  g_boxed_free (DYNO_TYPE_DIAGNOSTIC, diagnostic);
  g_assert_cmpstr (dyno_diagnostic_get_code (copy), ==, "swap");
}

static void
test_severity (void)
{
  static const char *const names[] = { "info", "warning", "error" };
  DynoSeverity severity = DYNO_SEVERITY_ERROR;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_assert_true (dyno_severity_from_string (names[i], &severity));
      g_assert_cmpint (severity, ==, i);
      g_assert_cmpstr (dyno_severity_to_string (severity), ==, names[i]);
    }
  g_assert_null (dyno_severity_get_label (DYNO_SEVERITY_INFO));
  g_assert_cmpstr (dyno_severity_get_label (DYNO_SEVERITY_WARNING), ==, "Warning");
  g_assert_cmpstr (dyno_severity_get_label (DYNO_SEVERITY_ERROR), ==, "Error");
  g_assert_false (dyno_severity_from_string ("fatal", &severity));
  g_assert_null (dyno_severity_to_string (99));
}

static const SuiteTest tests[] = {
  { "/diagnostic/new", test_new },
  { "/diagnostic/record", test_record },
  { "/diagnostic/boxed", test_boxed },
  { "/diagnostic/severity", test_severity },
};

SUITE_TESTS (tests)
