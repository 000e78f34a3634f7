/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* `benchmark_<model>_<time>.json` of the benchmark suite that Dyno replaces, in its first family of
 * formats: rows with `metrics` (A1), flat rows of its older runner (A2) and of the one before (A3), and the
 * same as a table (A-csv). Its memory is in MiB, whatever the names say. */

#define FORMER_SAMPLES                                                                                       \
  "one sample of twenty is polluted by what the suite did beside it, and its threads ran beside all"
#define FORMER_RATE      "it is of the mean latency, which is itself faulty"
#define FORMER_FLOPS     "the suite derived what follows from FLOPs wrongly"
#define FORMER_BANDWIDTH "the suite derived bandwidth wrongly"

static const struct
{
  const char *field;
  const char *name;
  const char *unit;
  const char *fault; /* its known fault */
} metrics[] = {
  { "latency_median_ms", "latency_p50_ms", "ms", NULL },
  { "latency_min_ms", "latency_min_ms", "ms", NULL },
  { "latency_p90_ms", "latency_p90_ms", "ms", NULL },
  { "latency_ms", "latency_mean_ms", "ms", FORMER_SAMPLES },
  { "inference_time_ms", "latency_mean_ms", "ms", FORMER_SAMPLES },
  { "latency_max_ms", "latency_max_ms", "ms", FORMER_SAMPLES },
  { "latency_std_ms", "latency_stddev_ms", "ms", FORMER_SAMPLES },
  { "latency_p95_ms", "latency_p95_ms", "ms", FORMER_SAMPLES },
  { "latency_p99_ms", "latency_p99_ms", "ms", FORMER_SAMPLES },
  { "throughput_items_per_sec", "throughput_items_per_sec", "1/s", FORMER_RATE },
  { "load_time_s", "load_time_ms", "s", NULL },
  { "memory_peak_mb", "memory_peak_mb", "MiB", NULL },
  { "flops", "flops", "FLOP", FORMER_FLOPS },
  { "flops_utilization_pct", "flops_utilization_percent", "%", FORMER_FLOPS },
  { "arithmetic_intensity_flops_per_byte", "arithmetic_intensity_flops_per_byte", "FLOP/B", FORMER_FLOPS },
  { "avg_bandwidth_gbps", "avg_bandwidth_gbps", "GB/s", FORMER_BANDWIDTH },
  { "peak_bandwidth_gbps", "peak_bandwidth_gbps", "GB/s", FORMER_BANDWIDTH },
};

/* Only if the suite found a sensor: without one it writes zeros. */
static const struct
{
  const char *field;
  const char *name;
  const char *unit;
  const char *fault;
} powers[] = {
  { "power_avg_watts", "power_avg_watts", "W", NULL },
  { "power_max_watts", "power_max_watts", "W", NULL },
  { "energy_joules", "energy_joules", "J", NULL },
  { "throughput_per_watt", "throughput_per_watt", "1/s/W", FORMER_RATE },
};

static void
add_metric (DynoImportBuilder *builder,
            DynoRecord *record,
            const char *field,
            const char *name,
            const char *unit,
            const char *fault)
{
  double number = dyno_record_get_amount (record, field);

  if (fault != NULL)
    dyno_import_builder_add_faulty (builder, name, number, unit, field, fault);
  else
    dyno_import_builder_add_value (builder, name, number, unit, field);
}

/* The input shape has the actual number of tokens, which may differ from the requested one. */
static guint
find_sequence (DynoRecord *row)
{
  g_autoptr (DynoRecord) shapes = dyno_record_new_part (row, "input_shape");
  gsize n = 0;
  g_autofree double *shape = shapes != NULL ? dyno_record_dup_amounts (shapes, "input_ids", &n) : NULL;
  guint asked = dyno_record_get_count (row, "sequence_length");

  return n == 2 && shape[1] >= 0 && shape[1] <= G_MAXINT ? (guint)shape[1] : asked;
}

static void
set_format (DynoImportBuilder *builder, DynoRecord *row, gboolean is_table)
{
  dyno_import_builder_set_tool (builder, "benchmark suite",
                                is_table                                     ? "format A-csv"
                                : dyno_record_has (row, "metrics")           ? "format A1"
                                : dyno_record_has (row, "inference_time_ms") ? "format A3"
                                                                             : "format A2");
}

/* @row describes the case, and @record holds its metrics; they may be the same record. */
static gboolean
read_row (DynoImportBuilder *builder,
          DynoRecord *row,
          DynoRecord *record,
          const char *model,
          const char *hardware,
          GError **error)
{
  const char *own_model = dyno_record_get_text (row, "model_id");
  const char *own_hardware = dyno_record_get_text (row, "hardware");
  const DynoImportCase kase = {
    .model = own_model != NULL ? own_model : model,
    .backend = "pytorch",
    .device = own_hardware != NULL ? own_hardware : hardware,
    .precision = dyno_import_words_find_precision (dyno_record_get_text (record, "dominant_precision")),
    .batch_size = dyno_record_get_count (row, "batch_size"),
    .sequence_length = find_sequence (row),
  };
  const char *failure = dyno_record_get_text (record, "error");

  if (kase.model == NULL)
    {
      dyno_import_file_set_error (error, dyno_record_get_line (row), _ ("The row does not name its model."));
      return FALSE;
    }
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_device (builder, dyno_record_get_text (record, "cuda_device_name"),
                                  g_strcmp0 (kase.device, "cpu") == 0 ? "cpu" : NULL);
  if (failure != NULL)
    dyno_import_builder_fail_case (builder, failure);

  g_autofree char *word = dyno_record_dup_word (record, "power_supported");
  gboolean has_power = dyno_import_words_is_true (word);

  for (guint i = 0; i < G_N_ELEMENTS (metrics); i++)
    add_metric (builder, record, metrics[i].field, metrics[i].name, metrics[i].unit, metrics[i].fault);
  dyno_import_builder_add_value (builder, "memory_growth_mb",
                                 dyno_record_get_number (record, "memory_usage_mb"), "MiB",
                                 "memory_usage_mb");
  for (guint i = 0; i < G_N_ELEMENTS (powers); i++)
    if (has_power)
      add_metric (builder, record, powers[i].field, powers[i].name, powers[i].unit, powers[i].fault);
    else
      dyno_record_skip (record, powers[i].field);
  dyno_import_builder_set_model (builder, dyno_record_get_text (record, "model_type"),
                                 dyno_record_get_amount (record, "total_parameters"));

  if (record != row)
    dyno_import_builder_take_rest (builder, "metrics", dyno_record_dup_rest (record));
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (row));
  return TRUE;
}

static gboolean
read_table (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoTable) table = dyno_table_new (file, ',', error);
  DynoRecord *next = NULL;

  while (table != NULL && dyno_table_next (table, &next, error))
    {
      g_autoptr (DynoRecord) row = next;

      if (row == NULL)
        return TRUE;
      set_format (builder, row, TRUE);
      dyno_import_builder_set_time (builder, dyno_record_get_time (row, "timestamp"));
      if (!read_row (builder, row, row, NULL, NULL, error) || !dyno_record_check (row, error))
        return FALSE;
    }
  return FALSE;
}

static gboolean
is_table (const char *head)
{
  return dyno_dialect_has_column (head, ',', "model_id") && dyno_dialect_has_column (head, ',', "hardware") &&
         dyno_dialect_has_column (head, ',', "batch_size");
}

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "hardware_tested", "batch_sizes", "results", NULL };

  return dyno_dialect_has_keys (head, keys) || is_table (head);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  if (is_table (dyno_import_file_get_head (file)))
    return read_table (file, builder, error);

  g_autoptr (DynoRecord) root = dyno_json_reader_read_record (file, error);
  g_autoptr (DynoRecord) results = root != NULL ? dyno_record_new_part (root, "results") : NULL;
  g_auto (GStrv) names = results != NULL ? dyno_record_list_names (results) : NULL;
  g_autoptr (DynoRecord) available = NULL;
  g_autoptr (DynoRecord) cpu = NULL;

  if (root == NULL)
    return FALSE;
  dyno_import_builder_set_time (builder, dyno_record_get_time (root, "timestamp"));
  available = dyno_record_new_part (root, "available_hardware");
  cpu = available != NULL ? dyno_record_new_part (available, "cpu_info") : NULL;
  if (cpu != NULL)
    dyno_import_builder_set_machine (builder, "cpu", "name", dyno_record_get_text (cpu, "brand"));
  if (available != NULL)
    dyno_import_builder_take_run_rest (builder, "available_hardware", dyno_record_dup_rest (available));
  for (char **name = names; name != NULL && *name != NULL; name++)
    {
      g_autoptr (DynoRecord) hardware = dyno_record_new_part (results, *name);

      if (hardware != NULL)
        {
          JsonArray *rows = dyno_record_get_array (hardware, "results");
          const char *model = dyno_record_get_text (root, "model");

          for (guint i = 0; rows != NULL && i < json_array_get_length (rows); i++)
            {
              g_autoptr (DynoRecord) row = dyno_record_new_element (hardware, rows, i);
              g_autoptr (DynoRecord) record = NULL;

              if (row == NULL)
                continue;
              set_format (builder, row, FALSE);
              record = dyno_record_new_part (row, "metrics");
              if (!read_row (builder, row, record != NULL ? record : row, model, *name, error))
                return FALSE;
            }
        }
    }
  dyno_import_builder_take_run_rest (builder, NULL, dyno_record_dup_rest (root));
  return dyno_record_check (root, error);
}

const DynoDialect dyno_benchmark_suite_a_dialect = {
  .name = "benchmark-suite-a",
  .title = "benchmark suite",
  .method = N_ ("It times twenty steps in one process, while threads of its own sample memory and power."),
  .recognise = recognise,
  .read = read_file,
};
