/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "bench.h"
#include "dyno-backend.h"
#include "dyno-clock.h"
#include "dyno-graph.h"
#include "dyno-machine-ceilings-private.h"
#include "dyno-model.h"
#include "dyno-paths.h"
#include "dyno-precision.h"
#include "suite.h"

/* How near decoding comes to what the memory gives: the bytes that the products of a step must read (weights and cache),
 * over its time, beside plain reading with as many threads. Then the same steps with the cache handed on as the workload
 * does, beside a cache that goes through the host's tensors. Last, the time from a config to the first token, beside
 * PyTorch, and beside what exports the model from there and runs it in ONNX Runtime. One item, a short prompt, so that
 * weights are nearly all there is to read. */

#define MODEL          "SmolLM2-135M"
#define PROMPT_LENGTH  16
#define N_TOKENS       24
#define N_ROUNDS       5
#define N_START_ROUNDS 3
#define N_WINDOWS      9
#define WINDOW_NS      20000000
#define AREA           ((gsize)256 << 20)
#define LONG_PAST      512
#define CACHE_INPUT    "past_key_values."
#define CACHE_OUTPUT   "present."

typedef struct
{
  const char *precision;
  guint64 seed; /* of the weights */
  DynoModel *model;
  DynoSession *session;
  GPtrArray *prompt;
  GPtrArray *steps; /* of GPtrArray of DynoTensor, one each token after the first */
  double bytes;     /* of one step */
  DynoCeilingRun run;
  DynoMemoryTraffic *traffic;
  GSubprocess *python;
  const char *way; /* what it is asked for */
  GDataInputStream *answers;
} Bench;

static double
count_bytes (DynoModel *model)
{
  GError *error = NULL;
  g_autoptr (GHashTable) binding = dyno_model_bind (model, 1, 1, NULL, &error);
  g_autoptr (GArray) products = NULL;
  double bytes = 0;

  bench_use_no_error (error);
  products = dyno_model_list_products (model, binding);
  for (guint i = 0; i < products->len; i++)
    bytes += g_array_index (products, DynoGraphProduct, i).bytes;
  return bytes;
}

static void
add_inputs (Bench *self, guint prompt_length)
{
  GError *error = NULL;
  g_autoptr (GHashTable) binding = dyno_model_bind_prompt (self->model, 1, prompt_length, NULL, &error);

  bench_use_no_error (error);
  self->prompt = dyno_model_create_inputs (self->model, binding, NULL, 1, &error);
  bench_use_no_error (error);
  self->steps = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);
  for (guint token = 1; token < N_TOKENS; token++)
    g_ptr_array_add (
        self->steps,
        dyno_model_create_decode_inputs (
            self->model, 1, dyno_model_count_positions (self->model, prompt_length, token), token, &error));
  bench_use_no_error (error);
}

static void
clear_inputs (Bench *self)
{
  g_clear_pointer (&self->prompt, g_ptr_array_unref);
  g_clear_pointer (&self->steps, g_ptr_array_unref);
}

static void
clear (Bench *self)
{
  clear_inputs (self);
  g_clear_object (&self->session);
  g_clear_object (&self->model);
}

static DynoSession *
open_session (Bench *self, const char *precision)
{
  DynoSessionOptions options = { .precision = dyno_precision_get_computed (precision), .optimise = TRUE };
  GError *error = NULL;
  g_autofree char *path = dyno_model_prepare (self->model, precision, self->seed, NULL, &error);
  DynoSession *session;

  bench_use_no_error (error);
  session = dyno_backend_open (dyno_backend_lookup ("cpu", NULL), path, &options, &error);
  bench_use_no_error (error);
  return session;
}

static void
fill_cache (Bench *self)
{
  GError *error = NULL;

  dyno_session_set_inputs (self->session, 0, self->prompt, &error);
  bench_use_no_error (error);
  dyno_session_run (self->session, &error);
  bench_use_no_error (error);
}

static void
carry_cache (Bench *self)
{
  GPtrArray *inputs = dyno_model_get_inputs (self->model);
  GError *error = NULL;

  for (guint i = 0; i < inputs->len; i++)
    {
      const char *name = dyno_tensor_info_get_name (inputs->pdata[i]);
      g_autofree char *output = NULL;

      if (!dyno_tensor_info_is_cache (inputs->pdata[i]))
        continue;
      output = g_strconcat (CACHE_OUTPUT, name + strlen (CACHE_INPUT), NULL);
      dyno_session_carry (self->session, output, name, &error);
      bench_use_no_error (error);
    }
}

static void
run_step (Bench *self, guint step)
{
  GError *error = NULL;

  dyno_session_set_inputs (self->session, 0, self->steps->pdata[step], &error);
  bench_use_no_error (error);
  dyno_session_run (self->session, &error);
  bench_use_no_error (error);
}

/* Seconds of a step, what lies between two of them included. */
static double
decode (gpointer data)
{
  Bench *self = data;
  gint64 start;

  fill_cache (self);
  start = dyno_clock_now_ns ();
  for (guint step = 0; step < self->steps->len; step++)
    {
      carry_cache (self);
      run_step (self, step);
    }
  return (double)(dyno_clock_now_ns () - start) / 1e9 / self->steps->len;
}

/* Under its other name, as which it is an input. */
static DynoTensor *
rename_cache (DynoTensor *output)
{
  g_autofree char *name =
      g_strconcat (CACHE_INPUT, dyno_tensor_get_name (output) + strlen (CACHE_OUTPUT), NULL);
  DynoTensor *input = dyno_tensor_new (name, dyno_tensor_get_shape (output));

  memcpy (dyno_tensor_get_data (input), dyno_tensor_get_data (output), dyno_tensor_get_size (output));
  return input;
}

static GPtrArray *
rename_caches (GPtrArray *outputs)
{
  GPtrArray *inputs = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);

  for (guint i = 0; i < outputs->len; i++)
    if (g_str_has_prefix (dyno_tensor_get_name (outputs->pdata[i]), CACHE_OUTPUT))
      g_ptr_array_add (inputs, rename_cache (outputs->pdata[i]));
  return inputs;
}

/* Seconds of a step that takes its cache from the host's memory and gives it back there. That our tensors cannot be
 * renamed is no fault of the way, so that copy is not counted. */
static double
decode_through_host (gpointer data)
{
  Bench *self = data;
  gint64 elapsed = 0;
  GError *error = NULL;

  fill_cache (self);
  for (guint step = 0; step < self->steps->len; step++)
    {
      gint64 start = dyno_clock_now_ns ();
      g_autoptr (GPtrArray) outputs = dyno_session_get_outputs (self->session, &error);
      g_autoptr (GPtrArray) caches = NULL;

      bench_use_no_error (error);
      elapsed += dyno_clock_now_ns () - start;
      caches = rename_caches (outputs);
      start = dyno_clock_now_ns ();
      dyno_session_set_inputs (self->session, 0, caches, &error);
      bench_use_no_error (error);
      run_step (self, step);
      elapsed += dyno_clock_now_ns () - start;
    }
  return (double)elapsed / 1e9 / self->steps->len;
}

static double
read_weights (gpointer data)
{
  Bench *self = data;

  return self->bytes / decode (self) / 1e9;
}

/* The best kernel of the ceiling “dram-read”, and its best window. */
static double
read_memory (gpointer data)
{
  Bench *self = data;
  guint n_kernels;
  const DynoMemoryKernel *kernels = dyno_memory_kernel_list (&n_kernels);
  double best = 0;

  for (guint i = 0; i < n_kernels * N_WINDOWS; i++)
    {
      const DynoMemoryKernel *kernel = &kernels[i / N_WINDOWS];

      if (kernel->mix != DYNO_MEMORY_READ || !dyno_cpu_features_have (kernel->needs))
        continue;
      if (i % N_WINDOWS == 0)
        dyno_memory_traffic_prepare (self->traffic, kernel, AREA);
      best =
          MAX (best, dyno_ceiling_run_try (&self->run, dyno_memory_traffic_work, self->traffic, WINDOW_NS) *
                         dyno_memory_traffic_count_bytes (self->traffic));
    }
  return best / 1e9;
}

static void
report_roof (Bench *self)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();
  g_autofree char *name = g_strconcat (MODEL " in ", self->precision, ", bytes read by a decode step", NULL);

  bench_pairs_run (pairs, N_ROUNDS, read_weights, read_memory, self);
  bench_report_ratio (name, "GB/s", "reading memory", pairs, BENCH_AT_LEAST, 0.5);
}

static void
report_cache (Bench *self, guint past_length)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();
  g_autofree char *name = g_strdup_printf (
      MODEL " in %s after %u tokens, seconds of a decode step, cache bound", self->precision, past_length);

  bench_pairs_run (pairs, N_ROUNDS, decode, decode_through_host, self);
  bench_report (name, "s", "cache through the host", pairs);
}

static void
bench_precision (Bench *self, const char *precision)
{
  g_autoptr (DynoModel) model = NULL;
  GError *error = NULL;

  self->precision = precision;
  model = dyno_model_load (MODEL, &error);
  bench_use_no_error (error);
  self->model = dyno_model_in_precision (model, precision, &error);
  bench_use_no_error (error);
  self->bytes = count_bytes (self->model);
  self->session = open_session (self, precision);
  add_inputs (self, PROMPT_LENGTH);
  report_roof (self);
  report_cache (self, PROMPT_LENGTH);
  clear_inputs (self);
  add_inputs (self, LONG_PAST);
  report_cache (self, LONG_PAST);
  clear (self);
}

/* Seconds from the config to the end of the first step. No two weights are alike, so nothing comes from the cache. */
static double
start_here (gpointer data)
{
  Bench *self = data;
  gint64 start = dyno_clock_now_ns ();
  GError *error = NULL;

  self->seed++;
  self->model = dyno_model_load (MODEL, &error);
  bench_use_no_error (error);
  add_inputs (self, PROMPT_LENGTH);
  self->session = open_session (self, "fp32");
  fill_cache (self);
  clear (self);
  return (double)(dyno_clock_now_ns () - start) / 1e9;
}

/* The other side reads a line for each round, which says what to do, and answers with its seconds. */
static double
start_there (gpointer data)
{
  Bench *self = data;
  GError *error = NULL;
  g_autofree char *answer = NULL;

  g_output_stream_printf (g_subprocess_get_stdin_pipe (self->python), NULL, NULL, &error, "%s\n", self->way);
  bench_use_no_error (error);
  answer = g_data_input_stream_read_line (self->answers, NULL, NULL, &error);
  bench_use_no_error (error);
  return answer != NULL ? g_ascii_strtod (answer, NULL) : NAN;
}

/* What it can be asked for, if it answers: first with how long its imports took, which are in no ratio. */
static char *
start_python (Bench *self, const char *script, const char *config)
{
  const char *python = g_getenv ("DYNO_BENCH_PYTHON");
  g_autofree char *imports = NULL;

  self->python = g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                                       G_SUBPROCESS_FLAGS_STDERR_SILENCE,
                                   NULL, python != NULL ? python : "python3", script, config, NULL);
  if (self->python == NULL)
    return NULL;
  self->answers = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->python));
  imports = g_data_input_stream_read_line (self->answers, NULL, NULL, NULL);
  if (imports != NULL)
    g_print ("imports of PyTorch and transformers: %s s, not counted below\n", imports);
  return imports != NULL ? g_data_input_stream_read_line (self->answers, NULL, NULL, NULL) : NULL;
}

static void
bench_way (Bench *self, const char *way, const char *name)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  self->way = way;
  bench_pairs_run (pairs, N_START_ROUNDS, start_here, start_there, self);
  bench_report_ratio (MODEL " from its config to the end of its first step", "s", name, pairs, BENCH_AT_MOST,
                      1);
}

static void
bench_start (Bench *self, const char *script, const char *config)
{
  g_autofree char *ways = start_python (self, script, config);

  if (ways != NULL)
    bench_way (self, "step", "PyTorch");
  else
    g_print ("PyTorch: skipped: python3 (or what DYNO_BENCH_PYTHON names) cannot import torch and "
             "transformers.\n");
  if (ways != NULL && strstr (ways, "export") != NULL)
    bench_way (self, "export", "exporting it with PyTorch");
  else
    g_print ("Exporting with PyTorch: skipped: it also needs onnx, onnxscript and onnxruntime.\n");
  g_clear_object (&self->answers);
  g_clear_object (&self->python);
}

static int
run_suite (int argc, char *argv[])
{
  g_autoptr (DynoTopology) topology = NULL;
  g_autoptr (DynoProbe) probe = NULL;
  g_autofree char *folder = NULL;
  Bench bench = { 0 };
  GError *error = NULL;

  bench_init ();
  g_assert_cmpint (argc, ==, 3);
  probe = dyno_backend_probe (dyno_backend_lookup ("cpu", NULL), NULL);
  if (dyno_probe_get_state (probe) != DYNO_PROBE_AVAILABLE)
    bench_skip (dyno_probe_get_reason (probe));
  folder = g_dir_make_tmp ("dyno-bench-XXXXXX", &error);
  bench_use_no_error (error);
  dyno_paths_set_root (DYNO_PATH_CACHE, folder);
  topology = dyno_topology_load (NULL);
  bench.run = (DynoCeilingRun){ .topology = topology, .window_ns = WINDOW_NS };
  bench.run.team = dyno_thread_team_new (topology, g_get_num_processors ());
  bench.traffic = dyno_memory_traffic_new (bench.run.team, AREA);
  bench_precision (&bench, "fp32");
  bench_precision (&bench, "int4-32");
  dyno_memory_traffic_free (bench.traffic);
  dyno_thread_team_free (bench.run.team);
  bench_start (&bench, argv[1], argv[2]);
  bench_remove_tree (folder);
  return 0;
}

SUITE (run_suite)
