/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "dyno-diagnostic.h"
#include "dyno-machine-private.h"
#include "suite.h"

#define SNAPSHOT(cpu_limit, state)                                                                           \
  "{ 'cpu': { 'threads': 8, 'usable_threads': 8 }, 'memory': { 'total_bytes': 1000000000 },"                 \
  "  'host': { 'virtual': false }, 'container': { 'cpu_limit': " cpu_limit " }, 'state': { " state " } }"

typedef struct
{
  const char *path;
  const char *snapshot;
  const char *code;
  DynoSeverity severity;
  const char *word;
} Row;

static const Row rows[] = {
  { "governor", SNAPSHOT ("null", "'governor': 'powersave'"), "governor", DYNO_SEVERITY_INFO, "powersave" },
  { "performance", SNAPSHOT ("null", "'governor': 'performance'"), NULL, 0, NULL },
  { "battery", SNAPSHOT ("null", "'on_battery': true"), "on-battery", DYNO_SEVERITY_WARNING, "battery" },
  { "mains", SNAPSHOT ("null", "'on_battery': false"), NULL, 0, NULL },
  { "swap", SNAPSHOT ("null", "'swap_used_bytes': 20000000"), "swap", DYNO_SEVERITY_WARNING, "20.0" },
  { "little-swap", SNAPSHOT ("null", "'swap_used_bytes': 9000000"), NULL, 0, NULL },
  { "quota", SNAPSHOT ("1.5", "'throttled_periods': 42"), "threads-limited", DYNO_SEVERITY_WARNING, "1.5" },
  { "wide-quota", SNAPSHOT ("8", ""), NULL, 0, NULL },
  { "heat", SNAPSHOT ("null", "'thermal_throttles': 3"), "thermal-throttling", DYNO_SEVERITY_INFO,
    "3 times" },
  { "no-heat", SNAPSHOT ("null", "'thermal_throttles': 0"), NULL, 0, NULL },
  { "unknown", SNAPSHOT ("null", "'governor': null, 'on_battery': null"), NULL, 0, NULL },
  { "empty", "{}", NULL, 0, NULL },
  { "virtual", "{ 'host': { 'virtual': true } }", "virtual-machine", DYNO_SEVERITY_INFO, "virtual" },
  { "affinity", "{ 'cpu': { 'threads': 8, 'usable_threads': 2 } }", "threads-limited", DYNO_SEVERITY_INFO,
    "8" },
};

static void
test_row (gconstpointer data)
{
  const Row *row = data;
  g_autofree char *text = g_strdelimit (g_strdup (row->snapshot), "'", '"');
  g_autoptr (JsonNode) node = json_from_string (text, NULL);
  g_autoptr (GPtrArray) findings = dyno_machine_lint_snapshot (json_node_get_object (node), NAN);

  g_assert_cmpuint (findings->len, ==, row->code != NULL ? 1 : 0);
  if (row->code == NULL)
    return;
  g_assert_cmpstr (dyno_diagnostic_get_code (findings->pdata[0]), ==, row->code);
  g_assert_cmpint (dyno_diagnostic_get_severity (findings->pdata[0]), ==, row->severity);
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (findings->pdata[0]), row->word));
}

static GPtrArray *
lint_busy (const char *snapshot, double busy_processors)
{
  g_autoptr (JsonNode) node = json_from_string (snapshot, NULL);

  return dyno_machine_lint_snapshot (json_node_get_object (node), busy_processors);
}

static void
test_load (void)
{
  g_autoptr (GPtrArray) idle = lint_busy ("{ \"cpu\": { \"threads\": 2, \"usable_threads\": 2 } }", 0.4);
  g_autoptr (GPtrArray) busy = lint_busy ("{ \"cpu\": { \"threads\": 2, \"usable_threads\": 2 } }", 0.6);
  g_autoptr (GPtrArray) large = lint_busy ("{ \"cpu\": { \"threads\": 64, \"usable_threads\": 64 } }", 3);

  g_assert_cmpuint (idle->len, ==, 0);
  g_assert_cmpuint (large->len, ==, 0);
  g_assert_cmpuint (busy->len, ==, 1);
  g_assert_cmpstr (dyno_diagnostic_get_code (busy->pdata[0]), ==, "machine-load");
  g_assert_nonnull (strstr (dyno_diagnostic_get_message (busy->pdata[0]), "0.6"));
}

#define BEFORE                                                                                               \
  "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 100 0 50 800 50 0 0 0 0 0\ncpu1 0 0 0 1000 0 0 0 0 0 0\nintr 5\n"

static void
test_busy (void)
{
  /* The first was busy for 6 ticks of 10, two of them stolen by the hypervisor; the second was idle. */
  const char *after = "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 103 0 51 802 52 0 0 2 0 0\n"
                      "cpu1 0 0 0 1010 0 0 0 0 0 0\nintr 9\n";

  g_assert_cmpfloat_with_epsilon (dyno_machine_busy_between (BEFORE, after), 0.6, 1e-9);
  g_assert_true (isnan (dyno_machine_busy_between (BEFORE, BEFORE)));
  g_assert_true (isnan (dyno_machine_busy_between (after, BEFORE)));
  g_assert_true (isnan (dyno_machine_busy_between ("garbage", "more garbage")));
  g_assert_true (isnan (dyno_machine_busy_between (BEFORE, NULL)));
}

static void
add_tests (void)
{
  g_test_add_func ("/machine-lint/load", test_load);
  g_test_add_func ("/machine-lint/busy", test_busy);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_autofree char *path = g_strconcat ("/machine-lint/", rows[i].path, NULL);

      g_test_add_data_func (path, &rows[i], test_row);
    }
}

SUITE_ADD (add_tests)
