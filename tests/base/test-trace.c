/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-trace.h"
#include "suite.h"

static void
test_round_trip (void)
{
  g_autoptr (DynoTrace) trace = dyno_trace_new ("latency", "ms", 42);
  g_autoptr (DynoTrace) copy = NULL;
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  dyno_trace_reserve (trace, 3);
  g_assert_cmpuint (dyno_trace_get_length (trace), ==, 0);
  dyno_trace_add (trace, -5, 0.1);
  dyno_trace_add (trace, G_MAXINT64, -INFINITY);
  dyno_trace_add (trace, 7, NAN);
  bytes = dyno_trace_to_bytes (trace);
  copy = dyno_trace_new_from_bytes ("latency", "ms", 42, bytes, &error);

  g_assert_no_error (error);
  g_assert_cmpstr (dyno_trace_get_name (copy), ==, "latency");
  g_assert_cmpstr (dyno_trace_get_unit (copy), ==, "ms");
  g_assert_cmpint (dyno_trace_get_origin (copy), ==, 42);
  g_assert_cmpuint (dyno_trace_get_length (copy), ==, 3);
  g_assert_cmpmem (dyno_trace_get_times (copy), 3 * sizeof (gint64), dyno_trace_get_times (trace),
                   3 * sizeof (gint64));
  g_assert_cmpmem (dyno_trace_get_values (copy), 3 * sizeof (double), dyno_trace_get_values (trace),
                   3 * sizeof (double));
}

/* Files are exchanged between machines, so the bytes are the same everywhere. */
static void
test_bytes (void)
{
  static const guint8 expected[] = { 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f };
  g_autoptr (DynoTrace) trace = dyno_trace_new ("latency", "ms", 0);
  g_autoptr (GBytes) bytes = NULL;

  dyno_trace_add (trace, 258, 1.5);
  bytes = dyno_trace_to_bytes (trace);
  g_assert_cmpmem (g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes), expected, sizeof expected);
}

static void
test_empty (void)
{
  g_autoptr (DynoTrace) trace = dyno_trace_new ("latency", "ms", 0);
  g_autoptr (GBytes) bytes = dyno_trace_to_bytes (trace);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoTrace) copy = dyno_trace_new_from_bytes ("latency", "ms", 0, bytes, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (g_bytes_get_size (bytes), ==, 0);
  g_assert_cmpuint (dyno_trace_get_length (copy), ==, 0);
}

static void
test_damaged (void)
{
  static const gsize sizes[] = { 1, 8, 15, 17, 40 };
  static const guint8 data[40] = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    {
      g_autoptr (GBytes) bytes = g_bytes_new_static (data, sizes[i]);
      g_autoptr (GError) error = NULL;

      g_assert_null (dyno_trace_new_from_bytes ("memory_rss", "MB", 0, bytes, &error));
      suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "memory_rss");
    }
}

static const SuiteTest tests[] = {
  { "/trace/round-trip", test_round_trip },
  { "/trace/bytes", test_bytes },
  { "/trace/empty", test_empty },
  { "/trace/damaged", test_damaged },
};

SUITE_TESTS (tests)
