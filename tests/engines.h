/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <string.h>

/* Skips a test because @engine is missing; in CI (CI=true) this is a failure if tests/meson.build requires the
 * engine. */
static inline void
skip_without_engine (const char *engine, const char *reason)
{
  const char *required = g_getenv ("DYNO_TEST_ENGINES");
  g_auto (GStrv) engines = g_strsplit (required != NULL ? required : "", " ", -1);

  if (g_strcmp0 (g_getenv ("CI"), "true") == 0 && g_strv_contains ((const char *const *)engines, engine))
    g_test_fail_printf ("The engine “%s” is required here: %s", engine, reason);
  else
    g_test_skip (reason);
}
