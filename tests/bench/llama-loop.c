/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <dlfcn.h>
#include <stdio.h>

#include "dyno-clock.h"
#include "dyno-llamacpp-private.h"
#include "dyno-stats.h"

/* How to time llama.cpp by hand, as llama-bench does it: a prompt of N tokens on an empty cache (pp), or N tokens one by
 * one after it was emptied (tg), with two reads of the clock around each call and nothing else. Each line on its standard
 * input is a turn: a number of such runs, after one that is not counted. The answer is the median of their times, in ms.
 *
 * llama-loop LIBRARY MODEL THREADS pp|tg N */

typedef struct
{
  LlamaApi api;
  LlamaContext *context;
  LlamaMemory *memory;
  LlamaBatch batch;
  guint n_words;
  guint64 random;
} Loop;

#define FUNCTION(result, name, arguments) { #name, G_STRUCT_OFFSET (LlamaApi, name) },

/* The library reports each tensor otherwise. */
static void
ignore_cb (LlamaLogLevel level, const char *text, void *data)
{
}

static void
open_library (Loop *self, const char *path)
{
  static const struct
  {
    const char *symbol;
    glong offset;
  } functions[] = { LLAMA_FUNCTIONS (FUNCTION) };
  g_autofree char *folder = g_path_get_dirname (path);
  void *handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);

  if (handle == NULL)
    g_error ("%s", dlerror ());
  for (guint i = 0; i < G_N_ELEMENTS (functions); i++)
    G_STRUCT_MEMBER (void *, &self->api, functions[i].offset) = dlsym (handle, functions[i].symbol);
  self->api.llama_log_set (ignore_cb, NULL);
  self->api.ggml_backend_load_all_from_path (folder);
  self->api.llama_backend_init ();
}

static void
open_model (Loop *self, const char *path, int threads, guint n_tokens)
{
  LlamaModelParams of_model = self->api.llama_model_default_params ();
  LlamaContextParams params = self->api.llama_context_default_params ();
  LlamaModel *model;

  of_model.n_gpu_layers = 0;
  model = self->api.llama_model_load_from_file (path, of_model);
  if (model == NULL)
    g_error ("%s cannot be loaded", path);
  params.n_ctx = (n_tokens + 255) / 256 * 256;
  params.n_batch = params.n_ctx;
  params.n_threads = params.n_threads_batch = threads;
  params.swa_full = false;
  self->context = self->api.llama_init_from_model (model, params);
  if (self->context == NULL)
    g_error ("no context for %s", path);
  self->memory = self->api.llama_get_memory (self->context);
  self->n_words = (guint)self->api.llama_vocab_n_tokens (self->api.llama_model_get_vocab (model));
}

/* Only the last token of a batch without such a list is scored. */
static void
decode (Loop *self, guint n_tokens)
{
  self->batch.n_tokens = (gint32)n_tokens;
  for (guint i = 0; i < n_tokens; i++)
    {
      self->random = self->random * G_GUINT64_CONSTANT (6364136223846793005) + 1442695040888963407;
      self->batch.tokens[i] = (gint32)((self->random >> 33) % self->n_words);
    }
  if (self->api.llama_decode (self->context, self->batch) != 0)
    g_error ("llama_decode failed");
  self->api.llama_synchronize (self->context);
}

static void
forget (Loop *self)
{
  self->api.llama_memory_seq_rm (self->memory, -1, 0, -1);
}

/* Returns the time of a prompt, or of all tokens, in ms. */
static double
time_once (Loop *self, gboolean is_prompt, guint n)
{
  gint64 total = 0;

  forget (self);
  for (guint i = 0; i < (is_prompt ? 1 : n); i++)
    {
      gint64 start = dyno_clock_now_ns ();

      decode (self, is_prompt ? n : 1);
      total += dyno_clock_now_ns () - start;
    }
  return (double)total / 1e6;
}

int
main (int argc, char *argv[])
{
  Loop self = { .random = 1 };
  gboolean is_prompt = argc > 4 && g_str_equal (argv[4], "pp");
  guint n = argc == 6 ? (guint)g_ascii_strtoull (argv[5], NULL, 10) : 0;
  char line[16];

  if (n == 0)
    {
      g_printerr ("llama-loop LIBRARY MODEL THREADS pp|tg N\n");
      return 2;
    }
  open_library (&self, argv[1]);
  open_model (&self, argv[2], (int)g_ascii_strtoull (argv[3], NULL, 10), n);
  self.batch.tokens = g_new0 (gint32, n);
  while (fgets (line, sizeof line, stdin) != NULL)
    {
      guint n_runs = (guint)g_ascii_strtoull (line, NULL, 10);
      g_autofree double *times = g_new (double, MAX (n_runs, 1));

      for (guint i = 0; i <= n_runs; i++)
        times[i > 0 ? i - 1 : 0] = time_once (&self, is_prompt, n);
      dyno_stats_sort (times, n_runs);
      g_print ("%.6f\n", dyno_stats_percentile (times, n_runs, 50));
      fflush (stdout);
    }
  return 0;
}
