/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-import-private.h"

/* `python -m sglang.bench_one_batch`: JSON Lines, one for each batch and pair of lengths, times in s. It
 * runs without a server; the file has neither the model nor the version. */
static const DynoImportField values[] = {
  { "total_latency", "latency_mean_ms", "s", "total_latency, of a single repetition" },
  { "prefill_latency", "first_token_latency_ms", "s", "prefill_latency, of a single repetition" },
  { "prefill_throughput", "prefill_tokens_per_sec", "tokens/s" },
  { "median_decode_latency", "inter_token_latency_ms", "s" },
  { "median_decode_throughput", "decode_tokens_per_sec", "tokens/s",
    "median_decode_throughput, of all sequences" },
  { "overall_throughput", "throughput_tokens_per_sec", "tokens/s",
    "overall_throughput, prompts and generated tokens" },
};

static gboolean
read_batch (DynoRecord *record, gpointer data, GError **error)
{
  DynoImportBuilder *builder = data;
  const DynoImportCase kase = {
    .backend = "sglang",
    .batch_size = dyno_record_get_count (record, "batch_size"),
    .sequence_length = dyno_record_get_count (record, "input_len"),
    .generate_tokens = dyno_record_get_count (record, "output_len"),
  };

  dyno_import_builder_set_tool (builder, "sglang.bench_one_batch", NULL);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_numbering (builder, "run");
  dyno_import_builder_add_amounts (builder, record, values, G_N_ELEMENTS (values));
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  return dyno_json_reader_read_lines (file, read_batch, builder, error);
}

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "batch_size", "prefill_latency", "prefill_throughput",
                                      "overall_throughput", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys);
}

const DynoDialect dyno_sglang_bench_one_batch_dialect = {
  .name = "sglang-bench-one-batch",
  .title = "sglang.bench_one_batch",
  .method = N_ ("It measures each batch once, in one process without a server, after one that warms up."),
  .recognise = recognise,
  .read = read_file,
};
