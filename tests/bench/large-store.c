/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-store-private.h"
#include "large-store.h"
#include "store-fixture.h"

#define N_RUNS   10000
#define N_VALUES 30

#define N_MODELS     20
#define N_BATCHES    25
#define TRACE_POINTS 20

static DynoResult *
make_result (guint run, guint ordinal)
{
  static const char *const models[] = { "gpt2", "bert-base-uncased", "resnet50", "vit-base-patch16-224" };
  DynoResult *result = store_fixture_make_result (models[(run + ordinal) % G_N_ELEMENTS (models)],
                                                  ordinal % 2 == 0 ? "cpu" : "cuda", ordinal);

  for (guint i = 0; i < N_VALUES; i++)
    {
      g_autofree char *name = g_strdup_printf ("metric_%u", i);
      dyno_result_add_measured (result, name, run + i, "ms", "steady state");
    }
  return result;
}

static void
add_run (sqlite3 *db, guint number, GError **error)
{
  g_autofree char *title = g_strdup_printf ("Run %u of the benchmark", number);
  g_autoptr (DynoRun) run = store_fixture_make_run (NULL, number + 1, title);

  for (guint ordinal = 0; ordinal < LARGE_STORE_CASES; ordinal++)
    {
      g_autoptr (DynoResult) result = make_result (number, ordinal);
      dyno_run_add_result (run, result);
    }
  dyno_store_writer_copy_run (db, run, error);
}

typedef void (*Fill) (sqlite3 *db, guint number, GError **error);

static void
fill (const char *path, Fill func, guint number)
{
  g_autoptr (sqlite3) db = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  dyno_store_statement_run (db, "BEGIN", &error);
  func (db, number, &error);
  g_assert_no_error (error);
  dyno_store_statement_run (db, "COMMIT", &error);
  g_assert_no_error (error);
}

static void
add_runs (sqlite3 *db, guint n_runs, GError **error)
{
  for (guint i = 0; i < n_runs && *error == NULL; i++)
    add_run (db, i, error);
}

guint
large_store_count_runs (void)
{
  const char *text = g_getenv ("DYNO_BENCH_RUNS");

  return text != NULL ? (guint)g_ascii_strtoull (text, NULL, 10) : N_RUNS;
}

/* Fills a store that exists as years of use would, in one transaction. */
void
large_store_fill (const char *path, guint n_runs)
{
  fill (path, add_runs, n_runs);
}

/* One run of many cases */

static DynoCase *
make_case (guint ordinal)
{
  g_autofree char *model = g_strdup_printf ("model-%u", ordinal % N_MODELS);
  DynoCase *kase = dyno_case_new (model, ordinal / N_MODELS % 2 == 0 ? "cpu" : "cuda");

  g_object_set (kase, "batch-size", 1 + ordinal / (2 * N_MODELS) % N_BATCHES, "sequence-length",
                1 + ordinal / (2 * N_MODELS * N_BATCHES), "threads", 2, NULL);
  return kase;
}

static void
take_trace (DynoResult *result, const char *name, const char *unit, double value)
{
  DynoTrace *trace = dyno_trace_new (name, unit, 123456789);

  for (guint i = 0; i < TRACE_POINTS; i++)
    dyno_trace_add (trace, i * G_GINT64_CONSTANT (10000000), value * (1 + 0.01 * (i % 5)));
  dyno_result_take_trace (result, trace);
}

static void
add_values (DynoResult *result, double latency)
{
  const struct
  {
    const char *name;
    double value;
    const char *unit;
  } values[] = {
    { "latency_p50_ms", latency, "ms" },
    { "latency_median_low_ms", latency * 0.98, "ms" },
    { "latency_median_high_ms", latency * 1.02, "ms" },
    { "latency_p90_ms", latency * 1.1, "ms" },
    { "latency_p99_ms", latency * 1.3, "ms" },
    { "throughput_items_per_sec", 1000 / latency, "items/s" },
    { "memory_peak_mb", 100 + latency, "MB" },
    { "flops", 1e9 * latency, "FLOP" },
    { "flops_per_sec", 1e12, "FLOP/s" },
    { "bytes_per_step", 1e7 * latency, "B" },
    { "arithmetic_intensity_flops_per_byte", 100, "FLOP/B" },
    { "avg_bandwidth_gbps", 10, "GB/s" },
    { "power_avg_watts", 15, "W" },
    { "energy_per_item_joules", 0.015 * latency, "J" },
    { "gflops_per_watt", 66, "GFLOP/s/W" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    dyno_result_add_measured (result, values[i].name, values[i].value, values[i].unit, "steady state");
}

static DynoResult *
make_case_result (guint ordinal)
{
  g_autoptr (DynoCase) kase = make_case (ordinal);
  DynoResult *result = dyno_result_new (kase, ordinal);
  double latency = 1 + ordinal % 997 * 0.01;

  g_object_set (result, "model-name", dyno_case_get_model (kase), "architecture", "decoder", "device",
                dyno_case_get_backend (kase), "device-kind", "cpu", "parameter-count", (gint64)124439808,
                NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  add_values (result, latency);
  take_trace (result, "latency", "ms", latency);
  take_trace (result, "memory_rss", "MB", 100);
  take_trace (result, "power_package", "W", 15);
  dyno_result_take_operator (result, dyno_operator_new ("/encoder/matmul", "MatMul", "CPUExecutionProvider"));
  if (ordinal % 3 == 0)
    dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "machine-load",
                                                              "2 CPU cores were busy just before."));
  return result;
}

static void
add_long_run (sqlite3 *db, guint n_cases, GError **error)
{
  g_autofree char *id = g_strdup_printf (LARGE_STORE_LONG_RUN, n_cases);
  g_autoptr (DynoRun) run = store_fixture_make_run (id, 1, "A long run");

  g_object_set (run, "n-cases", n_cases, "finished-at", (gint64)2, NULL);
  for (guint ordinal = 0; ordinal < n_cases; ordinal++)
    {
      g_autoptr (DynoResult) result = make_case_result (ordinal);

      dyno_run_add_result (run, result);
    }
  dyno_store_writer_copy_run (db, run, error);
}

/* Adds one run to a store that exists: models, backends, batch sizes and sequence lengths swept together. */
void
large_store_fill_run (const char *path, guint n_cases)
{
  fill (path, add_long_run, n_cases);
}
