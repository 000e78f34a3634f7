/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-error.h"
#include "dyno-import-dialects-private.h"

/* MLPerf loadgen: `mlperf_log_summary.txt`, lines of “label : value”, or `mlperf_log_detail.txt`, a line of
 * JSON after “:::MLLOG” for each key. Either is one measurement of a *system under test* whose model is not
 * named; or several measurements, concatenated by hand. */

#define MARK    ":::MLLOG "
#define SUMMARY "MLPerf Results Summary"
#define VERSION "loadgen_version"

/* Of several fields with the same name, the first that exists counts: in MultiStream, latency is that of a
 * query. */
static const struct
{
  const char *label;
  const char *key;
  const char *name;
  const char *unit;
} values[] = {
  { NULL, "result_50.00_percentile_per_query_latency_ns", "latency_p50_ms", "ns" },
  { NULL, "result_90.00_percentile_per_query_latency_ns", "latency_p90_ms", "ns" },
  { NULL, "result_95.00_percentile_per_query_latency_ns", "latency_p95_ms", "ns" },
  { NULL, "result_99.00_percentile_per_query_latency_ns", "latency_p99_ms", "ns" },
  { NULL, "result_99.90_percentile_per_query_latency_ns", "latency_p999_ms", "ns" },
  { NULL, "result_min_query_latency_ns", "latency_min_ms", "ns" },
  { NULL, "result_max_query_latency_ns", "latency_max_ms", "ns" },
  { NULL, "result_mean_query_latency_ns", "latency_mean_ms", "ns" },
  { "50.00 percentile latency (ns)", "result_50.00_percentile_latency_ns", "latency_p50_ms", "ns" },
  { "90.00 percentile latency (ns)", "result_90.00_percentile_latency_ns", "latency_p90_ms", "ns" },
  { "95.00 percentile latency (ns)", "result_95.00_percentile_latency_ns", "latency_p95_ms", "ns" },
  { "97.00 percentile latency (ns)", "result_97.00_percentile_latency_ns", "latency_p97_ms", "ns" },
  { "99.00 percentile latency (ns)", "result_99.00_percentile_latency_ns", "latency_p99_ms", "ns" },
  { "99.90 percentile latency (ns)", "result_99.90_percentile_latency_ns", "latency_p999_ms", "ns" },
  { "Min latency (ns)", "result_min_latency_ns", "latency_min_ms", "ns" },
  { "Max latency (ns)", "result_max_latency_ns", "latency_max_ms", "ns" },
  { "Mean latency (ns)", "result_mean_latency_ns", "latency_mean_ms", "ns" },
  { NULL, "result_query_count", "latency_samples", "" },
  { "Samples per second", "result_samples_per_second", "throughput_items_per_sec", "1/s" },
  { "Completed samples per second", "result_completed_samples_per_sec", "throughput_items_per_sec", "1/s" },
  { "QPS w/o loadgen overhead", "result_qps_without_loadgen_overhead", "throughput_items_per_sec", "1/s" },
  { "QPS w/ loadgen overhead", "result_qps_with_loadgen_overhead", "issued_items_per_sec", "1/s" },
  { "Scheduled samples per second", "result_scheduled_samples_per_sec", "scheduled_items_per_sec", "1/s" },
  { "Tokens per second", "result_tokens_per_second", "output_tokens_per_sec", "tokens/s" },
  { "Completed tokens per second", "result_completed_tokens_per_second", "output_tokens_per_sec",
    "tokens/s" },
  { "50.00 percentile first token latency (ns)", "result_first_token_50.00_percentile_latency_ns",
    "first_token_latency_ms", "ns" },
  { "99.00 percentile first token latency (ns)", "result_first_token_99.00_percentile_latency_ns",
    "first_token_latency_p99_ms", "ns" },
  { "Mean First Token latency (ns)", "result_first_token_mean_latency_ns", "first_token_latency_mean_ms",
    "ns" },
  { "50.00 percentile time to output token (ns)", "result_time_per_output_token_50.00_percentile_ns",
    "time_per_output_token_ms", "ns" },
  { "99.00 percentile time to output token (ns)", "result_time_per_output_token_99.00_percentile_ns",
    "time_per_output_token_p99_ms", "ns" },
};

/* Returns a setting or fact, by its label or its key. */
static const char *
get_text (DynoRecord *record, const char *label, const char *key)
{
  const char *text = dyno_record_get_text (record, label);

  return text != NULL ? text : dyno_record_get_text (record, key);
}

/* Returns NULL for one query after another, and if Dyno has no such load. */
static char *
dup_load (DynoRecord *record)
{
  const char *scenario = get_text (record, "Scenario", "effective_scenario");
  const char *rate = get_text (record, "target_qps", "effective_target_qps");
  const char *samples = get_text (record, "samples_per_query", "effective_samples_per_query");
  DynoLoad load = { .clients = 1 };

  if (g_strcmp0 (scenario, "Server") == 0 && rate != NULL)
    {
      load.shape = DYNO_LOAD_RATE;
      load.rate = g_ascii_strtod (rate, NULL);
    }
  else if (g_strcmp0 (scenario, "MultiStream") == 0 && samples != NULL)
    {
      load.shape = DYNO_LOAD_MULTI;
      load.clients = (guint)CLAMP (g_ascii_strtoull (samples, NULL, 10), 1, DYNO_LOAD_MAX_CLIENTS);
    }
  else if (g_strcmp0 (scenario, "Offline") == 0)
    load.shape = DYNO_LOAD_OFFLINE;
  else
    return NULL;
  if (load.shape == DYNO_LOAD_RATE && !(load.rate > 0 && isfinite (load.rate)))
    return NULL;
  return dyno_import_words_dup_load (&load);
}

/* A measurement that ended without a result is not a case. */
static gboolean
add_case (DynoImportBuilder *builder, DynoRecord *record, GError **error)
{
  const char *system = get_text (record, "SUT name", "sut_name");
  const char *validity = get_text (record, "Result is", "result_validity");
  g_autofree char *errors = dyno_record_dup_word (record, "num_errors");
  g_autofree char *load = dup_load (record);
  const DynoImportCase kase = {
    .model = system != NULL ? system : "SUT", .backend = "mlperf-loadgen", .batch_size = 1, .load = load
  };

  if (validity == NULL)
    return TRUE;
  dyno_import_builder_set_tool (builder, "MLPerf loadgen", dyno_record_get_text (record, VERSION));
  dyno_import_builder_set_time (builder, dyno_record_get_time (record, "test_datetime"));
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_numbering (builder, "run");
  dyno_import_builder_add_option (builder, "scenario", get_text (record, "Scenario", "effective_scenario"));

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      const char *field = values[i].label != NULL && dyno_record_has (record, values[i].label)
                              ? values[i].label
                              : values[i].key;

      dyno_import_builder_add_value (builder, values[i].name, dyno_record_get_amount (record, field),
                                     values[i].unit, field);
    }
  if (g_str_equal (validity, "INVALID"))
    dyno_import_builder_add_diagnostic (builder, DYNO_SEVERITY_WARNING, "invalid-at-source",
                                        _ ("MLPerf loadgen calls the result INVALID: it ran too short, with "
                                           "too few queries or above its limit of latency."));
  if (errors != NULL && !g_str_equal (errors, "0"))
    dyno_import_builder_add_diagnostic (builder, DYNO_SEVERITY_WARNING, "errors-at-source",
                                        _ ("MLPerf loadgen noted errors while it measured."));
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

typedef struct
{
  DynoImportBuilder *builder;
  DynoRecord *record; /* of the current measurement */
} Reader;

static void
reader_clear (Reader *self)
{
  dyno_record_free (self->record);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static gboolean
begin_measurement (Reader *self, guint line, GError **error)
{
  if (!add_case (self->builder, self->record, error))
    return FALSE;
  dyno_record_free (self->record);
  self->record = dyno_record_new (line);
  return TRUE;
}

static gboolean
take_line (const char *text, guint line, gpointer data, GError **error)
{
  static const char *const prefixes[] = { "result_",  "effective_", "early_stopping", "qsl_",
                                          "sut_name", "num_",       "test_datetime",  VERSION };
  Reader *self = data;

  if (g_str_has_prefix (text, MARK))
    {
      g_autoptr (DynoRecord) entry = dyno_json_reader_parse_line (text + strlen (MARK), line, error);
      const char *key = entry != NULL ? dyno_record_get_text (entry, "key") : NULL;
      g_autofree char *value = NULL;
      gboolean is_kept = FALSE;

      if (entry == NULL)
        return FALSE;
      if (g_strcmp0 (key, VERSION) == 0 && !begin_measurement (self, line, error))
        return FALSE;
      /* Some of the other keys hold lists of samples. */
      for (guint i = 0; key != NULL && i < G_N_ELEMENTS (prefixes); i++)
        is_kept = is_kept || g_str_has_prefix (key, prefixes[i]);
      if (is_kept && !dyno_record_is_array (entry, "value"))
        value = dyno_record_dup_word (entry, "value");
      if (value != NULL)
        dyno_record_take_text_at (self->record, line, key, g_steal_pointer (&value));
      return dyno_record_check (entry, error);
    }
  if (strstr (text, SUMMARY) != NULL)
    return begin_measurement (self, line, error);

  /* “Min latency (ns)                : 1000” */
  const char *colon = strstr (text, ": ");
  g_autofree char *label = colon != NULL ? g_strstrip (g_strndup (text, (gsize)(colon - text))) : NULL;

  if (label != NULL && *label != '\0' && *label != '*')
    dyno_record_take_text_at (self->record, line, label, g_strstrip (g_strdup (colon + 2)));
  return TRUE;
}

/* Version 0.5 wrote other lines into its detail log, without results. */
static gboolean
is_old_detail (const char *head)
{
  return dyno_dialect_begins_with (head, "\"pid\": ") && strstr (head, "LoadgenVersionInfo:") != NULL;
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_auto (Reader) self = { builder, dyno_record_new (1) };

  if (is_old_detail (dyno_import_file_get_head (file)))
    {
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                           _ ("It is a detail log of MLPerf loadgen 0.5, which holds no results. Import "
                              "“mlperf_log_summary.txt”, which lies beside it."));
      return FALSE;
    }
  return dyno_import_file_read_lines (file, take_line, &self, error) &&
         add_case (builder, self.record, error);
}

static gboolean
recognise (const char *head)
{
  return strstr (head, SUMMARY) != NULL || dyno_dialect_begins_with (head, MARK) || is_old_detail (head);
}

const DynoDialect dyno_mlperf_loadgen_dialect = {
  .name = "mlperf-loadgen",
  .title = "MLPerf loadgen",
  .method = N_ ("It measures for at least 600 seconds where the rules are kept, from when a query was to be "
                "sent, with its own percentiles; which model the system ran is not in its logs."),
  .recognise = recognise,
  .read = read_file,
};
