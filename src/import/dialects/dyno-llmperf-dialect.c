/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* `token_benchmark_ray.py` of LLMPerf: its summary as JSON or as printed. Times are in s. Its “inter-token
 * latency” is the time of a request divided by its tokens, including the first one. */

#define PREFIX "results_"

static void
add_values (DynoImportBuilder *builder, DynoRecord *record)
{
  static const struct
  {
    const char *field;
    const char *name;
    const char *unit;
  } values[] = {
    { "end_to_end_latency_s_mean", "latency_mean_ms", "s" },
    { "end_to_end_latency_s_quantiles_p50", "latency_p50_ms", "s" },
    { "end_to_end_latency_s_quantiles_p90", "latency_p90_ms", "s" },
    { "end_to_end_latency_s_quantiles_p95", "latency_p95_ms", "s" },
    { "end_to_end_latency_s_quantiles_p99", "latency_p99_ms", "s" },
    { "end_to_end_latency_s_min", "latency_min_ms", "s" },
    { "end_to_end_latency_s_max", "latency_max_ms", "s" },
    { "end_to_end_latency_s_stddev", "latency_stddev_ms", "s" },
    { "num_completed_requests", "latency_samples", "" },
    { "ttft_s_quantiles_p50", "first_token_latency_ms", "s" },
    { "ttft_s_mean", "first_token_latency_mean_ms", "s" },
    { "ttft_s_quantiles_p99", "first_token_latency_p99_ms", "s" },
    { "inter_token_latency_s_quantiles_p50", "latency_over_tokens_p50_ms", "s" },
    { "inter_token_latency_s_mean", "latency_over_tokens_mean_ms", "s" },
    { "mean_output_throughput_token_per_s", "output_tokens_per_sec", "tokens/s" },
    { "num_completed_requests_per_min", "throughput_items_per_sec", "1/min" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *field = g_strconcat (PREFIX, values[i].field, NULL);

      dyno_import_builder_add_value (builder, values[i].name, dyno_record_get_amount (record, field),
                                     values[i].unit, field);
    }
}

/* Returns the rounded mean of the tokens sent, else of those requested. */
static guint
get_tokens (DynoRecord *record, const char *measured, const char *asked)
{
  double mean = dyno_record_get_amount (record, measured);

  return dyno_import_words_round (isfinite (mean) ? mean : dyno_record_get_amount (record, asked));
}

static gboolean
read_summary (DynoImportBuilder *builder, DynoRecord *record, GError **error)
{
  const DynoLoad closed_loop = { .shape = DYNO_LOAD_CONCURRENT,
                                 .clients = dyno_record_get_count (record, "num_concurrent_requests") };
  g_autofree char *load = closed_loop.clients > 0 ? dyno_import_words_dup_load (&closed_loop) : NULL;
  const DynoImportCase kase = {
    .model = dyno_record_get_text (record, "model"),
    .backend = "llmperf",
    .batch_size = 1,
    .sequence_length = get_tokens (record, PREFIX "number_input_tokens_mean", "mean_input_tokens"),
    .generate_tokens = get_tokens (record, PREFIX "number_output_tokens_mean", "mean_output_tokens"),
    .load = load,
  };
  double time = dyno_record_get_amount (record, "timestamp");

  dyno_import_builder_set_tool (builder, "LLMPerf", NULL);
  if (time > 0 && time < 1e11)
    dyno_import_builder_set_time (builder, (gint64)(time * G_USEC_PER_SEC));
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_numbering (builder, "run");
  add_values (builder, record);
  dyno_import_builder_add_failed_requests (builder,
                                           dyno_record_get_count (record, PREFIX "num_completed_requests"),
                                           dyno_record_get_count (record, PREFIX "number_errors"));
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

/* The console */

typedef struct
{
  DynoImportBuilder *builder;
  DynoRecord *record; /* nullable */
  char *section;      /* nullable: the quantity whose statistics follow */
  char *model;        /* nullable */
  char *clients;      /* nullable */
} Console;

static void
console_clear (Console *self)
{
  g_clear_pointer (&self->record, dyno_record_free);
  g_free (self->section);
  g_free (self->model);
  g_free (self->clients);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Console, console_clear)

static gboolean
end_summary (Console *self, GError **error)
{
  g_autoptr (DynoRecord) record = g_steal_pointer (&self->record);

  if (record == NULL)
    return TRUE;
  if (self->model != NULL)
    dyno_record_take_text (record, "model", g_strdup (self->model));
  if (self->clients != NULL)
    dyno_record_take_text (record, "num_concurrent_requests", g_strdup (self->clients));
  return read_summary (self->builder, record, error);
}

static void
take_total (Console *self, const char *text, guint line)
{
  static const DynoImportLabel totals[] = {
    { "Number Of Errored Requests: ", PREFIX "number_errors" },
    { "Overall Output Throughput: ", PREFIX "mean_output_throughput_token_per_s" },
    { "Number Of Completed Requests: ", PREFIX "num_completed_requests" },
    { "Completed Requests Per Minute: ", PREFIX "num_completed_requests_per_min" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (totals); i++)
    if (g_str_has_prefix (text, totals[i].label))
      {
        const char *number = text + strlen (totals[i].label);

        dyno_record_take_text_at (self->record, line, totals[i].field,
                                  g_strndup (number, strcspn (number, " ")));
      }
}

static gboolean
read_line (const char *text, guint line, gpointer data, GError **error)
{
  Console *self = data;
  g_autofree char *inner = g_strstrip (g_strdup (text));
  char *model = dyno_console_text_find (inner, "Results for token benchmark for (\\S+) ");

  if (model != NULL && !end_summary (self, error))
    {
      g_free (model);
      return FALSE;
    }
  if (model != NULL || (self->record == NULL && g_str_has_prefix (inner, "inter_token_latency_s")))
    self->record = dyno_record_new (line);
  dyno_console_text_take (&self->model, model != NULL          ? model
                                        : self->record == NULL ? dyno_console_text_find_model (inner)
                                                               : NULL);
  dyno_console_text_take (&self->clients,
                          dyno_console_text_find (inner, "--num-concurrent-requests[ =]([0-9]+)"));
  if (self->record == NULL)
    return TRUE;
  if (*inner != '\0' && strpbrk (inner, " =:") == NULL)
    dyno_console_text_take (&self->section, g_steal_pointer (&inner));
  else
    {
      /* “ p25 = 0.0107”, below the name of its quantity */
      const char *sign = strstr (inner, " = ");
      g_autofree char *statistic = sign != NULL ? g_strndup (inner, (gsize)(sign - inner)) : NULL;
      gboolean is_quantile = inner[0] == 'p' && g_ascii_isdigit (inner[1]);
      g_autofree char *field = NULL;

      if (sign != NULL && self->section != NULL && strchr (statistic, ' ') == NULL)
        {
          field =
              g_strdup_printf (PREFIX "%s_%s%s", self->section, is_quantile ? "quantiles_" : "", statistic);
          dyno_record_take_text_at (self->record, line, field, g_strstrip (g_strdup (sign + 3)));
        }

      take_total (self, inner, line);
    }
  return TRUE;
}

static gboolean
is_json (const char *head)
{
  static const char *const keys[] = { PREFIX "ttft_s_mean", PREFIX "end_to_end_latency_s_mean", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys);
}

static gboolean
is_section (const char *line)
{
  g_autofree char *inner = g_strstrip (g_strdup (line));

  return g_str_equal (inner, "end_to_end_latency_s");
}

static gboolean
recognise (const char *head)
{
  return is_json (head) || (dyno_dialect_has_line (head, is_section) && strstr (head, "p25 = ") != NULL);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoRecord) record = NULL;

  if (!is_json (dyno_import_file_get_head (file)))
    {
      g_auto (Console) console = { .builder = builder };

      return dyno_import_file_read_lines (file, read_line, &console, error) && end_summary (&console, error);
    }
  record = dyno_json_reader_read_record (file, error);
  return record != NULL && read_summary (builder, record, error);
}

const DynoDialect dyno_llmperf_dialect = {
  .name = "llmperf",
  .title = "LLMPerf",
  .method = N_ ("A client of a server measures it, in a closed loop; its rates are over the time of the "
                "whole benchmark, with its beginning and end."),
  .recognise = recognise,
  .read = read_file,
};
