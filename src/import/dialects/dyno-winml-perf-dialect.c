/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-import-private.h"

/* `winml perf` of the Windows ML command line: an object with benchmark_info, latency_ms, throughput and
 * the latencies of all runs; or, for a model with several parts, an object `components` of such objects. */

static const DynoImportField latency_fields[] = {
  { "mean", "latency_mean_ms", "ms" },  { "p50", "latency_p50_ms", "ms" },
  { "std", "latency_stddev_ms", "ms" }, { "min", "latency_min_ms", "ms" },
  { "max", "latency_max_ms", "ms" },    { "p90", "latency_p90_ms", "ms" },
  { "p95", "latency_p95_ms", "ms" },    { "p99", "latency_p99_ms", "ms" },
};

/* The last ones are written even for few runs. If the file has the runs, the percentiles are computed from
 * these. */
#define N_PERCENTILES 3

static const DynoImportField throughput_fields[] = {
  { "samples_per_sec", "throughput_items_per_sec", "samples/s" },
  { "batches_per_sec", "throughput_batches_per_sec", "1/s" },
};

static void
add_part (DynoImportBuilder *builder,
          DynoRecord *record,
          const char *name,
          const DynoImportField *fields,
          gsize n_fields)
{
  g_autoptr (DynoRecord) part = dyno_record_new_part (record, name);

  if (part == NULL)
    return;
  dyno_import_builder_add_fields (builder, part, fields, n_fields);
  dyno_import_builder_take_rest (builder, name, dyno_record_dup_rest (part));
}

static gboolean
read_result (DynoImportBuilder *builder, DynoRecord *record, const char *component, GError **error)
{
  g_autoptr (DynoRecord) info = dyno_record_new_part (record, "benchmark_info");

  if (info == NULL)
    {
      dyno_import_file_set_error (error, dyno_record_get_line (record),
                                  _ ("A result needs a “benchmark_info”."));
      return FALSE;
    }
  dyno_import_builder_set_time (builder, dyno_record_get_time (info, "timestamp"));

  const char *model = dyno_record_get_text (info, "model_id");
  const char *provider = dyno_record_get_text (info, "ep");
  guint batch_size = dyno_record_get_count (info, "effective_batch_size");
  guint asked = dyno_record_get_count (info, "batch_size");
  const DynoImportCase kase = { .model = model != NULL ? model : "unknown",
                                .backend = provider != NULL ? provider : "winml",
                                .device = dyno_record_get_text (info, "device"),
                                .precision = dyno_record_get_text (info, "precision"),
                                .batch_size = batch_size > 0 ? batch_size : asked };

  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_add_option (builder, "component", component);
  dyno_import_builder_add_option (builder, "task", dyno_record_get_text (info, "task"));

  /* Statistics without a run are zeros. */
  gsize n;
  g_autofree double *samples = dyno_record_dup_amounts (record, "raw_samples_ms", &n);

  if (n == 0 && dyno_record_is_array (record, "raw_samples_ms"))
    dyno_import_builder_fail_case (builder, _ ("It has no runs that were timed."));
  else
    {
      dyno_import_builder_add_process (builder, samples, n, "ms", "raw_samples_ms");
      add_part (builder, record, "latency_ms", latency_fields,
                G_N_ELEMENTS (latency_fields) - (n > 0 ? N_PERCENTILES : 0));
      add_part (builder, record, "throughput", throughput_fields, G_N_ELEMENTS (throughput_fields));
    }

  dyno_import_builder_take_rest (builder, "benchmark_info", dyno_record_dup_rest (info));
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoRecord) record = dyno_json_reader_read_record (file, error);
  g_autoptr (DynoRecord) components = NULL;
  g_auto (GStrv) names = NULL;

  if (record == NULL)
    return FALSE;
  dyno_import_builder_set_tool (builder, "winml perf", NULL);
  if (!dyno_record_has (record, "components"))
    return read_result (builder, record, NULL, error);
  components = dyno_record_new_part (record, "components");
  names = components != NULL ? dyno_record_list_names (components) : NULL;
  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      g_autoptr (DynoRecord) component = dyno_record_new_part (components, *name);

      if (component != NULL && !read_result (builder, component, *name, error))
        return FALSE;
    }
  return dyno_record_check (record, error);
}

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "benchmark_info", "latency_ms", "throughput", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys);
}

const DynoDialect dyno_winml_perf_dialect = {
  .name = "winml-perf",
  .title = "winml perf",
  .method = N_ (
      "It times a fixed number of runs in one process after some for warming up, with inputs made at random; "
      "its throughput is the batch divided by the mean latency."),
  .recognise = recognise,
  .read = read_file,
};
