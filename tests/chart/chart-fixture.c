/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "chart-fixture.h"
#include "dyno-ceiling.h"
#include "dyno-chart-base-private.h"
#include "dyno-phase.h"
#include "dyno-stats.h"

#define SECOND  G_GINT64_CONSTANT (1000000000)
#define LOAD_NS (SECOND * 8 / 10)
#define WARM_UP 20
#define SOURCE  "fixture"
#define NOON    (G_GINT64_CONSTANT (1789041600) * G_USEC_PER_SEC)

static const char machine[] = "{\"cpu\": {\"name\": \"AMD Ryzen 7 7840U\", \"cores\": 8}, "
                              "\"memory\": {\"total_bytes\": 34359738368}}";

/* A normal number, from the sum of twelve even ones. */
static double
draw_normal (GRand *rand)
{
  double sum = -6;

  for (int i = 0; i < 12; i++)
    sum += g_rand_double (rand);
  return sum;
}

DynoRun *
fixture_create_run (const char *title)
{
  DynoRun *run = dyno_run_new (NULL);

  g_object_set (run, "title", title, "machine", machine, "started-at", NOON, NULL);
  return run;
}

static void
add_phase (DynoTrace *phases, gint64 time, DynoPhase phase)
{
  dyno_trace_add (phases, time, phase);
}

/* Fills latency and phases; returns the sorted steps that count. */
static GArray *
add_traces (DynoResult *result, const FixtureCase *what)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (what->batch * 131 + what->sequence + what->n_steps);
  DynoTrace *latency = dyno_trace_new ("latency", "ms", 0);
  DynoTrace *phases = dyno_trace_new ("phases", "", 0);
  GArray *steady = g_array_new (FALSE, FALSE, sizeof (double));
  gint64 now = LOAD_NS;

  add_phase (phases, 0, DYNO_PHASE_LOAD);
  add_phase (phases, now, DYNO_PHASE_FIRST_RUN);
  dyno_trace_add (latency, now, what->step_ms * 6);
  now += (gint64)(what->step_ms * 6e6);
  add_phase (phases, now, DYNO_PHASE_WARM_UP);
  for (guint i = 0; i < WARM_UP + what->n_steps; i++)
    {
      double slower = i < WARM_UP ? 1 + 0.8 * exp (-(double)i / 6) : 1;
      double ms = what->step_ms * slower * (1 + what->spread * fabs (draw_normal (rand)));

      if (i >= WARM_UP && i < WARM_UP + what->n_outliers)
        ms *= 4;
      if (i == WARM_UP)
        add_phase (phases, now, DYNO_PHASE_MEASURE);
      if (i >= WARM_UP)
        g_array_append_val (steady, ms);
      dyno_trace_add (latency, now, ms);
      now += (gint64)(ms * 1e6);
    }
  add_phase (phases, now, DYNO_PHASE_ANALYSE);
  add_phase (phases, now + LOAD_NS / 4, DYNO_N_PHASES);
  dyno_result_take_trace (result, latency);
  dyno_result_take_trace (result, phases);
  dyno_stats_sort ((double *)steady->data, steady->len);
  return steady;
}

static void
add_number (DynoResult *result, const char *name, double number, const char *unit, gboolean estimated)
{
  DynoQuality quality = estimated ? DYNO_QUALITY_ESTIMATED : DYNO_QUALITY_MEASURED;

  dyno_result_take_value (result, dyno_value_new (name, number, unit, quality, SOURCE));
}

static void
add_bandwidth (DynoResult *result, const FixtureCase *what, double mean)
{
  double modelled = what->modelled != 0 ? what->modelled : what->bytes / mean / 1e6;

  if (isnan (modelled))
    dyno_result_take_value (
        result, dyno_value_new_unsupported ("avg_bandwidth_gbps", "GB/s", "Nobody knows the operators."));
  else
    add_number (result, "avg_bandwidth_gbps", what->counted > 0 ? what->counted : modelled, "GB/s",
                what->counted == 0);
}

static void
add_work (DynoResult *result, const FixtureCase *what, double median, double mean)
{
  add_number (result, "flops", what->flops, "FLOP", TRUE);
  add_number (result, "flops_per_sec", what->flops * 1e3 / median, "FLOP/s", TRUE);
  add_number (result, "bytes_per_step", what->bytes, "B", TRUE);
  add_bandwidth (result, what, mean);
  add_number (result, "arithmetic_intensity_flops_per_byte", what->flops / what->bytes, "FLOP/B", TRUE);
}

static void
add_energy (DynoResult *result, const FixtureCase *what, double median)
{
  double watts = what->joules * what->batch * 1e3 / median;

  add_number (result, "power_avg_watts", watts, "W", what->estimated);
  add_number (result, "power_max_watts", watts * 1.3, "W", what->estimated);
  add_number (result, "energy_joules", what->joules * what->batch * what->n_steps, "J", what->estimated);
  add_number (result, "energy_per_item_joules", what->joules, "J", what->estimated);
  add_number (result, "throughput_per_watt", 1 / what->joules, "1/s/W", what->estimated);
  if (what->flops > 0)
    add_number (result, "gflops_per_watt", what->flops / what->batch / what->joules / 1e9, "GFLOP/s/W", TRUE);
}

static void
say_no_energy (DynoResult *result)
{
  dyno_result_take_value (
      result, dyno_value_new_unsupported ("energy_joules", "J", "The kernel shows no energy counters."));
}

DynoResult *
fixture_add_case (DynoRun *run, const FixtureCase *what)
{
  g_autoptr (DynoCase) kase = dyno_case_new (what->model, what->backend);
  DynoResult *result;
  g_autoptr (GArray) steady = NULL;
  double low, high, median, mean;

  g_object_set (kase, "batch-size", what->batch, "sequence-length", what->sequence, "threads", what->threads,
                NULL);
  result = dyno_result_new (kase, g_list_model_get_n_items (dyno_run_get_results (run)));
  g_object_set (result, "model-name", what->model, "device", what->device, NULL);
  steady = add_traces (result, what);
  median = dyno_stats_percentile ((double *)steady->data, steady->len, 50);
  mean = dyno_stats_mean ((double *)steady->data, steady->len);
  dyno_result_add_measured (result, "latency_mean_ms", mean, "ms", SOURCE);
  dyno_result_add_measured (result, "latency_p50_ms", median, "ms", SOURCE);
  dyno_result_add_measured (result, "throughput_items_per_sec", what->batch * 1e3 / median, "items/s",
                            SOURCE);
  if (dyno_stats_median_interval ((double *)steady->data, steady->len, steady->len, &low, &high))
    {
      dyno_result_add_measured (result, "latency_median_low_ms", low, "ms", SOURCE);
      dyno_result_add_measured (result, "latency_median_high_ms", high, "ms", SOURCE);
    }
  if (what->flops > 0)
    add_work (result, what, median, mean);
  if (what->joules > 0)
    add_energy (result, what, median);
  else
    say_no_energy (result);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_run_add_result (run, result);
  g_object_unref (result);
  return result;
}

/* A server of 10 ms for each request, at 70 % of its capacity. */
static void
add_queue (DynoResult *result)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  DynoTrace *latency = dyno_trace_new ("latency", "ms", 0);
  DynoTrace *phases = dyno_trace_new ("phases", "", 0);
  DynoTrace *queue = dyno_trace_new ("queue", "ms", 0);
  double arrival = 1000, ready = 0; /* ms */

  add_phase (phases, 0, DYNO_PHASE_LOAD);
  add_phase (phases, 500 * 1000000, DYNO_PHASE_MEASURE);
  for (guint i = 0; i < 400; i++)
    {
      arrival -= log (1 - g_rand_double (rand)) * 1000 / 70;
      ready = MAX (ready, arrival) + 10;
      dyno_trace_add (latency, (gint64)(arrival * 1e6), ready - arrival);
      dyno_trace_add (queue, (gint64)(arrival * 1e6), ready - arrival - 10);
    }
  add_phase (phases, (gint64)((ready + 1) * 1e6), DYNO_PHASE_ANALYSE);
  dyno_result_take_trace (result, latency);
  dyno_result_take_trace (result, phases);
  dyno_result_take_trace (result, queue);
}

/* Closed loops up to the capacity, then rates up to it, shuffled, as theory has them. */
static void
add_stretches (DynoResult *result)
{
  static const char *const names[] = { "load_rate", "load_clients", "load_answered", "load_good",
                                       "load_p50",  "load_p90",     "load_p99",      "load_problems" };
  static const double stretches[][G_N_ELEMENTS (names)] = {
    { 0, 1, 92, 92, 10, 11, 12, 0 },       { 0, 2, 99, 99, 20, 21, 22, 0 },
    { 0, 4, 100, 100, 40, 41, 42, 0 },     { 80, 1, 80, 71, 22, 62, 104, 8 },
    { 30, 1, 30, 30, 10, 17, 29, 0 },      { 110, 1, 100, 4, 420, 790, 900, 10 },
    { 50, 1, 50, 50, 12, 26, 44, 0 },      { 70, 1, 70, 68, 17, 44, 75, 0 },
    { 100, 1, 98, 11, 300, 560, 700, 10 }, { 90, 1, 90, 62, 45, 140, 235, 8 },
  };

  for (guint name = 0; name < G_N_ELEMENTS (names); name++)
    {
      DynoTrace *trace = dyno_trace_new (names[name], "", 0);

      for (guint i = 0; i < G_N_ELEMENTS (stretches); i++)
        dyno_trace_add (trace, i * G_GINT64_CONSTANT (1000000000), stretches[i][name]);
      dyno_result_take_trace (result, trace);
    }
}

DynoRun *
fixture_create_endpoints (void)
{
  static const double points[][3] = { { 1, 40, 40 }, { 2, 38, 74 }, { 8, 24, 190 } };
  DynoRun *run = fixture_create_run ("A server");

  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    {
      g_autoptr (DynoCase) kase = dyno_case_new ("server:llama", "server");
      g_autoptr (DynoResult) result = NULL;
      g_autofree char *load = g_strdup_printf ("concurrent=%g", points[i][0]);
      const char *const names[] = { "load_rate", "load_clients" };

      g_object_set (kase, "load", load, "sequence-length", 128, NULL);
      result = dyno_result_new (kase, i);
      for (guint k = 0; k < G_N_ELEMENTS (names); k++)
        {
          DynoTrace *trace = dyno_trace_new (names[k], "", 0);

          dyno_trace_add (trace, 0, k == 0 ? 0 : points[i][0]);
          dyno_result_take_trace (result, trace);
        }
      dyno_result_add_measured (result, "user_tokens_per_sec", points[i][1], "tokens/s", SOURCE);
      dyno_result_add_measured (result, "output_tokens_per_sec", points[i][2], "tokens/s", SOURCE);
      dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
      dyno_run_add_result (run, result);
    }
  return run;
}

DynoRun *
fixture_create_loads (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("BERT tiny", "cpu");
  g_autoptr (DynoResult) result = NULL;
  DynoRun *run = fixture_create_run ("Under load");

  g_object_set (kase, "load", "rate=auto p99=80ms", "sequence-length", 128, "threads", 4, NULL);
  result = dyno_result_new (kase, 0);
  g_object_set (result, "model-name", "BERT tiny", NULL);
  add_queue (result);
  add_stretches (result);
  dyno_result_add_measured (result, "latency_p50_ms", 17.4, "ms", SOURCE);
  dyno_result_add_measured (result, "throughput_items_per_sec", 70, "items/s", SOURCE);
  dyno_result_add_measured (result, "load_outstanding", 1.5, "", SOURCE);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  dyno_run_add_result (run, result);
  return run;
}

DynoRun *
fixture_create_load_energies (void)
{
  static const double rates[] = { 30, 50, 70, 90, 120 };
  const double capacity = 100;
  DynoRun *run = fixture_create_run ("Energy under load");

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    {
      double answered = MIN (rates[i], capacity);
      FixtureCase what = { "BERT tiny", "cpu", 1, 128, 1000 / answered,   0.01, 60,
                           0,           1,     0, 0,   0.1 + 9 / answered };
      DynoResult *result = fixture_add_case (run, &what);
      g_autofree char *load = g_strdup_printf ("rate=%g/s", rates[i]);
      DynoTrace *asked = dyno_trace_new ("load_rate", "1/s", 0);

      g_object_set (dyno_result_get_case (result), "load", load, NULL);
      dyno_trace_add (asked, 0, rates[i]);
      dyno_result_take_trace (result, asked);
      if (rates[i] > capacity)
        dyno_result_take_diagnostic (
            result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "overloaded", "The queue grew throughout."));
    }
  return run;
}

/* Grows while loading, jumps at the first run, peaks once in the middle of the measurement. */
void
fixture_add_memory (DynoResult *result, double base_mb, double peak_mb)
{
  DynoTrace *memory = dyno_trace_new ("memory_rss", "MB", 0);
  DynoTrace *phases = dyno_result_get_trace (result, "phases");
  gint64 end = dyno_trace_get_times (phases)[dyno_trace_get_length (phases) - 1];
  gint64 begin = dyno_trace_get_times (phases)[3];
  gint64 peak = begin + (dyno_trace_get_times (phases)[4] - begin) / 2;

  for (gint64 time = 0; time <= end; time += SECOND / 100)
    {
      double share = MIN (time / (double)LOAD_NS, 1);
      double mb = base_mb + share * share * (peak_mb - base_mb) * 0.6;

      if (time > LOAD_NS)
        mb += (peak_mb - base_mb) * (0.15 + 0.01 * sin (time / 5e7));
      if (ABS (time - peak) < SECOND / 20)
        mb = peak_mb;
      dyno_trace_add (memory, time, mb);
    }
  dyno_result_take_trace (result, memory);
}

void
fixture_add_operators (DynoResult *result, guint n_types, gboolean two_providers)
{
  static const char *const types[] = { "MatMul",    "Gemm",       "Conv",    "LayerNormalization",
                                       "Softmax",   "Gelu",       "Add",     "Transpose",
                                       "Reshape",   "Gather",     "Mul",     "Concat",
                                       "Split",     "Slice",      "Sigmoid", "Cast",
                                       "Unsqueeze", "ReduceMean", "Where",   "Expand" };

  for (guint i = 0; i < n_types; i++)
    for (guint call = 0; call < 3; call++)
      {
        g_autofree char *name = g_strdup_printf ("node_%u_%u", i, call);
        DynoOperator *op = dyno_operator_new (name, types[i % G_N_ELEMENTS (types)],
                                              two_providers && i % 3 == 2 ? "CPUExecutionProvider"
                                              : two_providers             ? "CUDAExecutionProvider"
                                                                          : "CPUExecutionProvider");

        dyno_operator_set_calls (op, 4);
        dyno_operator_set_time_ns (op, (gint64)(9e5 / pow (1.6, i)));
        dyno_operator_set_bytes (op, 400000 >> i % 4);
        dyno_operator_set_flops (op, i < 3 ? 30000000 >> i : i % 4 == 3 ? 100000 : i < 7 ? 40000 : 0);
        dyno_result_take_operator (result, op);
      }
}

static void
add_named_operator (
    DynoResult *result, const char *name, const char *type, const char *provider, double ms, double flops)
{
  DynoOperator *op = dyno_operator_new (name, type, provider);

  dyno_operator_set_calls (op, 10);
  dyno_operator_set_time_ns (op, (gint64)(ms * 1e6));
  dyno_operator_set_flops (op, (gint64)flops);
  dyno_operator_set_bytes (op, 2000000);
  dyno_result_take_operator (result, op);
}

DynoRun *
fixture_create_modules (void)
{
  FixtureCase what = { "BERT tiny", "cuda", 1, 128, 3.1, 0.06, 60, 0, 1 };
  DynoRun *run = fixture_create_run ("Modules");
  DynoResult *result = fixture_add_case (run, &what);
  const char *gpu = "CUDAExecutionProvider";

  add_named_operator (result, "embeddings.Gather_0", "Gather", gpu, 3, 0);
  add_named_operator (result, "embeddings.Add_1", "Add", gpu, 2, 400e3);
  for (guint i = 0; i < 2; i++)
    {
      g_autofree char *product = g_strdup_printf ("encoder.layer.%u.attention.MatMul_2", i);
      g_autofree char *softmax = g_strdup_printf ("encoder.layer.%u.attention.Softmax_3", i);
      g_autofree char *output = g_strdup_printf ("encoder.layer.%u.output.MatMul_4", i);

      add_named_operator (result, product, "MatMul", gpu, 12 + 2 * i, 30e6);
      add_named_operator (result, softmax, "Softmax", gpu, 3, 500e3);
      add_named_operator (result, output, "MatMul", gpu, 20 - 3 * i, 90e6);
    }
  add_named_operator (result, "Memcpy", "MemcpyToHost", gpu, 6, -1);
  add_named_operator (result, "pooler.Gemm_5", "Gemm", "CPUExecutionProvider", 14, 20e6);
  return run;
}

DynoRun *
fixture_create_sweep (const char *title, guint n_models, guint n_sizes)
{
  static const char *const models[] = {
    "ResNet-18",  "BERT base uncased", "MobileNetV2",  "GPT-2",          "ViT-B/16",
    "DistilBERT", "ResNet-50",         "SmolLM2 135M", "TinyLlama 1.1B", "Qwen2.5 0.5B Instruct",
    "MiniLM L6",  "RoBERTa base"
  };
  DynoRun *run = fixture_create_run (title);

  for (guint i = 0; i < n_models; i++)
    for (guint j = 0; j < n_sizes; j++)
      {
        guint batch = 1u << (j % 32); /* starts over if there are more */
        double work = 3.1 * (1 + 0.8 * i);
        /* Up to batch 8 additional items cost little, beyond that their full work. */
        double step_ms = work * (batch <= 8 ? 1 + 0.12 * (batch - 1) : 1.84 * batch / 8.0);
        FixtureCase what = { models[i], "cpu", batch, 0, step_ms, 0.05, 60, 0 };

        fixture_add_case (run, &what);
      }
  return run;
}

void
fixture_set_node (DynoRun *run, const char *submission, const char *node)
{
  g_autofree char *json =
      g_strdup_printf ("{\"cpu\": {\"name\": \"AMD EPYC 9454\", \"cores\": 48}, "
                       "\"state\": {\"cluster\": {\"submission\": \"%s\", \"node\": \"%s\"}}}",
                       submission, node);

  g_object_set (run, "machine", json, NULL);
}

GPtrArray *
fixture_create_nodes (guint n_nodes)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < n_nodes; i++)
    {
      DynoRun *run = fixture_create_run ("A plan for all nodes");
      g_autofree char *node = g_strdup_printf ("n%u", i + 1);

      fixture_set_node (run, "one", node);
      for (guint k = 0; k < 6; k++)
        {
          guint batch = 1u << k % 3;
          double step_ms = (k < 3 ? 4 : 6) * (1 + 0.1 * batch) * (1 + 0.04 * i * (1 + k / 5));
          FixtureCase what = { k < 3 ? "BERT tiny" : "ResNet-18", "cpu", batch, 0, step_ms, 0, 40, 0 };

          fixture_add_case (run, &what);
        }
      g_ptr_array_add (runs, run);
    }
  return runs;
}

DynoRun *
fixture_create_single (void)
{
  FixtureCase what = { "BERT base uncased", "cpu", 1, 128, 3.1, 0.06, 800, 3, 0, 1.1e9, 52e6, 0.12 };
  DynoRun *run = fixture_create_run ("BERT on the laptop");
  DynoResult *result = fixture_add_case (run, &what);

  fixture_add_memory (result, 48, 512);
  fixture_add_operators (result, 20, FALSE);
  fixture_add_power (result);
  fixture_add_usage (result, "cpu", 20, 95);
  fixture_add_usage (result, "process", 2, 88);
  return run;
}

static DynoTrace *
create_levels (
    const char *name, const char *unit, gint64 begin, gint64 end, gint64 last, double idle, double busy)
{
  DynoTrace *trace = dyno_trace_new (name, unit, 0);

  for (gint64 time = 0; time <= last; time += SECOND / 20)
    dyno_trace_add (trace, time, time > begin && time <= end ? busy * (1 + 0.03 * sin (time / 9e7)) : idle);
  return trace;
}

void
fixture_add_power (DynoResult *result)
{
  DynoTrace *phases = dyno_result_get_trace (result, "phases");
  const gint64 *times = dyno_trace_get_times (phases);
  gint64 last = times[dyno_trace_get_length (phases) - 1];
  DynoTrace *temperature = dyno_trace_new ("temperature_k10temp", "°C", 0);
  DynoTrace *throttled = dyno_trace_new ("throttled_cpu", "", 0);

  for (gint64 time = 0; time <= last; time += SECOND / 20)
    {
      dyno_trace_add (temperature, time, 48 + 36 * (1 - exp (-time / 9e8)));
      dyno_trace_add (throttled, time, time > times[4] - SECOND * 7 / 10 && time < times[4] - SECOND / 5);
    }
  dyno_result_take_trace (result, create_levels ("power_package", "W", times[1], times[4], last, 9, 38));
  dyno_result_take_trace (result, create_levels ("power_dram", "W", times[1], times[4], last, 1.5, 4));
  dyno_result_take_trace (result, temperature);
  dyno_result_take_trace (result, throttled);
}

void
fixture_repeat_process (DynoResult *result)
{
  g_autoptr (GPtrArray) first =
      g_ptr_array_copy (dyno_result_get_traces (result), (GCopyFunc)g_object_ref, NULL);

  g_ptr_array_set_free_func (first, g_object_unref);
  for (guint i = 0; i < first->len; i++)
    {
      DynoTrace *trace = first->pdata[i];
      DynoTrace *again = dyno_trace_new (dyno_trace_get_name (trace), dyno_trace_get_unit (trace),
                                         dyno_trace_get_origin (trace));

      for (gsize j = 0; j < dyno_trace_get_length (trace); j++)
        dyno_trace_add (again, dyno_trace_get_times (trace)[j], dyno_trace_get_values (trace)[j]);
      dyno_trace_set_invocation (again, 1);
      dyno_result_take_trace (result, again);
    }
  for (guint i = 0; i < 2; i++)
    dyno_result_take_invocation (result, dyno_invocation_new (i, NULL));
}

void
fixture_add_usage (DynoResult *result, const char *part, double idle, double busy)
{
  DynoTrace *phases = dyno_result_get_trace (result, "phases");
  const gint64 *times = dyno_trace_get_times (phases);
  gint64 last = times[dyno_trace_get_length (phases) - 1];
  g_autofree char *name = g_strconcat ("utilisation_", part, NULL);
  g_autofree char *value = g_strconcat (name, "_percent", NULL);

  dyno_result_take_trace (result, create_levels (name, "%", times[1], times[4], last, idle, busy));
  dyno_result_add_measured (result, value, busy, "%", "clock");
}

DynoRun *
fixture_create_sustained (void)
{
  DynoRun *run = fixture_create_single ();
  g_autoptr (DynoResult) result = g_list_model_get_item (dyno_run_get_results (run), 0);
  DynoTrace *clock = dyno_trace_new ("clock_cpu", "MHz", 0);
  DynoTrace *latency = dyno_result_get_trace (result, "latency");
  gint64 last = dyno_trace_get_times (latency)[dyno_trace_get_length (latency) - 1];

  for (gint64 time = 0; time <= last; time += SECOND / 20)
    dyno_trace_add (clock, time, 2900 + 800 * exp (-time / 9e8));
  dyno_result_take_trace (result, clock);
  dyno_result_add_measured (result, "sustained_percent", 92.4, "%", "clock");
  return run;
}

static void
add_estimated_power (DynoResult *result)
{
  DynoTrace *phases = dyno_result_get_trace (result, "phases");
  const gint64 *times = dyno_trace_get_times (phases);

  dyno_result_take_trace (result, create_levels ("power_estimate", "W", times[1], times[4],
                                                 times[dyno_trace_get_length (phases) - 1], 2,
                                                 dyno_result_get_number (result, "power_avg_watts")));
}

static DynoCeiling *
create_compute (const char *precision, const char *set, guint threads, double value, double theoretical)
{
  g_autofree char *id = g_strdup_printf ("%s-%s", precision, set);

  return g_object_new (DYNO_TYPE_CEILING, "id", id, "kind", DYNO_CEILING_COMPUTE, "threads", threads,
                       "precision", precision, "instruction-set", set, "value", value, "theoretical",
                       theoretical, "unit", "FLOP/s", NULL);
}

static DynoCeiling *
create_read (const char *level, guint threads, double value, double theoretical)
{
  g_autofree char *id = g_strdup_printf ("%s-read", level);

  return g_object_new (DYNO_TYPE_CEILING, "id", id, "kind", DYNO_CEILING_BANDWIDTH, "threads", threads,
                       "level", level, "mix", "read", "value", value, "theoretical", theoretical, "unit",
                       "B/s", NULL);
}

GPtrArray *
fixture_create_ceilings (void)
{
  GPtrArray *ceilings = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint threads = 1; threads <= 8; threads += 7)
    {
      g_ptr_array_add (ceilings, create_compute ("fp32", "SSE", threads, 40e9 * threads, 0));
      g_ptr_array_add (ceilings, create_compute ("fp32", "AVX2", threads, 80e9 * threads, 88e9 * threads));
      g_ptr_array_add (ceilings, create_compute ("bf16", "AVX512-BF16", threads, 160e9 * threads, 0));
      g_ptr_array_add (ceilings, create_read ("L1", threads, 300e9 * threads, 0));
      g_ptr_array_add (ceilings, create_read ("L2", threads, 140e9 * threads, 0));
      g_ptr_array_add (ceilings, create_read ("L3", threads, 50e9 * threads, 0));
      g_ptr_array_add (ceilings, create_read ("DRAM", threads, threads == 1 ? 24e9 : 55e9, 68e9));
    }
  return ceilings;
}

void
fixture_set_ceilings (DynoChart *chart, GPtrArray *runs)
{
  g_autoptr (GPtrArray) ceilings = fixture_create_ceilings ();

  for (guint i = 0; i < runs->len; i++)
    dyno_chart_set_ceilings (chart, runs->pdata[i], ceilings);
}

void
fixture_set_disturbed_ceilings (DynoChart *chart, GPtrArray *runs, double spread)
{
  g_autoptr (GPtrArray) calm = fixture_create_ceilings ();
  g_autoptr (GPtrArray) disturbed = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < calm->len; i++)
    {
      g_autoptr (JsonObject) members = dyno_ceiling_to_json (calm->pdata[i]);

      json_object_set_double_member (members, "spread", spread);
      g_ptr_array_add (disturbed, dyno_ceiling_from_json (members));
    }
  for (guint i = 0; i < runs->len; i++)
    dyno_chart_set_ceilings (chart, runs->pdata[i], disturbed);
}

DynoRun *
fixture_create_threads (void)
{
  DynoRun *run = fixture_create_run ("Threads");

  for (guint threads = 1; threads <= 8; threads *= 2)
    {
      FixtureCase heavy = { "BERT base uncased", "cpu", 1, 128, 320 / pow (threads, 0.93), 0.02, 60, 0 };
      FixtureCase light = { "MobileNetV2", "cpu", 1, 0, 14 / pow (threads, 0.6), 0.04, 60, 0 };

      heavy.threads = light.threads = threads;
      heavy.flops = 22.4e9;
      heavy.bytes = 0.9e9;
      light.flops = 0.6e9;
      light.bytes = 0.12e9;
      fixture_add_case (run, &heavy);
      fixture_add_case (run, &light);
    }
  return run;
}

static void
add_steps (DynoResult *result, double prefill_flops, double prefill_ms, double decode_flops, double decode_ms)
{
  add_number (result, "prefill_flops", prefill_flops, "FLOP", TRUE);
  add_number (result, "prefill_bytes", prefill_flops / 25, "B", TRUE);
  add_number (result, "prefill_flops_per_sec", prefill_flops * 1e3 / prefill_ms, "FLOP/s", TRUE);
  add_number (result, "decode_flops", decode_flops, "FLOP", TRUE);
  add_number (result, "decode_bytes", decode_flops * 2, "B", TRUE);
  add_number (result, "decode_flops_per_sec", decode_flops * 1e3 / decode_ms, "FLOP/s", TRUE);
}

DynoRun *
fixture_create_generations (void)
{
  static const FixtureCase small = { "SmolLM2 135M", "cpu", 1, 128, 1600, 0.02, 60, 0, 1, 44.6e9, 19e9 };
  static const FixtureCase large = { "Qwen2 0.5B", "cpu", 1, 128, 5300, 0.02, 60, 0, 1, 158e9, 70e9 };
  DynoRun *run = fixture_create_run ("Generations");

  add_steps (fixture_add_case (run, &small), 36e9, 600, 0.28e9, 31);
  add_steps (fixture_add_case (run, &large), 126e9, 1900, 1e9, 105);
  return run;
}

static void
add_stage (DynoResult *result, const char *stage, double ms, guint n_times)
{
  double all = dyno_result_get_number (result, "latency_p50_ms");
  g_autofree char *median = g_strdup_printf ("stage_%s_p50_ms", stage);
  g_autofree char *run = g_strdup_printf ("stage_%s_run_ms", stage);
  g_autofree char *share = g_strdup_printf ("stage_%s_percent", stage);

  add_number (result, median, ms, "ms", FALSE);
  if (n_times > 1)
    add_number (result, run, ms / n_times, "ms", FALSE);
  add_number (result, share, 100 * ms / all, "%", FALSE);
}

DynoRun *
fixture_create_stages (void)
{
  static const FixtureCase all[] = {
    { "LLaVA 7B", "cpu", 1, 0, 2000, 0, 60, 0 },
    { "LLaVA 7B", "openvino", 1, 0, 1000, 0, 60, 0 },
    { "Whisper tiny", "cpu", 1, 0, 400, 0, 60, 0 },
  };
  DynoRun *run = fixture_create_run ("Stages");

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    {
      DynoResult *result = fixture_add_case (run, &all[i]);
      double all_ms = all[i].step_ms;

      if (i < 2)
        {
          add_stage (result, "vision", (i == 0 ? 0.45 : 0.3) * all_ms, 1);
          add_stage (result, "projector", 0.02 * all_ms, 1);
        }
      else
        add_stage (result, "encoder", 0.3 * all_ms, 1);
      add_stage (result, "decoder", (i == 0 ? 0.48 : 0.64) * all_ms, 32);
    }
  return run;
}

DynoRun *
fixture_create_energies (void)
{
  static const FixtureCase all[] = {
    { "ResNet-18", "cpu", 1, 0, 9, 0.02, 60, 0, 0, 3.6e9, 0.1e9, 0.34, FALSE },
    { "ResNet-18", "cpu", 8, 0, 50, 0.02, 60, 0, 0, 28.8e9, 0.4e9, 0.24, FALSE },
    { "ResNet-18", "cuda", 1, 0, 2.2, 0.02, 60, 0, 0, 3.6e9, 0.1e9, 0.21, FALSE },
    { "ResNet-18", "cuda", 8, 0, 6, 0.02, 60, 0, 0, 28.8e9, 0.4e9, 0.08, FALSE },
    { "ResNet-18", "openvino", 1, 0, 7.5, 0.02, 60, 0, 0, 3.6e9, 0.1e9, 0.3, TRUE },
    { "ResNet-18", "openvino", 8, 0, 44, 0.02, 60, 0, 0, 28.8e9, 0.4e9, 0, FALSE },
  };
  DynoRun *run = fixture_create_run ("Energies");

  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    fixture_add_case (run, &all[i]);
  return run;
}

DynoRun *
fixture_create_estimates (void)
{
  FixtureCase what = { "GPT-2", "cpu", 1, 0, 20, 0, 60, 0, 0, 0, 0, 0.4, TRUE };
  DynoRun *run = fixture_create_run ("Estimates");

  for (guint batch = 1; batch <= 2; batch++)
    {
      what.batch = batch;
      what.joules = 0.4 / batch;
      add_estimated_power (fixture_add_case (run, &what));
    }
  return run;
}

void
fixture_make_unsteady (DynoResult *result)
{
  GPtrArray *values = dyno_result_get_values (result);

  dyno_result_take_diagnostic (
      result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "no-steady-state", "It never became steady."));
  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = g_ptr_array_index (values, i);
      const char *name = dyno_value_get_name (value);

      if (dyno_value_get_quality (value) != DYNO_QUALITY_MEASURED)
        continue;
      if (!g_str_has_prefix (name, "latency_median_"))
        g_ptr_array_add (values,
                         dyno_value_new (name, dyno_value_get_number (value), dyno_value_get_unit (value),
                                         DYNO_QUALITY_UNSTEADY, dyno_value_get_source (value)));
      g_ptr_array_remove_index (values, i--);
    }
}

DynoRun *
fixture_disturb (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (i % 3 == 1)
        dyno_result_take_diagnostic (
            result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "thermal-throttling", "The CPU was hot."));
      else if (i % 3 == 2)
        fixture_make_unsteady (result);
    }
  return run;
}

GPtrArray *
fixture_list (DynoRun *run, ...)
{
  GPtrArray *runs = g_ptr_array_new_with_free_func (g_object_unref);
  va_list list;

  va_start (list, run);
  for (; run != NULL; run = va_arg (list, DynoRun *))
    g_ptr_array_add (runs, run);
  va_end (list);
  return runs;
}

void
fixture_render (DynoChart *chart, double width, double height, const DynoChartStyle *style)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, (int)width, (int)height);
  cairo_t *cr = cairo_create (surface);

  dyno_chart_render (chart, cr, width, height, style);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

static void
clear_box (gpointer data)
{
  g_free (((DynoTextBox *)data)->text);
}

GArray *
fixture_record (DynoChart *chart, double width, double height, const DynoChartStyle *style)
{
  GArray *boxes = g_array_new (FALSE, FALSE, sizeof (DynoTextBox));

  g_array_set_clear_func (boxes, clear_box);
  dyno_text_set_recorder (boxes);
  fixture_render (chart, width, height, style);
  dyno_text_set_recorder (NULL);
  return boxes;
}

const char *
fixture_get_cell (DynoChart *chart, guint row, const char *heading)
{
  GPtrArray *table = dyno_chart_get_table (chart);
  char **headings = g_ptr_array_index (table, 0);

  for (guint i = 0; headings[i] != NULL; i++)
    if (g_str_has_prefix (headings[i], heading))
      return ((char **)g_ptr_array_index (table, row))[i];
  return "";
}

double
fixture_get_number (DynoChart *chart, guint row, const char *heading)
{
  return g_ascii_strtod (fixture_get_cell (chart, row, heading), NULL);
}

void
fixture_assert_cell (DynoChart *chart, guint row, const char *heading, const char *expected)
{
  g_test_message ("%s of row %u: “%s”", heading, row, expected);
  g_assert_cmpstr (fixture_get_cell (chart, row, heading), ==, expected);
}

void
fixture_assert_finding (DynoChart *chart, const char *expected)
{
  g_assert_cmpstr (dyno_chart_get_finding (chart), ==, expected);
}

void
fixture_assert_empty (DynoChart *chart, const char *expected)
{
  g_assert_cmpstr (dyno_chart_get_empty_message (chart), ==, expected);
}

void
fixture_assert_caption (DynoChart *chart, const char *part)
{
  g_test_message ("“%s” in: %s", part, dyno_chart_get_caption (chart));
  g_assert_nonnull (strstr (dyno_chart_get_caption (chart), part));
}

void
fixture_assert_no_caption (DynoChart *chart, const char *part)
{
  g_test_message ("no “%s” in: %s", part, dyno_chart_get_caption (chart));
  g_assert_null (strstr (dyno_chart_get_caption (chart), part));
}

typedef struct
{
  const char *model;
  DynoVerdict verdict;
  double ratio;
  double low;
  double high;
  const char *reason;
} FixtureVerdict;

static const FixtureVerdict verdicts[] = {
  { "BERT base", DYNO_VERDICT_BETTER, 0.51, 0.49, 0.54, NULL },
  { "ResNet-50", DYNO_VERDICT_SAME, 1.004, 0.995, 1.012, NULL },
  { "MobileNetV2", DYNO_VERDICT_PROBABLY_BETTER, 0.95, 0.9, 1.003, "5 processes would do" },
  { "SmolLM2 135M", DYNO_VERDICT_NOT_ENOUGH_DATA, 1.02, 0.2, 5.5, "7 processes each would do" },
  { "ViT tiny", DYNO_VERDICT_CONFOUNDED, 1.31, NAN, NAN, "The clocks differ by 8 %" },
  { "GPT-2", DYNO_VERDICT_WORSE, 1.44, 1.35, 1.5, NULL },
};

static void
add_verdict (DynoComparison *self, DynoRun *before, DynoRun *after, const FixtureVerdict *verdict)
{
  FixtureCase what = { verdict->model, "cpu", 1, 0, 10, 0.02, 50 };
  DynoResult *baseline = fixture_add_case (before, &what);
  DynoComparedCase *kase;

  kase = dyno_comparison_add_case (self, 1, baseline, fixture_add_case (after, &what));
  kase->baseline_value = 10;
  kase->value = 10 * verdict->ratio;
  kase->ratio = verdict->ratio;
  kase->low = verdict->low;
  kase->high = verdict->high;
  kase->verdict = verdict->verdict;
  kase->reason = g_strdup (verdict->reason);
  kase->n = kase->n_baseline = 5;
}

DynoComparison *
fixture_create_comparison (const char *metric, const char *unit)
{
  g_autoptr (DynoRun) before = fixture_create_run ("Before");
  g_autoptr (DynoRun) after = fixture_create_run ("After");
  DynoComparison *self = dyno_comparison_new_empty (metric, unit, 0.02);

  dyno_comparison_add_side (self, before, "Before");
  dyno_comparison_add_side (self, after, "After");
  for (guint i = 0; i < G_N_ELEMENTS (verdicts); i++)
    add_verdict (self, before, after, &verdicts[i]);
  return self;
}

/* A case of the mock matrix. */
typedef struct
{
  const char *model;
  guint batch_size;
  const char *backend;
  double latency;
  gboolean is_doubtful;
} FixtureChoice;

static const FixtureChoice choices[] = {
  { "bert-tiny", 1, "cpu", 0.62, FALSE }, { "bert-tiny", 1, "openvino", 0.6, FALSE },
  { "bert-tiny", 8, "cpu", 3.4, FALSE },  { "bert-tiny", 8, "openvino", 2.1, FALSE },
  { "resnet-50", 1, "cpu", 17.5, FALSE }, { "resnet-50", 1, "openvino", 9, TRUE },
  { "resnet-50", 8, "cpu", 120, FALSE },  { "resnet-50", 8, "openvino", 96, FALSE },
  { "vit-tiny", 1, "cpu", 31, FALSE },    { "smollm2-135m", 8, "openvino", NAN, FALSE },
};

/* The verdicts of the cells with two of them, in order. */
static const struct
{
  DynoVerdict verdict;
  DynoRecommendationState state;
} outcomes[] = {
  { DYNO_VERDICT_WITHIN_NOISE, DYNO_RECOMMENDATION_TIE },
  { DYNO_VERDICT_BETTER, DYNO_RECOMMENDATION_CLEAR },
  { DYNO_VERDICT_BETTER, DYNO_RECOMMENDATION_CLEAR },
  { DYNO_VERDICT_NOT_ENOUGH_DATA, DYNO_RECOMMENDATION_UNPROVEN },
};

static void
add_choice (DynoRun *run, const FixtureChoice *choice)
{
  g_autoptr (DynoCase) kase = dyno_case_new (choice->model, choice->backend);
  g_autoptr (DynoResult) result =
      dyno_result_new (kase, g_list_model_get_n_items (dyno_run_get_results (run)));

  g_object_set (kase, "batch-size", choice->batch_size, NULL);
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  if (isfinite (choice->latency))
    dyno_result_add_measured (result, "latency_p50_ms", choice->latency, "ms", SOURCE);
  if (choice->is_doubtful)
    dyno_result_take_diagnostic (
        result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "thermal-throttling", "The CPU was hot."));
  dyno_run_add_result (run, result);
}

static void
make_up_verdicts (DynoRecommendation *self)
{
  guint n = 0;

  for (guint i = 0; i < self->cells->len; i++)
    {
      DynoRecommendationCell *cell = self->cells->pdata[i];
      DynoComparedCase *margin;

      if (cell->candidates->len < 2)
        continue;
      g_assert_cmpuint (n, <, G_N_ELEMENTS (outcomes));
      margin = ((DynoCandidate *)cell->candidates->pdata[1])->margin;
      margin->verdict = outcomes[n].verdict;
      margin->low = 0.95 * margin->ratio;
      margin->high = 1.06 * margin->ratio;
      cell->state = outcomes[n++].state;
    }
}

DynoRecommendation *
fixture_create_recommendation (void)
{
  g_autoptr (GPtrArray) runs = g_ptr_array_new_with_free_func (g_object_unref);
  DynoRun *run = dyno_run_new ("0a1b2c3d-0000-4000-8000-000000000000");
  DynoRecommendation *self;
  DynoGoal goal;

  g_ptr_array_add (runs, run);
  for (guint i = 0; i < G_N_ELEMENTS (choices); i++)
    add_choice (run, &choices[i]);
  dyno_goal_init (&goal, DYNO_OBJECTIVE_LATENCY);
  self = dyno_recommendation_new (runs, &goal, "model", "size", NULL);
  make_up_verdicts (self);
  return self;
}

static DynoHistoryPoint *
create_history_point (DynoResult *head, guint i)
{
  g_autofree char *id = g_strdup_printf ("%08x-0000", 0x1a2b3c00 + i);
  double value = (i < 16 ? 12 : 9.5) * (1 + 0.01 * ((int)(i * 7 % 5) - 2));
  DynoHistoryPoint *point = dyno_history_point_new (
      head, id, G_GINT64_CONSTANT (1780000000) * G_USEC_PER_SEC + i * 86400 * G_TIME_SPAN_SECOND, value);

  point->unit = g_ref_string_new_intern ("ms");
  point->is_steady = i != 5;
  point->n_processes = 5;
  point->low = 0.96 * value;
  point->high = (i % 6 == 3 ? 1.2 : 1.05) * value;
  return point;
}

DynoHistory *
fixture_create_history (void)
{
  g_autoptr (DynoCase) kase = dyno_case_new ("bert-base", "openvino");
  g_autoptr (DynoResult) head = dyno_result_new (kase, 0);
  GPtrArray *points = g_ptr_array_new ();
  DynoHistory *history;
  DynoHistorySegment *second;
  g_autoptr (DynoComparison) changes = dyno_comparison_new_empty ("", "", 0);

  for (guint i = 0; i < 28; i++)
    g_ptr_array_add (points, create_history_point (head, i));
  history = dyno_history_new (points, "latency_p50_ms", 0.02);
  second = ((DynoHistoryTrend *)history->trends->pdata[0])->segments->pdata[1];
  dyno_comparison_add_difference (changes, 0, "Runtime", "2026.3", "2026.4");
  second->changes = g_ptr_array_ref (changes->differences);
  return history;
}

gboolean
fixture_is_of_load (DynoChartKind kind)
{
  return kind == DYNO_CHART_LOAD_LATENCY || kind == DYNO_CHART_GOODPUT || kind == DYNO_CHART_CLIENTS ||
         kind == DYNO_CHART_ENDPOINTS || kind == DYNO_CHART_ENERGY_RATE || kind == DYNO_CHART_QUEUE ||
         kind == DYNO_CHART_QUEUE_SPLIT;
}

GPtrArray *
fixture_create_runs_for (DynoChartKind kind)
{
  if (kind == DYNO_CHART_THREADS)
    return fixture_list (fixture_create_threads (), NULL);
  if (kind == DYNO_CHART_NODES)
    return fixture_create_nodes (3);
  if (kind == DYNO_CHART_ENERGY_RATE)
    return fixture_list (fixture_create_load_energies (), NULL);
  if (kind == DYNO_CHART_ENDPOINTS)
    return fixture_list (fixture_create_endpoints (), NULL);
  if (fixture_is_of_load (kind))
    return fixture_list (fixture_create_loads (), NULL);
  if (kind == DYNO_CHART_PARETO)
    return fixture_list (fixture_create_energies (), NULL);
  if (kind == DYNO_CHART_STAGES)
    return fixture_list (fixture_create_stages (), NULL);
  return fixture_list (kind == DYNO_CHART_SUSTAINED ? fixture_create_sustained () : fixture_create_single (),
                       NULL);
}
