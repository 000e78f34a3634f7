/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <gio/gio.h>

#include "dyno-error.h"
#include "suite.h"

/* Every code survives a round trip over the worker's bus. */
static void
test_bus_names (void)
{
  for (int code = DYNO_ERROR_FAILED; code <= DYNO_ERROR_STORE_NEWER; code++)
    {
      g_autoptr (GError) sent = g_error_new_literal (DYNO_ERROR, code, "It broke. Mend it.");
      g_autofree char *name = g_dbus_error_encode_gerror (sent);
      g_autoptr (GError) received = g_dbus_error_new_for_dbus_error (name, sent->message);

      g_assert_true (g_str_has_prefix (name, "io.github.dynobench.Dyno.Error."));
      g_assert_error (received, DYNO_ERROR, code);
      g_assert_true (g_dbus_error_strip_remote_error (received));
      g_assert_cmpstr (received->message, ==, "It broke. Mend it.");
    }
}

static void
test_domain (void)
{
  g_assert_cmpstr (g_quark_to_string (DYNO_ERROR), ==, "dyno-error-quark");
  g_assert_cmpuint (DYNO_ERROR, ==, dyno_error_quark ());
}

static void
test_pass (void)
{
  g_autoptr (GError) none = NULL;
  g_autoptr (GError) local = g_error_new_literal (DYNO_ERROR, DYNO_ERROR_FAILED, "It broke. Mend it.");
  g_autoptr (GError) unwanted = g_error_copy (local);
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_error_pass (&none, &error));
  g_assert_no_error (error);
  g_assert_false (dyno_error_pass (&local, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_FAILED);
  g_assert_null (local);
  g_assert_false (dyno_error_pass (&unwanted, NULL));
  g_assert_null (unwanted);
}

static const SuiteTest tests[] = {
  { "/error/bus-names", test_bus_names },
  { "/error/domain", test_domain },
  { "/error/pass", test_pass },
};

SUITE_TESTS (tests)
