/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "bench.h"
#include "dyno-backend.h"
#include "dyno-case.h"
#include "dyno-llamacpp-private.h"
#include "dyno-model.h"
#include "dyno-random.h"
#include "dyno-run-worker-private.h"
#include "dyno-scratch.h"
#include "dyno-stats.h"
#include "dyno-system.h"
#include "suite.h"

/* Whether Dyno measures llama.cpp as llama-bench does: a prompt of 512 tokens (pp512), and 128 tokens one by one on an empty
 * cache (tg128), in two precisions. No package has a llama-bench of the releases that Dyno opens, so a loop of the same calls
 * takes its place (llama-loop.c), on the same library and file with as many threads. Both processes are alive together and
 * take turns in an order drawn for each round; a block has new processes, and its figure is the median ratio of its rounds.
 * The model is so small that a turn is short beside what else a machine does, and all that Dyno adds is large beside it.
 * Threads leave one core free, because llama.cpp's wait for each other at each operator: where they fill the machine,
 * whatever else runs delays all of them, and Dyno's own samples of memory and power are a part of that.
 *
 * bench llama LLAMA-LOOP [BLOCKS [ROUNDS [THREADS]]] */

#define PROMPT    512
#define GENERATED 128
#define N_BLOCKS  5
#define N_ROUNDS  15
#define LIMIT     1.02

/* Rows of 256, so that all of its weights can be in 4 bits. */
static const char config[] =
    "{\"model_type\": \"llama\", \"vocab_size\": 32000, \"hidden_size\": 256, \"num_hidden_layers\": 8, "
    "\"num_attention_heads\": 8, \"intermediate_size\": 768, \"max_position_embeddings\": 1024, "
    "\"tie_word_embeddings\": true}";

typedef struct
{
  GMainLoop *loop;
  const char *program;
  char *model; /* the path of its config */
  guint n_blocks;
  guint n_rounds;
  guint n_threads;
  DynoRandom random;
  gboolean is_prompt;

  /* Of a block. */
  DynoWorkerClient *client;
  DynoResult *result;
  GSubprocess *process;
  GDataInputStream *answers;
  double own; /* the median of Dyno's last turn, in ms */
} Bench;

static void
measured_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  Bench *self = data;
  GError *error = NULL;

  self->result = dyno_worker_client_measure_finish (DYNO_WORKER_CLIENT (object), result, &error);
  bench_use_no_error (error);
  g_main_loop_quit (self->loop);
}

static void
waits_cb (Bench *self, double sample_ms, double cold_ms, double median_ms)
{
  self->own = median_ms;
  g_main_loop_quit (self->loop);
}

static DynoCase *
create_case (Bench *self, const char *precision)
{
  DynoCase *kase = dyno_case_new (self->model, "llamacpp");
  g_autoptr (DynoMethod) method = dyno_method_new ();

  g_object_set (method, "idle-seconds", 0.0, "warmup-steps", 1, NULL);
  g_object_set (kase, "precision", precision, "threads", self->n_threads, "method", method, "sequence-length",
                self->is_prompt ? PROMPT : 1, "generate-tokens", self->is_prompt ? 0 : GENERATED, NULL);
  return kase;
}

/* Returns the file that the worker runs. */
static char *
prepare_file (DynoCase *kase)
{
  GError *error = NULL;
  g_autoptr (DynoModel) loaded = dyno_model_load (dyno_case_get_model (kase), &error);
  g_autoptr (DynoModel) model = NULL;
  char *path;

  bench_use_no_error (error);
  model = dyno_case_adapt_model (kase, loaded, &error);
  bench_use_no_error (error);
  path = dyno_backend_prepare (dyno_backend_lookup ("llamacpp", NULL), model, NULL, dyno_case_get_seed (kase),
                               &error);
  bench_use_no_error (error);
  return path;
}

static double
take_turn (Bench *self)
{
  dyno_worker_client_take_turn (self->client, 1);
  g_main_loop_run (self->loop);
  return self->own;
}

static double
take_turn_of_loop (Bench *self)
{
  GOutputStream *input = g_subprocess_get_stdin_pipe (self->process);
  g_autofree char *line = NULL;
  GError *error = NULL;

  g_output_stream_write_all (input, "1\n", 2, NULL, NULL, &error);
  bench_use_no_error (error);
  line = g_data_input_stream_read_line (self->answers, NULL, NULL, &error);
  bench_use_no_error (error);
  if (line == NULL)
    g_error ("%s ended", self->program);
  return g_ascii_strtod (line, NULL);
}

static void
open_sides (Bench *self, DynoCase *kase, const char *library, const char *path)
{
  g_autofree char *threads = g_strdup_printf ("%u", self->n_threads);
  g_autofree char *n = g_strdup_printf ("%u", self->is_prompt ? PROMPT : GENERATED);
  GError *error = NULL;

  self->process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, self->program,
                        library, path, threads, self->is_prompt ? "pp" : "tg", n, NULL);
  bench_use_no_error (error);
  self->answers = g_data_input_stream_new (g_subprocess_get_stdout_pipe (self->process));
  take_turn_of_loop (self); /* it has opened the file, and is warm */
  self->client = dyno_worker_client_new ();
  g_signal_connect_swapped (self->client, "waits", G_CALLBACK (waits_cb), self);
  dyno_worker_client_measure_in_turns_async (self->client, kase, 1, FALSE, NULL, measured_cb, self);
  g_main_loop_run (self->loop);
}

static void
close_sides (Bench *self)
{
  dyno_worker_client_end_turns (self->client);
  g_main_loop_run (self->loop);
  g_clear_object (&self->result);
  g_signal_handlers_disconnect_by_data (self->client, self);
  g_clear_object (&self->client);
  g_clear_object (&self->answers);
  g_output_stream_close (g_subprocess_get_stdin_pipe (self->process), NULL, NULL);
  g_subprocess_wait (self->process, NULL, NULL);
  g_clear_object (&self->process);
}

static double
get_median (double *values, guint n)
{
  dyno_stats_sort (values, n);
  return dyno_stats_percentile (values, n, 50);
}

static void
measure_block (Bench *self, DynoCase *kase, const char *library, const char *path, BenchPairs *pairs)
{
  g_autofree double *ratios = g_new (double, self->n_rounds);
  g_autofree double *times = g_new (double, self->n_rounds);
  double time;

  open_sides (self, kase, library, path);
  for (guint i = 0; i < self->n_rounds; i++)
    {
      gboolean loop_is_first = dyno_random_below (&self->random, 2) == 1;

      if (loop_is_first)
        times[i] = take_turn_of_loop (self);
      ratios[i] = take_turn (self);
      if (!loop_is_first)
        times[i] = take_turn_of_loop (self);
      ratios[i] /= times[i];
    }
  close_sides (self);
  time = get_median (times, self->n_rounds);
  bench_pairs_add (pairs, time * get_median (ratios, self->n_rounds), time);
}

static void
compare (Bench *self, const char *precision, gboolean is_prompt)
{
  g_autofree char *name = g_strdup_printf (is_prompt ? "llama.cpp %s, a prompt of %u tokens"
                                                     : "llama.cpp %s, %u tokens one by one",
                                           precision, is_prompt ? PROMPT : GENERATED);
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();
  g_autoptr (DynoCase) kase = NULL;
  g_autofree char *path = NULL;
  gpointer library;
  GError *error = NULL;

  self->is_prompt = is_prompt;
  kase = create_case (self, precision);
  path = prepare_file (kase);
  library = dyno_engine_library_find (DYNO_TYPE_LLAMA_LIBRARY, &error);
  bench_use_no_error (error);
  for (guint i = 0; i < self->n_blocks; i++)
    measure_block (self, kase, dyno_engine_library_get_path (library), path, pairs);
  bench_report_ratio (name, "ms", "a bare loop", pairs, BENCH_AT_MOST, LIMIT);
  bench_row_of_pairs (name, "within 2 % of a bare loop", "ms", "a bare loop", pairs);
}

static int
run_suite (int argc, char *argv[])
{
  static const char *const precisions[] = { "fp16", "q4_k_m" };
  Bench self = { .loop = g_main_loop_new (NULL, FALSE), .program = argc > 1 ? argv[1] : NULL };
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = dyno_scratch_new (NULL);

  bench_init ();
  if (self.program == NULL)
    bench_skip ("the program llama-loop is its first argument");
  if (dyno_engine_library_find (DYNO_TYPE_LLAMA_LIBRARY, &error) == NULL)
    bench_skip (error->message);
  g_setenv ("DYNO_CACHE_DIR", folder, TRUE);
  self.model = g_build_filename (folder, "llama.json", NULL);
  g_file_set_contents (self.model, config, -1, NULL);
  self.n_blocks = argc > 2 ? (guint)g_ascii_strtoull (argv[2], NULL, 10) : N_BLOCKS;
  self.n_rounds = argc > 3 ? (guint)g_ascii_strtoull (argv[3], NULL, 10) : N_ROUNDS;
  self.n_threads =
      argc > 4 ? (guint)g_ascii_strtoull (argv[4], NULL, 10) : MAX (g_get_num_processors (), 2) - 1;
  dyno_random_init (&self.random, 1);
  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    {
      compare (&self, precisions[i], TRUE);
      compare (&self, precisions[i], FALSE);
    }
  dyno_scratch_remove (folder);
  g_free (self.model);
  g_main_loop_unref (self.loop);
  return 0;
}

SUITE (run_suite)
