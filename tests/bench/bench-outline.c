/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "bench.h"
#include "dyno-architecture.h"
#include "suite.h"

/* How fast a model of many equal parts is counted: in an outline, beside its whole graph. */

#define N_ROUNDS 7

/* 94 layers of 128 experts: the sizes of Qwen3-235B-A22B. */
static const char mixture[] =
    "{\"model_type\": \"qwen3_moe\", \"vocab_size\": 151936, \"hidden_size\": 4096, \"head_dim\": 128, "
    "\"num_hidden_layers\": 94, \"num_attention_heads\": 64, \"num_key_value_heads\": 4, "
    "\"intermediate_size\": 12288, \"moe_intermediate_size\": 1536, \"num_experts\": 128, "
    "\"num_experts_per_tok\": 8, \"norm_topk_prob\": true, \"max_position_embeddings\": 40960}";

/* 62 layers, five with a window and one without in turn: the sizes of Gemma 3 27B. */
static const char alternating[] =
    "{\"model_type\": \"gemma3_text\", \"vocab_size\": 262208, \"hidden_size\": 5376, \"head_dim\": 128, "
    "\"num_hidden_layers\": 62, \"num_attention_heads\": 32, \"num_key_value_heads\": 16, "
    "\"intermediate_size\": 21504, \"sliding_window\": 1024, \"sliding_window_pattern\": 6, "
    "\"max_position_embeddings\": 131072}";

static double
count (JsonObject *object, gboolean is_outline)
{
  g_autoptr (DynoConfig) read = dyno_config_new (object);
  gint64 start = g_get_monotonic_time ();
  g_autoptr (GPtrArray) graphs = NULL;
  GError *error = NULL;
  gint64 planned;

  graphs = dyno_architecture_build (dyno_architecture_find (read, NULL), read, NULL, "fp32", NULL, FALSE, 1,
                                    is_outline, &error);
  if (graphs == NULL)
    g_error ("%s", error->message);
  dyno_graph_get_peak_bytes (graphs->pdata[0], &planned);
  g_clear_pointer (&graphs, g_ptr_array_unref);
  return (double)(g_get_monotonic_time () - start) / 1e3;
}

static double
count_outline (gpointer object)
{
  return count (object, TRUE);
}

static double
count_whole (gpointer object)
{
  return count (object, FALSE);
}

static void
compare (const char *name, const char *config, double limit)
{
  g_autoptr (JsonNode) node = json_from_string (config, NULL);
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  bench_pairs_run (pairs, N_ROUNDS, count_outline, count_whole, json_node_get_object (node));
  bench_report_ratio (name, "ms", "building the whole graph", pairs, BENCH_AT_MOST, limit);
}

static int
run_suite (int argc, char *argv[])
{
  bench_init ();
  compare ("counting 94 layers of 128 experts", mixture, 0.01);
  compare ("counting 62 layers, every sixth without a window", alternating, 0.5);
  return 0;
}

SUITE (run_suite)
