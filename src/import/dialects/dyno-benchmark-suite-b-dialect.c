/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-import-private.h"

/* `<model>_<device>_<precision>_<time>.json` of the benchmark suite that Dyno replaces, in its second format: the samples of
 * each batch and length, and how the model was loaded. */

static const DynoImportField metrics[] = {
  { "latency_mean_ms", "latency_mean_ms", "ms" },
  { "latency_std_ms", "latency_stddev_ms", "ms" },
  { "latency_median_ms", "latency_p50_ms", "ms" },
  { "latency_90p_ms", "latency_p90_ms", "ms" },
  { "latency_min_ms", "latency_min_ms", "ms" },
  { "latency_max_ms", "latency_max_ms", "ms" },
  { "first_token_latency_ms", "first_token_latency_ms", "ms" },
  { "throughput_samples_per_sec", "throughput_items_per_sec", "1/s" },
  { "peak_memory_mb", "memory_peak_mb", "MiB" },
};

static gboolean
read_batch (DynoImportBuilder *builder, DynoRecord *root, DynoRecord *batch, GError **error)
{
  const char *failure = dyno_record_get_text (batch, "error");
  const char *model = dyno_record_get_text (root, "model_id");
  g_autoptr (DynoRecord) load = dyno_record_new_part (root, "load_results");
  gsize n = 0;
  g_autofree double *samples = dyno_record_dup_amounts (batch, "latency_ms", &n);
  const DynoImportCase kase = {
    .model = model != NULL ? model : "unknown",
    .backend = "pytorch",
    .device = dyno_record_get_text (root, "device"),
    .precision = dyno_record_get_text (root, "precision"),
    .batch_size = dyno_record_get_count (batch, "batch_size"),
    .sequence_length = dyno_record_get_count (batch, "sequence_length"),
  };

  dyno_import_builder_set_tool (builder, "benchmark suite", "format B");
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_device (builder, NULL, g_strcmp0 (kase.device, "cpu") == 0 ? "cpu" : NULL);
  if (failure != NULL)
    dyno_import_builder_fail_case (builder, failure);
  dyno_import_builder_add_process (builder, samples, n, "ms", "latency_ms");
  dyno_import_builder_add_amounts (builder, batch, metrics, G_N_ELEMENTS (metrics));
  dyno_import_builder_add_value (builder, "memory_growth_mb",
                                 dyno_record_get_number (batch, "memory_usage_mb"), "MiB", "memory_usage_mb");
  if (load != NULL)
    dyno_import_builder_add_value (builder, "load_time_ms",
                                   dyno_record_get_amount (load, "load_time_seconds"), "s",
                                   "load_results.load_time_seconds");
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (batch));
  return TRUE;
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoRecord) root = dyno_json_reader_read_record (file, error);
  g_autoptr (DynoRecord) batches = root != NULL ? dyno_record_new_part (root, "batch_results") : NULL;
  g_auto (GStrv) names = batches != NULL ? dyno_record_list_names (batches) : NULL;

  if (root == NULL)
    return FALSE;
  dyno_import_builder_set_time (builder, dyno_record_get_time (root, "timestamp"));
  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      g_autoptr (DynoRecord) batch = dyno_record_new_part (batches, *name);

      if (batch != NULL && !read_batch (builder, root, batch, error))
        return FALSE;
    }
  dyno_import_builder_take_run_rest (builder, NULL, dyno_record_dup_rest (root));
  return dyno_record_check (root, error);
}

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "model_id", "batch_results", "load_results", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys);
}

const DynoDialect dyno_benchmark_suite_b_dialect = {
  .name = "benchmark-suite-b",
  .title = "benchmark suite",
  .method = N_ ("It times the steps of each batch and length one after another in one process."),
  .recognise = recognise,
  .read = read_file,
};
