/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-phase.h"
#include "dyno-result-sink.h"
#include "run-fixture.h"

#define N_MODELS 2
#define N_SIZES  2
#define N_STEPS  200
#define MS       G_GINT64_CONSTANT (1000000)

static const char *const models[N_MODELS] = { "bert-tiny", "resnet-18" };
static const char *const model_names[N_MODELS] = { "BERT tiny", "ResNet-18" };

static DynoTrace *
make_latency (double median)
{
  DynoTrace *trace = dyno_trace_new ("latency", "ms", 0);

  dyno_trace_reserve (trace, N_STEPS);
  for (guint i = 0; i < N_STEPS; i++)
    dyno_trace_add (trace, (gint64)i * 2 * MS, median * (1 + 0.02 * ((i * 7) % 11 - 5) / 5.0));
  return trace;
}

static DynoTrace *
make_memory (void)
{
  DynoTrace *trace = dyno_trace_new ("memory_rss", "MB", 0);

  for (guint i = 0; i < 40; i++)
    dyno_trace_add (trace, (gint64)i * 10 * MS, MIN (40 + 4 * i, 120));
  return trace;
}

static DynoTrace *
make_phases (void)
{
  DynoTrace *trace = dyno_trace_new ("phases", "", 0);

  for (guint i = 0; i <= DYNO_N_PHASES; i++)
    dyno_trace_add (trace, (gint64)i * 80 * MS, i);
  return trace;
}

static void
add_values (DynoResult *result, double median, guint batch_size)
{
  dyno_result_add_measured (result, "latency_p50_ms", median, "ms", "made up");
  dyno_result_add_measured (result, "latency_median_low_ms", median * 0.99, "ms", "made up");
  dyno_result_add_measured (result, "latency_median_high_ms", median * 1.01, "ms", "made up");
  dyno_result_add_measured (result, "throughput_items_per_sec", 1e3 * batch_size / median, "1/s", "made up");
  dyno_result_add_measured (result, "memory_peak_mb", 120, "MB", "made up");
  dyno_result_add_measured (result, "flops_per_sec", 5e9, "FLOP/s", "made up");
  dyno_result_take_value (result,
                          dyno_value_new ("bytes_per_step", 1e6, "B", DYNO_QUALITY_ESTIMATED, "made up"));
  dyno_result_take_value (result, dyno_value_new_unsupported ("latency_p999_ms", "ms",
                                                              "This needs 4603 samples; there are 200."));
}

static void
add_operators (DynoResult *result)
{
  static const char *const types[] = { "MatMul", "Add", "Softmax" };

  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      DynoOperator *op = dyno_operator_new (types[i], types[i], "CPUExecutionProvider");
      dyno_operator_set_calls (op, 1);
      dyno_operator_set_time_ns (op, MS / (i + 1));
      dyno_result_take_operator (result, op);
    }
}

static DynoResult *
make_result (guint model, guint size, double scale)
{
  guint ordinal = model * N_SIZES + size;
  double median = scale * (1 << ordinal);
  g_autoptr (DynoCase) kase = dyno_case_new (models[model], "cpu");
  DynoResult *result;

  g_object_set (kase, "batch-size", 1u << size, "precision", "fp32", NULL);
  result = dyno_result_new (kase, ordinal);
  g_object_set (result, "model-name", model_names[model], "parameter-count", G_GINT64_CONSTANT (4385920),
                NULL);
  if (ordinal == N_MODELS * N_SIZES - 1)
    {
      dyno_result_set_status (result, DYNO_STATUS_FAILED, "The worker was killed.");
      return result;
    }
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  add_values (result, median, 1u << size);
  add_operators (result);
  dyno_result_take_trace (result, make_latency (median));
  dyno_result_take_trace (result, make_memory ());
  dyno_result_take_trace (result, make_phases ());
  dyno_result_take_diagnostic (
      result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "on-battery", "It ran on battery."));
  return result;
}

DynoRun *
run_fixture_make (const char *title, gint64 started_at, double scale)
{
  DynoRun *run = dyno_run_new (NULL);

  g_object_set (run, "title", title, "started-at", started_at, "finished-at",
                started_at + 65 * G_USEC_PER_SEC, "plan", "{}", "machine", "{}", "source", "dyno",
                "app-version", PACKAGE_VERSION, NULL);
  for (guint model = 0; model < N_MODELS; model++)
    for (guint size = 0; size < N_SIZES; size++)
      {
        g_autoptr (DynoResult) result = make_result (model, size, scale);
        dyno_run_add_result (run, result);
      }
  return run;
}

void
run_fixture_keep (DynoStore *store, DynoRun *run)
{
  DynoResultSink *sink = DYNO_RESULT_SINK (store);
  GListModel *results = dyno_run_get_results (run);
  g_autoptr (GError) error = NULL;

  dyno_result_sink_begin_run (sink, run, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);
      dyno_result_sink_add_result (sink, run, result, &error);
      g_assert_no_error (error);
    }
  dyno_result_sink_end_run (sink, run, &error);
  g_assert_no_error (error);
}

DynoRun *
run_fixture_add (DynoStore *store, const char *title, gint64 started_at, double scale)
{
  DynoRun *run = run_fixture_make (title, started_at, scale);

  run_fixture_keep (store, run);
  return run;
}
