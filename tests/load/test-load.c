/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib.h>

#include "dyno-error.h"
#include "dyno-load.h"
#include "suite.h"

static void
check_text (const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *written = NULL;
  DynoLoad load;

  g_assert_true (dyno_load_parse (text, &load, &error));
  g_assert_no_error (error);
  written = dyno_load_to_string (&load);
  g_assert_cmpstr (written, ==, expected);
}

static void
test_one_text (void)
{
  check_text ("single", "single");
  check_text ("offline", "offline");
  check_text ("offline clients=3", "offline clients=3");
  check_text ("concurrent=4", "concurrent=4");
  check_text ("multi=2 sessions=own", "multi=2 sessions=own");
  check_text ("rate=auto", "rate=auto");
  check_text ("rate=50", "rate=50/s");
  check_text ("rate=50.0/s", "rate=50/s");
  check_text ("rate=50/s clients=1", "rate=50/s clients=1");
  check_text ("rate=0.5/s  p99=0.02s clients=2", "rate=0.5/s clients=2 p99=20ms");
  check_text ("concurrent=8 p99.9=20ms", "concurrent=8 p99.9=20ms");
  check_text ("concurrent=8 p99=1s p90=2s", "concurrent=8 p90=2000ms");
  check_text ("rate=auto inter-token-p99=50ms first-token-p99=0.5s",
              "rate=auto first-token-p99=500ms inter-token-p99=50ms");
  check_text ("rate=auto first-token-p95=500ms p95=2s", "rate=auto p95=2000ms first-token-p95=500ms");
}

static void
test_refused (void)
{
  static const char *const texts[] = {
    "",
    "double",
    "concurrent",
    "concurrent=0",
    "concurrent=2000",
    "concurrent=x",
    "single=1",
    "rate",
    "rate=-1/s",
    "rate=0",
    "rate=1e9",
    "rate=nan/s",
    "rate=50/m",
    "offline=2",
    "single p99=1ms",
    "rate=1/s p=1ms",
    "rate=1/s p99=0ms",
    "rate=1/s p20=1ms",
    "rate=1/s p99=1",
    "concurrent=2 clients=2",
    "single sessions=own",
    "rate=5/s clients=",
    "rate=5/s quick",
    "rate=1/s p99=infms",
    "rate=1/s p100=1ms",
    "rate=1/s first-token-p99=",
    "rate=1/s first-token=5ms",
    "rate=1/s inter-token-p99=0ms",
    "rate=1/s p99=1s first-token-p90=5ms",
    "single first-token-p99=5ms",
    "multi=2 first-token-p99=5ms",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      DynoLoad load;

      g_assert_false (dyno_load_parse (texts[i], &load, &error));
      g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
    }
}

static void
check_list (const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) loads = dyno_load_parse_list (text, &error);
  g_autoptr (GString) joined = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < loads->len; i++)
    {
      g_autofree char *one = dyno_load_to_string (&g_array_index (loads, DynoLoad, i));

      g_string_append_printf (joined, "%s%s", i > 0 ? "|" : "", one);
    }
  g_assert_cmpstr (joined->str, ==, expected);
}

static void
test_list (void)
{
  g_autoptr (GError) error = NULL;

  check_list ("concurrent=1,2,4", "concurrent=1|concurrent=2|concurrent=4");
  check_list ("single,concurrent=1,2, rate=auto,50/s clients=2,offline",
              "single|concurrent=1|concurrent=2|rate=auto clients=2|rate=50/s clients=2|offline");
  check_list ("rate=50,100/s clients=2 p99=20ms",
              "rate=50/s clients=2 p99=20ms|rate=100/s clients=2 p99=20ms");
  check_list ("rate=auto", "rate=auto");
  check_list ("concurrent=1,2 first-token-p90=1s,offline",
              "concurrent=1 first-token-p90=1000ms|concurrent=2 first-token-p90=1000ms|offline");
  check_list ("offline clients=2", "offline clients=2");
  g_assert_null (dyno_load_parse_list ("concurrent=1,,2", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

static void
check_label (const char *text, const char *expected)
{
  g_autofree char *label = dyno_load_dup_label (text);

  g_assert_cmpstr (label, ==, expected);
}

static void
test_label (void)
{
  check_label ("concurrent=1", "1 concurrent client");
  check_label ("multi=4 sessions=own", "4 requests at once · a session for each client");
  check_label ("rate=50/s clients=2 p99=20ms", "50 requests/s · 2 clients · p99 within 20 ms");
  check_label ("rate=auto", "rates up to capacity");
  check_label ("rate=33936/s", "33936 requests/s");
  check_label ("rate=33936.25/s", "33936.25 requests/s");
  check_label ("rate=0.0001/s", "0.0001 requests/s");
  check_label ("concurrent=2 p99.9=2000s", "2 concurrent clients · p99.9 within 2000000 ms");
  check_label (
      "rate=auto p99=2s first-token-p99=500ms inter-token-p99=50ms",
      "rates up to capacity · p99 within 2000 ms · p99 of time to first token within 500 ms · p99 of "
      "inter-token latency within 50 ms");
  check_label ("from a later version", "from a later version");
  g_assert_true (dyno_load_is_single ("single"));
  g_assert_true (dyno_load_is_single (""));
  g_assert_false (dyno_load_is_single ("offline"));
}

static guint
count_threads (const char *text, guint threads, guint n_processors)
{
  g_autoptr (GError) error = NULL;
  DynoLoad load;

  g_assert_true (dyno_load_parse (text, &load, &error));
  g_assert_no_error (error);
  return dyno_load_count_threads (&load, threads, n_processors);
}

/* Those of all clients work at the same time, and a search has ever more clients. */
static void
test_threads (void)
{
  g_assert_cmpuint (count_threads ("single", 1, 8), ==, 1);
  g_assert_cmpuint (count_threads ("single", 0, 8), ==, 0);
  g_assert_cmpuint (count_threads ("concurrent=4", 1, 8), ==, 4);
  g_assert_cmpuint (count_threads ("concurrent=4", 2, 8), ==, 8);
  g_assert_cmpuint (count_threads ("multi=3 sessions=own", 4, 8), ==, 8);
  g_assert_cmpuint (count_threads ("concurrent=4", 0, 8), ==, 0);
  g_assert_cmpuint (count_threads ("concurrent=4", 2, 0), ==, 2);
  g_assert_cmpuint (count_threads ("rate=5/s", 1, 8), ==, 1);
  g_assert_cmpuint (count_threads ("offline clients=2", 3, 8), ==, 6);
  g_assert_cmpuint (count_threads ("rate=auto", 1, 8), ==, 8);
  g_assert_cmpuint (count_threads ("rate=auto", 0, 8), ==, 0);
  g_assert_cmpuint (count_threads ("rate=auto clients=2", 1, 8), ==, 2);
  g_assert_cmpuint (count_threads ("rate=auto clients=1", 1, 8), ==, 1);
}

static const SuiteTest tests[] = {
  { "/load/one-text", test_one_text }, { "/load/refused", test_refused }, { "/load/list", test_list },
  { "/load/label", test_label },       { "/load/threads", test_threads },
};

SUITE_TESTS (tests)
