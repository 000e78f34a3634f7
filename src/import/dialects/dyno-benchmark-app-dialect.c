/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "dyno-dialect-registry.h"
#include "dyno-json-reader.h"
#include "dyno-result-samples.h"
#include "dyno-table.h"

/* OpenVINO’s benchmark_app: its report as JSON or as CSV of `label;value` in sections, and the counters of layers as CSV
 * or JSON. All times are in ms; the tool in Python writes numbers as text. What is called the median latency is the
 * percentile that was chosen. */

/* Labels of the CSV, by what JSON calls them. */
static const struct
{
  const char *label;
  const char *key;
} labels[] = {
  { "topology", "topology" },
  { "target device", "target_device" },
  { "precision", "precision" },
  { "batch size", "batch_size" },
  { "benchmark mode", "benchmark_mode" },
  { "number of parallel infer requests", "nireq" },
  { "read model time (ms)", "read_model_time" },
  { "read network time (ms)", "read_model_time" },
  { "load model time (ms)", "load_model_time" },
  { "load network time (ms)", "load_model_time" },
  { "import model time (ms)", "import_model_time" },
  { "first inference time (ms)", "first_inference_time" },
  { "total execution time (ms)", "execution_time" },
  { "total number of iterations", "iterations_num" },
  { "Median latency (ms)", "latency_median" },
  { "latency (ms)", "latency_median" },
  { "Percentile boundary", "percentile_boundary" },
  { "Average latency (ms)", "latency_avg" },
  { "Min latency (ms)", "latency_min" },
  { "Max latency (ms)", "latency_max" },
  { "throughput", "throughput" },
};

static const struct
{
  const char *key;
  const char *name;
  const char *unit;
} values[] = {
  { "latency_avg", "latency_mean_ms", "ms" },  { "latency_min", "latency_min_ms", "ms" },
  { "latency_max", "latency_max_ms", "ms" },   { "throughput", "throughput_items_per_sec", "FPS" },
  { "load_model_time", "load_time_ms", "ms" }, { "import_model_time", "load_time_ms", "ms" },
  { "read_model_time", "load_read_ms", "ms" }, { "first_inference_time", "first_run_ms", "ms" },
  { "iterations_num", "latency_samples", "" },
};

static void
add_percentile (DynoImportBuilder *builder, DynoRecord *record)
{
  double boundary = dyno_record_get_amount (record, "percentile_boundary");
  double latency = dyno_record_get_amount (record, "latency_median");
  g_autofree char *name = g_strdup_printf ("latency_p%.0f_ms", isfinite (boundary) ? boundary : 50);

  if (dyno_result_get_percentile (name) > 0)
    dyno_import_builder_add_value (builder, name, latency, "ms",
                                   "latency_median, the percentile that was chosen");
}

static char *
dup_precision (DynoRecord *record)
{
  static const struct
  {
    const char *type;
    const char *precision;
  } precisions[] = { { "FP32", "fp32" }, { "F32", "fp32" },  { "FP16", "fp16" },
                     { "F16", "fp16" },  { "BF16", "bf16" }, { "INT8", "int8" } };
  const char *type = dyno_record_get_text (record, "precision");

  for (guint i = 0; i < G_N_ELEMENTS (precisions); i++)
    if (type != NULL && g_ascii_strcasecmp (precisions[i].type, type) == 0)
      return g_strdup (precisions[i].precision);
  return NULL;
}

static void
set_tool (DynoImportBuilder *builder)
{
  dyno_import_builder_set_tool (builder, "benchmark_app", NULL);
}

/* @setup and @results may be the same record. */
static gboolean
read_report (DynoImportFile *file,
             DynoImportBuilder *builder,
             DynoRecord *options,
             DynoRecord *setup,
             DynoRecord *results,
             GError **error)
{
  g_autofree char *stem = dyno_import_file_dup_stem (file);
  g_autofree char *precision = dup_precision (setup);
  g_autofree char *requests = dyno_record_dup_word (setup, "nireq");
  const char *model = dyno_record_get_text (setup, "topology");
  const char *device = dyno_record_get_text (setup, "target_device");
  const DynoImportCase kase = {
    .model = model != NULL ? model : stem,
    .backend = "openvino",
    .device = device,
    .precision = precision,
    .batch_size = dyno_record_get_count (setup, "batch_size"),
  };

  set_tool (builder);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_device (builder, device, g_strcmp0 (device, "CPU") == 0 ? "cpu" : NULL);
  dyno_import_builder_add_option (builder, "nireq", requests);
  if (options != NULL)
    dyno_import_builder_add_option (builder, "hint", dyno_record_get_text (options, "hint"));
  add_percentile (builder, results);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    dyno_import_builder_add_value (builder, values[i].name, dyno_record_get_amount (results, values[i].key),
                                   values[i].unit, values[i].key);
  if (dyno_record_has (results, "error"))
    dyno_import_builder_fail_case (builder, dyno_record_get_text (results, "error"));
  if (options != NULL)
    dyno_import_builder_take_rest (builder, "cmd_options", dyno_record_dup_rest (options));
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (setup));
  if (results != setup)
    dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (results));
  return TRUE;
}

static gboolean
read_json_report (DynoImportFile *file, DynoImportBuilder *builder, DynoRecord *root, GError **error)
{
  g_autoptr (DynoRecord) options = dyno_record_new_part (root, "cmd_options");
  g_autoptr (DynoRecord) setup = dyno_record_new_part (root, "configuration_setup");
  g_autoptr (DynoRecord) results = dyno_record_new_part (root, "execution_results");

  if (setup != NULL && results != NULL)
    return read_report (file, builder, options, setup, results, error);
  dyno_import_file_set_error (error, dyno_record_get_line (root), _ ("The report has no results."));
  return FALSE;
}

/* Layers */

static void
take_layer (DynoImportBuilder *builder,
            const char *name,
            const char *type,
            const char *how,
            const char *status,
            double milliseconds)
{
  DynoOperator *op;

  if (name == NULL || type == NULL || !(milliseconds >= 0) || milliseconds > 1e6 ||
      g_strcmp0 (name, "Total") == 0)
    return;
  op = dyno_operator_new (name, type, how);
  dyno_operator_set_calls (op, status != NULL && strstr (status, "NOT_RUN") != NULL ? 0 : 1);
  dyno_operator_set_time_ns (op, (gint64)(milliseconds * 1e6));
  dyno_import_builder_take_operator (builder, op);
}

static gboolean
begin_layers (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autofree char *stem = dyno_import_file_dup_stem (file);
  const DynoImportCase kase = { .model = stem, .backend = "openvino" };

  set_tool (builder);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_add_diagnostic (
      builder, DYNO_SEVERITY_INFO, "model-unknown",
      _ ("The file does not name the model, so the case is named after the file."));
  return TRUE;
}

static gboolean
read_layer_rows (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoTable) table = dyno_table_new (file, ';', error);
  DynoRecord *next = NULL;

  if (table == NULL || !begin_layers (file, builder, error))
    return FALSE;
  while (dyno_table_next (table, &next, error))
    {
      g_autoptr (DynoRecord) row = next;
      g_autofree char *name = NULL;

      if (row == NULL)
        return TRUE;
      name = dyno_record_dup_word (row, "layerName");
      if (g_strcmp0 (name, "Total") == 0)
        continue;
      take_layer (builder, name, dyno_record_get_text (row, "layerType"),
                  dyno_record_get_text (row, "execType"), dyno_record_get_text (row, "execStatus"),
                  dyno_record_get_amount (row, "realTime (ms)"));
      if (!dyno_record_check (row, error))
        return FALSE;
    }
  return FALSE;
}

static gboolean
read_layer_nodes (DynoImportFile *file, DynoImportBuilder *builder, DynoRecord *root, GError **error)
{
  const char *kind = dyno_record_has (root, "avg_performance") ? "avg_performance" : "detailed_performance";
  g_autoptr (DynoRecord) performance =
      dyno_record_is_array (root, kind)
          ? dyno_record_new_element (root, dyno_record_get_array (root, kind), 0)
          : dyno_record_new_part (root, kind);
  JsonArray *nodes = performance != NULL ? dyno_record_get_array (performance, "nodes") : NULL;

  if (!begin_layers (file, builder, error))
    return FALSE;
  for (guint i = 0; nodes != NULL && i < json_array_get_length (nodes); i++)
    {
      g_autoptr (DynoRecord) node = dyno_record_new_element (performance, nodes, i);

      if (node != NULL)
        take_layer (builder, dyno_record_get_text (node, "name"), dyno_record_get_text (node, "node_type"),
                    dyno_record_get_text (node, "exec_type"), dyno_record_get_text (node, "status"),
                    dyno_record_get_amount (node, "real_time"));
    }
  return TRUE;
}

/* The report as CSV */

static const char *
find_key (const char *label)
{
  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    if (strcmp (labels[i].label, label) == 0)
      return labels[i].key;
  return label;
}

/* “latency (90 percentile) (ms)” */
static void
take_pair (DynoRecord *record, guint line, const char *label, const char *value)
{
  guint boundary = 0;

  if (sscanf (label, "latency (%u percentile) (ms)", &boundary) == 1)
    {
      dyno_record_take_text_at (record, line, "percentile_boundary", g_strdup_printf ("%u", boundary));
      label = "latency (ms)";
    }
  dyno_record_take_text_at (record, line, find_key (label), g_strdup (value));
}

static gboolean
read_sections (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoRecord) record = dyno_record_new (1);
  g_autoptr (GError) local_error = NULL;
  gboolean is_results = FALSE;
  GPtrArray *next;
  guint line;

  while ((next = dyno_table_read_row (file, ';', &line, &local_error)) != NULL)
    {
      g_autoptr (GPtrArray) cells = next;

      is_results = is_results || strcmp (cells->pdata[0], "Configuration setup") == 0 ||
                   strcmp (cells->pdata[0], "Execution results") == 0;
      if (cells->len == 2 && is_results)
        take_pair (record, line, g_strstrip (cells->pdata[0]), g_strstrip (cells->pdata[1]));
    }
  if (local_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&local_error));
      return FALSE;
    }
  return read_report (file, builder, NULL, record, record, error) && dyno_record_check (record, error);
}

/* The dialect */

static gboolean
is_sections (const char *head)
{
  return dyno_dialect_begins_with (head, "Command line parameters") &&
         strstr (head, "Execution results") != NULL;
}

static gboolean
is_layers (const char *head)
{
  return dyno_dialect_has_column (head, ';', "layerName") &&
         dyno_dialect_has_column (head, ';', "realTime (ms)");
}

static gboolean
recognise (const char *head)
{
  static const char *const report[] = { "configuration_setup", "execution_results", NULL };

  return is_sections (head) || is_layers (head) || dyno_dialect_has_keys (head, report) ||
         (dyno_dialect_begins_with (head, "{") && dyno_dialect_has_key (head, "report_type") &&
          (dyno_dialect_has_key (head, "avg_performance") ||
           dyno_dialect_has_key (head, "detailed_performance")));
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  const char *head = dyno_import_file_get_head (file);
  g_autoptr (DynoRecord) root = NULL;

  if (is_sections (head))
    return read_sections (file, builder, error);
  if (is_layers (head))
    return read_layer_rows (file, builder, error);
  root = dyno_json_reader_read_record (file, error);
  if (root == NULL)
    return FALSE;
  return (dyno_record_has (root, "report_type") ? read_layer_nodes (file, builder, root, error)
                                                : read_json_report (file, builder, root, error)) &&
         dyno_record_check (root, error);
}

const DynoDialect dyno_benchmark_app_dialect = {
  .name = "benchmark-app",
  .title = "benchmark_app of OpenVINO",
  .method = N_ ("It keeps several requests in flight unless told otherwise, in one process and after a "
                "single request for "
                "warming up; a latency holds the time that a request waits for others."),
  .recognise = recognise,
  .read = read_file,
};
