/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* trtexec of TensorRT: the times of all queries (`--exportTimes`), the layers (`--exportProfile`), or its
 * console, of which the performance summary is used. Each file may hold several runs of the program, one
 * after another. Since version 11 latency excludes transfers by default, so the version is part of the
 * case. */

/* The runs in one file do not say in which options they differ. */
static gboolean
begin_unnamed_case (DynoImportBuilder *builder, GError **error)
{
  const DynoImportCase kase = { .backend = "tensorrt" };

  dyno_import_builder_set_tool (builder, "trtexec", NULL);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_numbering (builder, "run");
  return TRUE;
}

/* Times */

/* Version 7 had other names for the transfers. */
static const struct
{
  const char *field;
  const char *name; /* for the mean; NULL for the latency itself */
} series[] = {
  { "latencyMs", NULL },
  { "h2dMs", "transfer_to_device_ms" },
  { "inMs", "transfer_to_device_ms" },
  { "computeMs", "device_compute_ms" },
  { "d2hMs", "transfer_from_device_ms" },
  { "outMs", "transfer_from_device_ms" },
};

/* The times of one run of the program. */
typedef struct
{
  DynoImportBuilder *builder;
  GArray *values[G_N_ELEMENTS (series)];
  guint document;
} Times;

static void
times_clear (Times *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (series); i++)
    g_array_unref (self->values[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Times, times_clear)

static gboolean
end_times (Times *self, GError **error)
{
  GArray *latency = self->values[0];

  if (!begin_unnamed_case (self->builder, error))
    return FALSE;
  dyno_import_builder_add_process (self->builder, (const double *)(void *)latency->data, latency->len, "ms",
                                   series[0].field);
  g_array_set_size (latency, 0);
  for (guint i = 1; i < G_N_ELEMENTS (series); i++)
    {
      GArray *values = self->values[i];
      g_autofree char *how = g_strdup_printf ("mean of %s", series[i].field);
      double sum = 0;

      for (guint j = 0; j < values->len; j++)
        sum += g_array_index (values, double, j);
      dyno_import_builder_add_value (self->builder, series[i].name, sum / values->len, "ms", how);
      g_array_set_size (values, 0);
    }
  return TRUE;
}

/* Layers */

static gboolean
read_profile (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoJsonReader) pieces = dyno_json_reader_new (file);
  g_auto (DynoJsonPiece) piece = { 0 };
  guint n_documents = 0;

  dyno_json_reader_allow_several (pieces);
  while (dyno_json_reader_next (pieces, &piece, error))
    {
      g_autoptr (DynoRecord) record = NULL;

      if (piece.node == NULL)
        return TRUE;
      record = dyno_json_piece_to_record (&piece, error);
      if (record == NULL || (piece.document >= n_documents && !begin_unnamed_case (builder, error)))
        return FALSE;

      const char *name = dyno_record_get_text (record, "name");
      double milliseconds = dyno_record_get_amount (record, "averageMs");

      if (name != NULL && milliseconds >= 0 && milliseconds <= 1e6)
        {
          DynoOperator *op = dyno_operator_new (name, "Layer", "TensorRT");

          dyno_operator_set_calls (op, 1);
          dyno_operator_set_time_ns (op, (gint64)(milliseconds * 1e6));
          dyno_import_builder_take_operator (builder, op);
        }
      if (!dyno_record_check (record, error))
        return FALSE;
      n_documents = piece.document + 1;
    }
  return FALSE;
}

/* The summary */

/* One run of the program. */
typedef struct
{
  char *version;
  char *model;
  char *precision;
  guint batch;           /* items per query; 0 if the log does not have it */
  gboolean is_explicit;  /* whether the batch is a dimension of the inputs */
  gboolean counts_items; /* whether rates are already in items */
  gboolean has_streams;  /* several queries at once */
  gboolean has_failed;
  char *section;      /* nullable: the section of the following lines */
  DynoRecord *values; /* nullable: NULL before the first */
} Summary;

typedef struct
{
  DynoImportBuilder *builder;
  GRegex *plain;
  GRegex *sectioned;
  Summary run;
} Log;

static void
summary_clear (Summary *self)
{
  g_free (self->version);
  g_free (self->model);
  g_free (self->precision);
  g_free (self->section);
  g_clear_pointer (&self->values, dyno_record_free);
  *self = (Summary){ 0 };
}

static void
log_clear (Log *self)
{
  summary_clear (&self->run);
  g_regex_unref (self->plain);
  g_regex_unref (self->sectioned);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Log, log_clear)

static char *
dup_argument (const char *text, const char *option)
{
  const char *found = strstr (text, option);

  return found != NULL ? g_strndup (found + strlen (option), strcspn (found + strlen (option), " \t")) : NULL;
}

static guint
parse_count (const char *text)
{
  guint64 number = text != NULL ? g_ascii_strtoull (text, NULL, 10) : 0;

  return number <= G_MAXINT ? (guint)number : 0;
}

/* “&&&& RUNNING TensorRT.trtexec [TensorRT v8601] # trtexec --onnx=model.onnx --fp16”; version 7 does not
 * print its version. */
static void
take_command (Summary *self, const char *text)
{
  static const char *const options[] = { "--onnx=", "--loadEngine=", "--deploy=", "--uff=", "--model=" };
  const char *version = strstr (text, "[TensorRT v");
  g_autofree char *streams = dup_argument (text, "--infStreams=");
  g_autofree char *old_streams = dup_argument (text, "--streams="); /* until version 8.5 */
  g_autofree char *shapes = dup_argument (text, "--shapes=");
  g_autofree char *batch = dup_argument (text, "--batch=");

  if (version != NULL)
    {
      /* “v8601” is 8.6.1, “v100300” is 10.3.0 */
      guint64 number = g_ascii_strtoull (version + strlen ("[TensorRT v"), NULL, 10);
      guint scale = number >= 100000 ? 10000 : 1000;

      self->version = g_strdup_printf ("%u.%u.%u", (guint)(number / scale), (guint)(number % scale / 100),
                                       (guint)(number % 100));
    }
  for (guint i = 0; i < G_N_ELEMENTS (options) && (self->model == NULL || *self->model == '\0'); i++)
    {
      g_free (self->model);
      self->model = dup_argument (text, options[i]);
    }
  self->precision = g_strdup (strstr (text, "--int8") != NULL   ? "int8"
                              : strstr (text, "--fp16") != NULL ? "fp16"
                              : strstr (text, "--bf16") != NULL ? "bf16"
                                                                : NULL);
  self->has_streams = parse_count (streams) > 1 || parse_count (old_streams) > 1;
  self->counts_items = shapes == NULL && parse_count (batch) > 0;
  self->batch = parse_count (batch);
  if (shapes != NULL)
    {
      /* “input:32x3x224x224,mask:32x128”: the first dimension if all inputs share it; else 0. --minShapes and
       * the like give the range of the engine, not the shapes that ran. */
      g_auto (GStrv) inputs = g_strsplit (shapes, ",", -1);
      gboolean is_shared = TRUE;

      self->batch = 0;
      for (char **input = inputs; *input != NULL && is_shared; input++)
        {
          const char *colon = strrchr (*input, ':');
          guint first = colon != NULL ? parse_count (colon + 1) : 0;

          is_shared = first > 0 && (self->batch == 0 || first == self->batch);
          self->batch = is_shared ? first : 0;
        }
    }
}

static void
take_value (Summary *self, guint line, const char *name, const char *text)
{
  if (self->values == NULL)
    self->values = dyno_record_new (line);
  dyno_record_take_text_at (self->values, line, name, g_strndup (text, strcspn (text, " ")));
}

/* Version 7: “min: 1.99 ms (end to end 2.01 ms)”, “percentile: 2.53 ms at 99% (end to end 2.6 ms at 99%)”, “throughput: 479
 * qps”, below “Host Latency” */
static void
take_line_of_section (Summary *self, GMatchInfo *match, guint line)
{
  static const DynoImportLabel totals[] = { { "throughput", "Throughput" },
                                            { "walltime", "Total Host Walltime" },
                                            { "total compute time", "Total GPU Compute Time" } };
  g_autofree char *label = g_match_info_fetch (match, 1);
  g_autofree char *number = g_match_info_fetch (match, 2);
  g_autofree char *percent = g_match_info_fetch (match, 3);
  g_autofree char *end_to_end = g_match_info_fetch (match, 4);
  g_autofree char *name = percent != NULL && *percent != '\0'
                              ? g_strdup_printf ("%s percentile(%s%%)", self->section, percent)
                              : g_strdup_printf ("%s %s", self->section, label);
  const char *total = dyno_import_words_find (totals, G_N_ELEMENTS (totals), label);

  if (total != label)
    {
      take_value (self, line, total, number);
      return;
    }
  take_value (self, line, name, number);
  if (end_to_end != NULL && *end_to_end != '\0')
    {
      g_autofree char *other = g_strdup_printf ("End to End %s", name);

      take_value (self, line, other, end_to_end);
    }
}

/* Returns the name of the section in later versions. */
static gboolean
take_section (Summary *self, const char *text)
{
  static const struct
  {
    const char *heading;
    const char *section;
  } sections[] = { { "Host Latency", "Latency" },
                   { "Enqueue Time", "Enqueue Time" },
                   { "GPU Compute", "GPU Compute Time" } };

  for (guint i = 0; i < G_N_ELEMENTS (sections); i++)
    if (strcmp (sections[i].heading, text) == 0)
      {
        g_free (self->section);
        self->section = g_strdup (sections[i].section);
        return TRUE;
      }
  return FALSE;
}

static void
add_summary (DynoImportBuilder *builder, Summary *run)
{
  static const struct
  {
    const char *field;
    const char *name;
  } values[] = {
    { "Latency min", "latency_min_ms" },
    { "Latency max", "latency_max_ms" },
    { "Latency mean", "latency_mean_ms" },
    { "Latency median", "latency_p50_ms" },
    { "Latency percentile(90%)", "latency_p90_ms" },
    { "Latency percentile(95%)", "latency_p95_ms" },
    { "Latency percentile(99%)", "latency_p99_ms" },
    { "H2D Latency mean", "transfer_to_device_ms" },
    { "D2H Latency mean", "transfer_from_device_ms" },
    { "GPU Compute Time mean", "device_compute_ms" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      double number = dyno_record_get_amount (run->values, values[i].field);

      if (run->has_streams && g_str_has_prefix (values[i].name, "latency_"))
        dyno_import_builder_add_faulty (builder, values[i].name, number, "ms", values[i].field,
                                        "with several streams a latency is not that of one query");
      else
        dyno_import_builder_add_value (builder, values[i].name, number, "ms", values[i].field);
    }

  double rate = dyno_record_get_amount (run->values, "Throughput");
  g_autofree char *how =
      run->counts_items ? g_strdup ("Throughput, in which each item of a batch is a query")
      : run->batch > 0  ? g_strdup_printf ("Throughput times %u, the batch of --shapes", run->batch)
                       : g_strdup ("Throughput, in queries; of how many items each is the log does not tell");

  dyno_import_builder_add_value (builder, "throughput_items_per_sec",
                                 run->counts_items ? rate : rate * MAX (run->batch, 1), "qps", how);
}

/* A run that measures nothing, such as one that only builds an engine, is not a case. */
static gboolean
end_summary (Log *self, GError **error)
{
  Summary *run = &self->run;
  const DynoImportCase kase = { .model = run->model != NULL && *run->model != '\0' ? run->model : NULL,
                                .backend = "tensorrt",
                                .precision = run->precision,
                                .batch_size = run->batch };

  if (run->values == NULL && !run->has_failed)
    return TRUE;
  dyno_import_builder_set_tool (self->builder, "trtexec", run->version);
  if (!dyno_import_builder_begin_case (self->builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_numbering (self->builder, "run");
  dyno_import_builder_add_option (self->builder, "version", run->version);
  if (run->has_failed)
    dyno_import_builder_fail_case (self->builder, _ ("trtexec says that it failed."));
  if (run->values == NULL)
    return TRUE;
  add_summary (self->builder, run);
  dyno_import_builder_take_rest (self->builder, NULL, dyno_record_dup_rest (run->values));
  return dyno_record_check (run->values, error);
}

static void
take_text (Log *self, const char *text, guint line)
{
  g_autoptr (GMatchInfo) plain = NULL;
  g_autoptr (GMatchInfo) sectioned = NULL;
  guint batch = g_str_has_prefix (text, "Batch: ") ? parse_count (text + strlen ("Batch: ")) : 0;

  /* In the printed options, “Batch: 1” is an implicit batch, by which rates are multiplied; if the batch is a
   * dimension of the inputs, it says “Explicit”, or “Max batch” does, and the number has no meaning. */
  if (g_ascii_strncasecmp (text, "Max batch: explicit", strlen ("Max batch: explicit")) == 0)
    self->run.is_explicit = TRUE;
  if (batch > 0 && self->run.batch == 0 && !self->run.is_explicit)
    {
      self->run.batch = batch;
      self->run.counts_items = TRUE;
    }
  if (take_section (&self->run, text))
    return;
  if (g_regex_match (self->plain, text, 0, &plain))
    {
      /* “Latency: min = 0.8 ms, max = 1.2 ms, percentile(90%) = 1 ms”, “Throughput: 1096.5 qps”; sentences that
       * explain the labels also begin with them. */
      g_autofree char *label = g_match_info_fetch (plain, 1);
      g_autofree char *rest = g_match_info_fetch (plain, 2);
      g_auto (GStrv) parts = g_strsplit (rest, ", ", -1);

      for (char **part = parts; *part != NULL; part++)
        {
          g_auto (GStrv) pair = g_strsplit (*part, " = ", 2);
          gboolean is_pair = pair[0] != NULL && pair[1] != NULL;
          g_autofree char *name = is_pair ? g_strdup_printf ("%s %s", label, pair[0]) : g_strdup (label);

          if (is_pair || g_ascii_isdigit (**part))
            take_value (&self->run, line, name, is_pair ? pair[1] : *part);
        }
    }
  else if (self->run.section != NULL && g_regex_match (self->sectioned, text, 0, &sectioned))
    take_line_of_section (&self->run, sectioned, line);
}

/* In a log without the commands, each summary is a separate run. */
static gboolean
read_log_line (const char *text, guint line, gpointer data, GError **error)
{
  Log *self = data;
  const char *mark = strstr (text, "[I] "); /* “[06/01/2023-10:00:00] [I] ” precedes each line */
  gboolean is_command = strstr (text, "&&&& RUNNING TensorRT.trtexec") != NULL;
  gboolean is_summary = strstr (text, "=== Performance summary ===") != NULL;

  if (is_command || (is_summary && self->run.values != NULL))
    {
      if (!end_summary (self, error))
        return FALSE;
      summary_clear (&self->run);
    }
  if (is_command)
    take_command (&self->run, text);
  else if (strstr (text, "&&&& FAILED TensorRT.trtexec") != NULL)
    self->run.has_failed = TRUE;
  else
    take_text (self, mark != NULL ? mark + strlen ("[I] ") : text, line);
  return TRUE;
}

static gboolean
read_log (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_auto (Log) self = {
    .builder = builder,
    .plain = g_regex_new ("^(Throughput|Latency|Enqueue Time|H2D Latency|GPU Compute Time|D2H Latency|Total "
                          "Host Walltime|Total GPU Compute Time): (.*)$",
                          0, 0, NULL),
    .sectioned = g_regex_new ("^(min|max|mean|median|percentile|throughput|walltime|total compute time): "
                              "([-+.0-9eE]+) (?:ms|s|qps)(?: at ([.0-9]+)%)?(?: \\(end to end "
                              "([-+.0-9eE]+) ms.*\\))?$",
                              0, 0, NULL),
  };

  return dyno_import_file_read_lines (file, read_log_line, &self, error) && end_summary (&self, error);
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
    {
      g_autoptr (DynoJsonReader) pieces = dyno_json_reader_new (file);
      g_auto (Times) times = { .builder = builder };
      g_auto (DynoJsonPiece) piece = { 0 };

      for (guint i = 0; i < G_N_ELEMENTS (series); i++)
        times.values[i] = g_array_new (FALSE, FALSE, sizeof (double));
      dyno_json_reader_allow_several (pieces);
      while (dyno_json_reader_next (pieces, &piece, error))
        {
          if (piece.node == NULL)
            return end_times (&times, error);

          g_autoptr (DynoRecord) record = dyno_json_piece_to_record (&piece, error);

          if (record == NULL || (piece.document != times.document && !end_times (&times, error)))
            return FALSE;
          times.document = piece.document;
          for (guint i = 0; i < G_N_ELEMENTS (series); i++)
            {
              double number = dyno_record_get_amount (record, series[i].field);

              if (isfinite (number))
                g_array_append_val (times.values[i], number);
            }

          if (!dyno_record_check (record, error))
            return FALSE;
        }
      return FALSE;
    }
  return is_profile (head) ? read_profile (file, builder, error) : read_log (file, builder, error);
}

const DynoDialect dyno_trtexec_dialect = {
  .name = "trtexec",
  .title = "trtexec",
  .method = N_ ("It times at least ten queries and three seconds in one process, after 200 ms for warming "
                "up, and enqueues one query ahead."),
  .recognise = recognise,
  .read = read_file,
};
