/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect-registry.h"
#include "dyno-json-reader.h"

/* trtexec of TensorRT: the times of all queries (`--exportTimes`), the layers (`--exportProfile`), or what it prints, of
 * which the performance summary counts. Since version 11 latency is without transfers by default, so the version is part
 * of the case. */

static gboolean
begin_unnamed_case (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autofree char *stem = dyno_import_file_dup_stem (file);
  const DynoImportCase kase = { .model = stem, .backend = "tensorrt" };

  dyno_import_builder_set_tool (builder, "trtexec", NULL);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_add_diagnostic (
      builder, DYNO_SEVERITY_INFO, "model-unknown",
      _ ("The file does not name the model, so the case is named after the file."));
  return TRUE;
}

/* Times */

typedef struct
{
  const char *field;
  const char *name; /* of their mean; none for the latency itself */
  GArray *values;
} Series;

static void
append (Series *series, DynoRecord *record)
{
  double number = dyno_record_get_amount (record, series->field);

  if (isfinite (number))
    g_array_append_val (series->values, number);
}

static void
add_mean (DynoImportBuilder *builder, const Series *series)
{
  g_autofree char *how = g_strdup_printf ("mean of %s", series->field);
  double sum = 0;

  for (guint i = 0; i < series->values->len; i++)
    sum += g_array_index (series->values, double, i);
  dyno_import_builder_add_value (builder, series->name, sum / series->values->len, "ms", how);
}

/* @series ends with one that has no field. */
static gboolean
append_times (DynoRecord *record, gpointer series, GError **error)
{
  for (Series *one = series; one->field != NULL; one++)
    append (one, record);
  return dyno_record_check (record, error);
}

static gboolean
read_times (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (GArray) latency = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) in = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) compute = g_array_new (FALSE, FALSE, sizeof (double));
  g_autoptr (GArray) out = g_array_new (FALSE, FALSE, sizeof (double));
  Series series[] = { { "latencyMs", NULL, latency },
                      { "h2dMs", "transfer_to_device_ms", in },
                      { "computeMs", "device_compute_ms", compute },
                      { "d2hMs", "transfer_from_device_ms", out },
                      { NULL, NULL, NULL } };

  if (!dyno_json_reader_read_elements (file, append_times, series, error) ||
      !begin_unnamed_case (file, builder, error))
    return FALSE;
  dyno_import_builder_add_process (builder, (const double *)(void *)latency->data, latency->len, "ms",
                                   "latencyMs");
  for (guint i = 1; series[i].field != NULL; i++)
    add_mean (builder, &series[i]);
  return TRUE;
}

/* Layers */

static gboolean
take_layer (DynoRecord *record, gpointer builder, GError **error)
{
  const char *name = dyno_record_get_text (record, "name");
  double milliseconds = dyno_record_get_amount (record, "averageMs");
  DynoOperator *op;

  if (name == NULL || !(milliseconds >= 0) || milliseconds > 1e6)
    return dyno_record_check (record, error);
  op = dyno_operator_new (name, "Layer", "TensorRT");
  dyno_operator_set_calls (op, 1);
  dyno_operator_set_time_ns (op, (gint64)(milliseconds * 1e6));
  dyno_import_builder_take_operator (builder, op);
  return dyno_record_check (record, error);
}

static gboolean
read_profile (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  return begin_unnamed_case (file, builder, error) &&
         dyno_json_reader_read_elements (file, take_layer, builder, error);
}

/* The summary */

typedef struct
{
  char *version;
  char *model;
  char *precision;
  gboolean has_streams; /* several queries at once */
  DynoRecord *values;
} Summary;

static void
summary_clear (Summary *self)
{
  g_free (self->version);
  g_free (self->model);
  g_free (self->precision);
  dyno_record_free (self->values);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Summary, summary_clear)

/* “v8601” is 8.6.1, “v100300” is 10.3.0 */
static char *
dup_version (const char *text)
{
  guint64 number = g_ascii_strtoull (text, NULL, 10);
  guint scale = number >= 100000 ? 10000 : 1000;

  return g_strdup_printf ("%u.%u.%u", (guint)(number / scale), (guint)(number % scale / 100),
                          (guint)(number % 100));
}

static char *
dup_argument (const char *text, const char *option)
{
  const char *found = strstr (text, option);

  return found != NULL ? g_strndup (found + strlen (option), strcspn (found + strlen (option), " \t")) : NULL;
}

/* “&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=model.onnx --fp16” */
static void
take_command (Summary *self, const char *text)
{
  const char *version = strstr (text, "[TensorRT v");
  g_autofree char *streams = dup_argument (text, "--infStreams=");

  if (version == NULL || self->version != NULL)
    return;
  self->version = dup_version (version + strlen ("[TensorRT v"));
  self->model = dup_argument (text, "--onnx=");
  if (self->model == NULL)
    self->model = dup_argument (text, "--loadEngine=");
  self->precision = g_strdup (strstr (text, "--int8") != NULL   ? "int8"
                              : strstr (text, "--fp16") != NULL ? "fp16"
                              : strstr (text, "--bf16") != NULL ? "bf16"
                                                                : NULL);
  self->has_streams = streams != NULL && g_ascii_strtoull (streams, NULL, 10) > 1;
}

/* “Latency: min = 0.8 ms, max = 1.2 ms, percentile(90%) = 1 ms”, “Throughput: 1096.5 qps” */
static void
take_line (Summary *self, const char *text, guint line)
{
  g_autoptr (GRegex) regex =
      g_regex_new ("(?:\\[I\\] |^)(Throughput|Latency|Enqueue Time|H2D Latency|GPU Compute Time|D2H "
                   "Latency|Total Host Walltime|Total GPU Compute Time): (.*)$",
                   0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *label = NULL;
  g_autofree char *rest = NULL;
  g_auto (GStrv) parts = NULL;

  if (!g_regex_match (regex, text, 0, &match))
    return;
  label = g_match_info_fetch (match, 1);
  rest = g_match_info_fetch (match, 2);
  parts = g_strsplit (rest, ", ", -1);
  for (char **part = parts; *part != NULL; part++)
    {
      g_auto (GStrv) pair = g_strsplit (*part, " = ", 2);
      const char *number = pair[0] != NULL && pair[1] != NULL ? pair[1] : *part;
      g_autofree char *name =
          pair[0] != NULL && pair[1] != NULL ? g_strdup_printf ("%s %s", label, pair[0]) : g_strdup (label);

      dyno_record_take_text_at (self->values, line, name, g_strndup (number, strcspn (number, " ")));
    }
}

static void
add_summary (DynoImportBuilder *builder, Summary *summary)
{
  static const struct
  {
    const char *field;
    const char *name;
    const char *unit;
  } values[] = {
    { "Latency min", "latency_min_ms", "ms" },
    { "Latency max", "latency_max_ms", "ms" },
    { "Latency mean", "latency_mean_ms", "ms" },
    { "Latency median", "latency_p50_ms", "ms" },
    { "Latency percentile(90%)", "latency_p90_ms", "ms" },
    { "Latency percentile(95%)", "latency_p95_ms", "ms" },
    { "Latency percentile(99%)", "latency_p99_ms", "ms" },
    { "H2D Latency mean", "transfer_to_device_ms", "ms" },
    { "D2H Latency mean", "transfer_from_device_ms", "ms" },
    { "GPU Compute Time mean", "device_compute_ms", "ms" },
    { "Throughput", "throughput_items_per_sec", "qps" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      double number = dyno_record_get_amount (summary->values, values[i].field);

      if (summary->has_streams && g_str_has_prefix (values[i].name, "latency_"))
        dyno_import_builder_add_faulty (builder, values[i].name, number, values[i].unit, values[i].field,
                                        "with several streams a latency is not that of one query");
      else
        dyno_import_builder_add_value (builder, values[i].name, number, values[i].unit, values[i].field);
    }
}

static gboolean
collect_summary (DynoImportFile *file, Summary *summary, GError **error)
{
  g_autoptr (GError) local_error = NULL;
  const char *text;
  guint line;

  while ((text = dyno_import_file_read_line (file, &line, &local_error)) != NULL)
    {
      take_command (summary, text);
      take_line (summary, text, line);
    }
  if (local_error == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

static gboolean
read_summary (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_auto (Summary) summary = { .values = dyno_record_new (1) };
  g_autofree char *stem = dyno_import_file_dup_stem (file);
  DynoImportCase kase = { .backend = "tensorrt" };

  if (!collect_summary (file, &summary, error))
    return FALSE;
  kase.model = summary.model != NULL && *summary.model != '\0' ? summary.model : stem;
  kase.precision = summary.precision;
  dyno_import_builder_set_tool (builder, "trtexec", summary.version);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_add_option (builder, "version", summary.version);
  add_summary (builder, &summary);
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (summary.values));
  return dyno_record_check (summary.values, error);
}

/* The dialect */

static gboolean
is_times (const char *head)
{
  static const char *const keys[] = { "startComputeMs", "computeMs", "latencyMs", NULL };

  return dyno_dialect_begins_with (head, "[") && dyno_dialect_has_keys (head, keys);
}

static gboolean
is_profile (const char *head)
{
  static const char *const keys[] = { "name", "timeMs", "averageMs", "percentage", NULL };

  return dyno_dialect_begins_with (head, "[") && dyno_dialect_has_keys (head, keys);
}

static gboolean
recognise (const char *head)
{
  return is_times (head) || is_profile (head) || strstr (head, "RUNNING TensorRT.trtexec") != NULL ||
         strstr (head, "=== Performance summary ===") != NULL;
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  const char *head = dyno_import_file_get_head (file);

  if (is_times (head))
    return read_times (file, builder, error);
  return is_profile (head) ? read_profile (file, builder, error) : read_summary (file, builder, error);
}

const DynoDialect dyno_trtexec_dialect = {
  .name = "trtexec",
  .title = "trtexec",
  .method = N_ ("It times at least ten queries and three seconds in one process, after 200 ms for warming "
                "up, and enqueues one "
                "query ahead."),
  .recognise = recognise,
  .read = read_file,
};
