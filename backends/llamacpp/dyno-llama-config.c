/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-llamacpp-private.h"
#include "dyno-topology.h"

#define MAX_BATCH 65536

/* llama.cpp rounds the room of each item up to a multiple of this. */
#define POSITION_STEP 256

static const char *const load_modes[] = { "auto", "none", "mmap", "mlock", "mmap+mlock", "dio", NULL };
static const char *const attentions[] = { "auto", "on", "off", NULL };
static const char *const cache_types[] = { "f16",  "f32",  "bf16", "q8_0",   "q5_1",
                                           "q5_0", "q4_1", "q4_0", "iq4_nl", NULL };

/* The numbers that llama.cpp gives to these. */
static const int load_mode_numbers[] = { -1, 0, 1, 2, 3, 4 };
static const int attention_numbers[] = { -1, 1, 0 };
static const int cache_type_numbers[] = { 1, 0, 30, 8, 7, 6, 3, 2, 20 };

static const DynoBackendOption all_options[] = {
  { "load-mode", N_ ("How the weights come into memory, as llama-bench names it."), load_modes },
  { "flash-attn", N_ ("Whether attention is computed in one operator; by default llama.cpp decides."),
    attentions },
  { "cache-type-k", N_ ("The type of the keys in the cache."), cache_types },
  { "cache-type-v", N_ ("The type of the values in the cache; smaller ones need flash attention."),
    cache_types },
  { "ubatch-size", N_ ("Tokens of a prompt that are computed at once (512)."), NULL, 1, MAX_BATCH },
  { NULL },
};

const DynoBackendOption *
dyno_llama_config_get_options (void)
{
  return all_options;
}

static int
find_number (const DynoSessionOptions *options,
             const char *name,
             const char *const *values,
             const int *numbers)
{
  const char *value = dyno_session_options_get (options, name);

  for (guint i = 0; value != NULL && values[i] != NULL; i++)
    if (g_str_equal (values[i], value))
      return numbers[i];
  return numbers[0];
}

void
dyno_llama_config_set_model (const DynoSessionOptions *options, LlamaModelParams *params)
{
  params->load_mode = find_number (options, "load-mode", load_modes, load_mode_numbers);
}

void
dyno_llama_config_set_context (const DynoSessionOptions *options, LlamaContextParams *params)
{
  /* llama.cpp itself takes four threads wherever it is; its programs take one for each core. */
  guint threads = options->threads > 0 ? options->threads : dyno_topology_count_own_cores ();
  const char *micro_batch = dyno_session_options_get (options, "ubatch-size");

  params->n_threads = (gint32)threads;
  params->n_threads_batch = (gint32)threads;
  params->flash_attention = find_number (options, "flash-attn", attentions, attention_numbers);
  params->type_k = find_number (options, "cache-type-k", cache_types, cache_type_numbers);
  params->type_v = find_number (options, "cache-type-v", cache_types, cache_type_numbers);
  if (micro_batch != NULL)
    params->n_ubatch = (guint32)g_ascii_strtoull (micro_batch, NULL, 10);
  /* As in llama-bench: layers with a window keep no more than it. */
  params->swa_full = false;
}

guint
dyno_llama_config_round_positions (guint n_positions)
{
  return (n_positions + POSITION_STEP - 1) / POSITION_STEP * POSITION_STEP;
}
