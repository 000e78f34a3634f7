/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-import-private.h"

/* The remaining formats of the benchmark suite that Dyno replaces: results of its third runner
 * (`benchmarks` by names, each with metrics), the input of its converter (one object, or `results`), and
 * the metadata of its model cards (`benchmarks` as a list). Times are in ms and memory in MiB. */

static const DynoImportField metrics[] = {
  { "latency_avg", "latency_mean_ms", "ms" },
  { "latency", "latency_mean_ms", "ms" },
  { "latency_ms", "latency_mean_ms", "ms" },
  { "inference_time_ms", "latency_mean_ms", "ms" },
  { "latency_p90", "latency_p90_ms", "ms" },
  { "latency_p95", "latency_p95_ms", "ms" },
  { "latency_p99", "latency_p99_ms", "ms" },
  { "throughput", "throughput_items_per_sec", "1/s" },
  { "throughput_items_per_sec", "throughput_items_per_sec", "1/s" },
  { "memory_peak", "memory_peak_mb", "MiB" },
  { "memory", "memory_peak_mb", "MiB" },
};

/* @row describes the case, and @record holds its metrics; they may be the same record. */
static gboolean
read_row (DynoImportBuilder *builder,
          DynoRecord *row,
          DynoRecord *record,
          const char *name,
          const char *format,
          GError **error)
{
  const char *model = dyno_record_get_text (row, "model");
  const char *device = dyno_record_get_text (row, "device");
  const char *hardware = dyno_record_get_text (row, "hardware");
  const DynoImportCase kase = {
    .model = model != NULL ? model : name,
    .backend = "pytorch",
    .device = device != NULL ? device : hardware,
    .precision = dyno_record_get_text (row, "precision"),
    .batch_size = dyno_record_get_count (row, "batch_size"),
    .sequence_length = dyno_record_get_count (row, "sequence_length"),
  };

  if (kase.model == NULL)
    {
      dyno_import_file_set_error (error, dyno_record_get_line (row),
                                  _ ("The result does not name its model."));
      return FALSE;
    }
  dyno_import_builder_set_tool (builder, "benchmark suite", format);
  dyno_import_builder_set_time (builder, dyno_record_get_time (row, "timestamp"));
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;

  /* The runner allows any metrics: those that are not numbers stay in the rest. */
  dyno_import_builder_add_amounts (builder, record, metrics, G_N_ELEMENTS (metrics));
  dyno_import_builder_add_value (builder, "memory_growth_mb",
                                 dyno_record_get_number (record, "memory_usage_mb"), "MiB",
                                 "memory_usage_mb");
  return TRUE;
}

static gboolean
read_list (DynoImportBuilder *builder,
           DynoRecord *root,
           JsonArray *rows,
           const char *name,
           const char *format,
           GError **error)
{
  for (guint i = 0; i < json_array_get_length (rows); i++)
    {
      g_autoptr (DynoRecord) row = dyno_record_new_element (root, rows, i);

      if (row == NULL)
        continue;
      if (!read_row (builder, row, row, name, format, error))
        return FALSE;
      dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (row));
    }
  return TRUE;
}

static gboolean
read_root (DynoImportFile *file, DynoImportBuilder *builder, DynoRecord *root, GError **error)
{
  g_autofree char *stem = dyno_import_file_dup_stem (file);

  if (dyno_record_has (root, "results"))
    {
      JsonArray *rows = dyno_record_get_array (root, "results");

      return rows == NULL || read_list (builder, root, rows, NULL, "format C, converter", error);
    }
  if (dyno_record_is_array (root, "benchmarks"))
    return read_list (builder, root, dyno_record_get_array (root, "benchmarks"), stem, "model card", error);
  if (dyno_record_has (root, "benchmarks"))
    {
      g_autoptr (DynoRecord) benchmarks = dyno_record_new_part (root, "benchmarks");
      g_auto (GStrv) names = benchmarks != NULL ? dyno_record_list_names (benchmarks) : NULL;

      for (char **name = names; name != NULL && *name != NULL; name++)
        {
          g_autoptr (DynoRecord) benchmark = dyno_record_new_part (benchmarks, *name);

          if (benchmark != NULL)
            {
              g_autoptr (DynoRecord) params = dyno_record_new_part (benchmark, "params");
              g_autoptr (DynoRecord) record = dyno_record_new_part (benchmark, "metrics");
              const char *failure = dyno_record_get_text (benchmark, "error");
              DynoRecord *row = params != NULL ? params : benchmark;

              if (!read_row (builder, row, record != NULL ? record : row, *name, "format C", error))
                return FALSE;
              if (failure != NULL)
                dyno_import_builder_fail_case (builder, failure);
              if (record != NULL)
                dyno_import_builder_take_rest (builder, "metrics", dyno_record_dup_rest (record));
              if (params != NULL)
                dyno_import_builder_take_rest (builder, "params", dyno_record_dup_rest (params));
              dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (benchmark));
            }
        }
      return TRUE;
    }
  return read_row (builder, root, root, NULL, "format C, converter", error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoRecord) root = dyno_json_reader_read_record (file, error);

  if (root == NULL)
    return FALSE;
  dyno_import_builder_set_time (builder, dyno_record_get_time (root, "timestamp"));
  if (!read_root (file, builder, root, error))
    return FALSE;
  dyno_import_builder_take_run_rest (builder, NULL, dyno_record_dup_rest (root));
  return dyno_record_check (root, error);
}

/* Without a GPU, the card has no speedup. */
static gboolean
recognise (const char *head)
{
  static const char *const runner[] = { "benchmarks", "benchmarks_count", "failure_count", NULL };
  static const char *const card[] = { "benchmarks", "hardware", "inference_time_ms", NULL };
  static const char *const converter[] = { "model", "hardware", "batch_size", NULL };
  static const char *const latencies[] = { "latency_avg", "latency", NULL };
  static const char *const others[] = { "throughput", "latency_p90", "latency_p95", "latency_p99", NULL };
  gboolean has_latency = FALSE, has_other = FALSE;

  /* In the converter’s files the latency has one of two names, and any other field may be missing. */
  for (const char *const *key = latencies; *key != NULL; key++)
    has_latency = has_latency || dyno_dialect_has_key (head, *key);
  for (const char *const *key = others; *key != NULL; key++)
    has_other = has_other || dyno_dialect_has_key (head, *key);
  return dyno_dialect_begins_with (head, "{") &&
         (dyno_dialect_has_keys (head, runner) ||
          (has_latency && has_other && dyno_dialect_has_keys (head, converter)) ||
          (dyno_dialect_has_keys (head, card) && !dyno_dialect_has_key (head, "results")));
}

const DynoDialect dyno_benchmark_suite_c_dialect = {
  .name = "benchmark-suite-c",
  .title = "benchmark suite",
  .method = N_ ("The file does not tell how often and in how many processes it measured."),
  .recognise = recognise,
  .read = read_file,
};
