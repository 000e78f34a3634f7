/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-error.h"
#include "dyno-import-dialects-private.h"

/* `vllm bench serve` and `sglang.bench_serving`, which began as a copy of it: one JSON object for each run
 * of the client, several in a file that it appends to, or the table that both print. Their ITL pools the
 * gaps between all tokens; their TPOT is the mean gap of a request. With details there are lists with an
 * element for each request, which may be long: in s, the time to the first token, and the gaps between the
 * tokens. The lists are read one by one, and stay in the kept file. */

/* The run of the client being read. */
typedef struct
{
  const DynoServingTool *tool;
  DynoImportBuilder *builder;
  guint document;
  DynoRecord *record;   /* nullable: its fields except lists */
  GArray *first_tokens; /* of each request, in s; 0 for failed ones */
  GArray *generations;  /* of each request: the sum of its gaps, in s */
} Reader;

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->record, dyno_record_free);
  g_array_unref (self->first_tokens);
  g_array_unref (self->generations);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static void
add_option (DynoImportBuilder *builder, DynoRecord *record, const char *field, const char *usual)
{
  g_autofree char *word = dyno_record_dup_word (record, field);

  if (g_strcmp0 (word, usual) != 0)
    dyno_import_builder_add_option (builder, field, word);
}

static void
add_values (DynoImportBuilder *builder, DynoRecord *record)
{
  static const DynoImportField values[] = {
    { "mean_e2el_ms", "latency_mean_ms", "ms" },
    { "median_e2el_ms", "latency_p50_ms", "ms" },
    { "std_e2el_ms", "latency_stddev_ms", "ms" },
    { "p90_e2el_ms", "latency_p90_ms", "ms" },
    { "p95_e2el_ms", "latency_p95_ms", "ms" },
    { "p99_e2el_ms", "latency_p99_ms", "ms" },
    { "mean_e2e_latency_ms", "latency_mean_ms", "ms" },
    { "median_e2e_latency_ms", "latency_p50_ms", "ms" },
    { "std_e2e_latency_ms", "latency_stddev_ms", "ms" },
    { "p90_e2e_latency_ms", "latency_p90_ms", "ms" },
    { "p95_e2e_latency_ms", "latency_p95_ms", "ms" },
    { "p99_e2e_latency_ms", "latency_p99_ms", "ms" },
    { "completed", "latency_samples", "" },
    { "median_ttft_ms", "first_token_latency_ms", "ms" },
    { "mean_ttft_ms", "first_token_latency_mean_ms", "ms" },
    { "p99_ttft_ms", "first_token_latency_p99_ms", "ms" },
    { "median_itl_ms", "inter_token_latency_ms", "ms", "median_itl_ms, of the gaps of all requests" },
    { "mean_itl_ms", "inter_token_latency_mean_ms", "ms", "mean_itl_ms, of the gaps of all requests" },
    { "p95_itl_ms", "inter_token_latency_p95_ms", "ms", "p95_itl_ms, of the gaps of all requests" },
    { "p99_itl_ms", "inter_token_latency_p99_ms", "ms", "p99_itl_ms, of the gaps of all requests" },
    { "median_tpot_ms", "time_per_output_token_ms", "ms", "median_tpot_ms, of the mean gaps of requests" },
    { "mean_tpot_ms", "time_per_output_token_mean_ms", "ms", "mean_tpot_ms, of the mean gaps of requests" },
    { "p99_tpot_ms", "time_per_output_token_p99_ms", "ms", "p99_tpot_ms, of the mean gaps of requests" },
    { "request_throughput", "throughput_items_per_sec", "1/s" },
    { "request_goodput", "goodput_items_per_sec", "1/s" },
    { "request_goodput:", "goodput_items_per_sec", "1/s", "request_goodput" }, /* sic, until 2025 */
    { "total_token_throughput", "throughput_tokens_per_sec", "tokens/s",
      "total_token_throughput, prompts and generated tokens" },
    { "total_throughput", "throughput_tokens_per_sec", "tokens/s",
      "total_throughput, prompts and generated tokens" },
    { "output_throughput", "output_tokens_per_sec", "tokens/s" },
  };

  dyno_import_builder_add_amounts (builder, record, values, G_N_ELEMENTS (values));
}

/* Returns the mean per request, rounded: the requests of a data set differ in length. */
static guint
count_tokens (DynoRecord *record, const char *field, guint n_requests)
{
  return n_requests > 0 ? (dyno_record_get_count (record, field) + n_requests / 2) / n_requests : 0;
}

/* SGLang asks the server for the model; its console has the model from the arguments. */
static gboolean
begin_case (Reader *self, DynoRecord *record, DynoRecord *info, guint n_completed, GError **error)
{
  const char *model_id = dyno_record_get_text (record, "model_id");
  const char *of_server = model_id == NULL && info != NULL ? dyno_record_get_text (info, "model_path") : NULL;
  const char *server = dyno_record_get_text (record, "backend");
  const char *endpoint = dyno_record_get_text (record, "endpoint_type");
  g_autofree char *rate = dyno_record_dup_word (record, "request_rate");
  guint clients = dyno_record_get_count (record, "max_concurrency");
  /* An infinite rate sends all requests at once, of which @clients run concurrently. */
  DynoLoad described = { .clients = MAX (clients, 1),
                         .rate = rate != NULL ? g_ascii_strtod (rate, NULL) : INFINITY };
  gboolean is_known = (rate != NULL || clients > 0) && described.rate > 0;

  described.shape = isfinite (described.rate) ? DYNO_LOAD_RATE
                    : clients > 0             ? DYNO_LOAD_CONCURRENT
                                              : DYNO_LOAD_OFFLINE;

  g_autofree char *load = is_known ? dyno_import_words_dup_load (&described) : NULL;
  const DynoImportCase kase = {
    .model = model_id != NULL    ? model_id
             : of_server != NULL ? of_server
                                 : dyno_record_get_text (record, "model"),
    .backend = server != NULL     ? server
               : endpoint != NULL ? endpoint
                                  : self->tool->backend,
    .batch_size = 1,
    .sequence_length = count_tokens (record, "total_input_tokens", n_completed),
    .generate_tokens = count_tokens (record, "total_output_tokens", n_completed),
    .load = load,
  };

  /* “20250821-143000”, in the machine's time zone, which the file does not name. */
  const char *text = dyno_record_get_text (record, "date");
  g_autofree char *iso = text != NULL ? g_strdelimit (g_strdup (text), "-", 'T') : NULL;
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = iso != NULL ? g_date_time_new_from_iso8601 (iso, utc) : NULL;

  dyno_import_builder_set_tool (self->builder, self->tool->name, NULL);
  if (time != NULL && g_date_time_to_unix (time) > 0)
    dyno_import_builder_set_time (self->builder, g_date_time_to_unix (time) * G_USEC_PER_SEC);
  if (!dyno_import_builder_begin_case (self->builder, &kase, error))
    return FALSE;
  dyno_import_builder_set_numbering (self->builder, "run");
  if (load == NULL)
    {
      dyno_import_builder_add_option (self->builder, "request_rate", rate);
      add_option (self->builder, record, "max_concurrency", NULL);
    }
  return TRUE;
}

static gboolean
end_run (Reader *self, GError **error)
{
  g_autoptr (DynoRecord) record = g_steal_pointer (&self->record);
  g_autoptr (DynoRecord) server = dyno_record_new_object (record, "server_info");
  guint n_completed = record != NULL ? dyno_record_get_count (record, "completed") : 0;

  if (record == NULL)
    return TRUE;

  if (!begin_case (self, record, server, n_completed, error))
    return FALSE;
  add_option (self->builder, record, "num_prompts", NULL);
  add_option (self->builder, record, "burstiness", "1.0");
  add_option (self->builder, record, "label", NULL);
  if (n_completed > 0) /* otherwise they are zeros */
    {
      /* A request ends with its last token. If the lists lack answered requests, they are from another
       * version. */
      g_autoptr (GArray) latencies = g_array_new (FALSE, FALSE, sizeof (double));
      guint n = MIN (self->first_tokens->len, self->generations->len);

      for (guint i = 0; i < n; i++)
        {
          double first = g_array_index (self->first_tokens, double, i);
          double latency = first + g_array_index (self->generations, double, i);

          if (first > 0)
            g_array_append_val (latencies, latency);
        }
      if (self->first_tokens->len == self->generations->len && latencies->len == n_completed)
        dyno_import_builder_add_process (self->builder, (const double *)(void *)latencies->data,
                                         latencies->len, "s", "ttfts and itls, their sum for each request");

      add_values (self->builder, record);
    }
  dyno_import_builder_add_failed_requests (self->builder, n_completed,
                                           dyno_record_get_count (record, "failed"));
  dyno_import_builder_take_rest (self->builder, NULL, dyno_record_dup_rest (record));
  if (server != NULL)
    dyno_import_builder_take_rest (self->builder, "server_info", dyno_record_dup_rest (server));
  g_array_set_size (self->first_tokens, 0);
  g_array_set_size (self->generations, 0);
  return dyno_record_check (record, error);
}

static gboolean
take_piece (Reader *self, const DynoJsonPiece *piece, GError **error)
{
  if (piece->document != self->document && !end_run (self, error))
    return FALSE;
  if (piece->member == NULL)
    {
      dyno_import_file_set_error (error, piece->line, _ ("A JSON object is expected here."));
      return FALSE;
    }
  self->document = piece->document;
  if (self->record == NULL)
    self->record = dyno_record_new (piece->line);
  if (piece->is_element)
    {
      g_autoptr (DynoRecord) record = dyno_record_new (piece->line);
      double seconds = 0;

      dyno_record_take_source (record, piece->member, piece->source);
      if (g_str_equal (piece->member, "ttfts"))
        {
          seconds = dyno_record_get_amount (record, piece->member);
          g_array_append_val (self->first_tokens, seconds);
        }
      else if (g_str_equal (piece->member, "itls"))
        {
          gsize n;
          g_autofree double *gaps = dyno_record_dup_amounts (record, piece->member, &n);

          for (gsize i = 0; i < n; i++)
            seconds += gaps[i];
          g_array_append_val (self->generations, seconds);
        }
      return dyno_record_check (record, error);
    }
  dyno_record_take_source (self->record, piece->member, piece->source);
  return TRUE;
}

/* The console */

#define TITLE  " Serving Benchmark Result ==="
#define MARGIN " \t|>#*│┃"

/* Labels of the table, and of the lines that some versions print above it. */
static const DynoImportLabel labels[] = {
  { "Backend", "backend" },
  { "Traffic request rate", "request_rate" },
  { "Request rate configured (RPS)", "request_rate" },
  { "Max request concurrency", "max_concurrency" },
  { "Maximum request concurrency", "max_concurrency" },
  { "Successful requests", "completed" },
  { "Failed requests", "failed" },
  { "Benchmark duration (s)", "duration" },
  { "Total input tokens", "total_input_tokens" },
  { "Total generated tokens", "total_output_tokens" },
  { "Total generated tokens (retokenized)", "total_output_tokens_retokenized" },
  { "Request throughput (req/s)", "request_throughput" },
  { "Request goodput (req/s)", "request_goodput" },
  { "Input token throughput (tok/s)", "input_throughput" },
  { "Output token throughput (tok/s)", "output_throughput" },
  { "Total token throughput (tok/s)", "total_token_throughput" },
  { "Peak concurrent requests", "max_concurrent_requests" },
  { "Peak output token throughput (tok/s)", "max_output_tokens_per_s" },
};

/* “Mean TTFT (ms)”, “P99 E2E Latency (ms)” and so on have the same names as in JSON, in another notation.
 **/
static char *
dup_field (const char *label)
{
  g_autofree char *statistic = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (labels); i++)
    if (g_ascii_strcasecmp (labels[i].label, label) == 0)
      return g_strdup (labels[i].field);
  if (!g_str_has_suffix (label, " (ms)"))
    return g_strdup (label);
  statistic = g_ascii_strdown (label, (gssize)strlen (label) - (gssize)strlen (" (ms)"));
  return g_strdup_printf ("%s_ms", g_strdelimit (statistic, " ", '_'));
}

/* Common to all tables that follow: the arguments, from the command or as Python prints them, and the load.
 **/
typedef struct
{
  char *model;
  char *rate;
  char *concurrency;
} Announced;

static void
announced_clear (Announced *self)
{
  g_free (self->model);
  g_free (self->rate);
  g_free (self->concurrency);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Announced, announced_clear)

static DynoRecord *
begin_table (const Announced *announced, guint line)
{
  DynoRecord *record = dyno_record_new (line);

  if (announced->model != NULL)
    dyno_record_take_text (record, "model", g_strdup (announced->model));
  if (announced->rate != NULL)
    dyno_record_take_text (record, "request_rate", g_strdup (announced->rate));
  if (announced->concurrency != NULL && g_ascii_isdigit (*announced->concurrency))
    dyno_record_take_text (record, "max_concurrency", g_strdup (announced->concurrency));
  return record;
}

/* A table without an end is cut off; the numbers that were printed still count. */
static gboolean
read_console (Reader *self, DynoImportFile *file, GError **error)
{
  g_auto (Announced) announced = { NULL };
  g_autoptr (GError) local_error = NULL;
  const char *text;
  guint line;

  while ((text = dyno_import_file_read_line (file, &line, &local_error)) != NULL)
    {
      const char *inner = text + strspn (text, MARGIN);
      gboolean is_title = strstr (inner, TITLE) != NULL;

      if ((is_title || (strlen (inner) >= 20 && strspn (inner, "=") == strlen (inner))) &&
          !end_run (self, error))
        return FALSE;
      if (is_title)
        self->record = begin_table (&announced, line);
      else if (self->record != NULL)
        {
          /* Ignores a line whose value is a word for “none”. */
          g_auto (GStrv) parts = g_strsplit (inner, ":", 2);

          if (parts[0] != NULL && parts[1] != NULL && !g_str_equal (g_strstrip (parts[1]), "None") &&
              !g_str_equal (parts[1], "not set"))
            {
              g_autofree char *field = dup_field (g_strstrip (parts[0]));

              dyno_record_take_text_at (self->record, line, field, g_strdup (parts[1]));
            }
        }
      else
        {
          dyno_console_text_take (&announced.model, dyno_console_text_find_model (inner));
          dyno_console_text_take (&announced.rate,
                                  dyno_console_text_find (inner, "^Traffic request rate: (\\S+)"));
          dyno_console_text_take (&announced.concurrency,
                                  dyno_console_text_find (inner, "^Maximum request concurrency: (\\S+)"));
        }
    }
  return dyno_error_pass (&local_error, error) && end_run (self, error);
}

gboolean
dyno_serving_report_is_json (const char *head)
{
  static const char *const rates[] = { "request_throughput", "output_throughput" };
  static const char *const times[] = { "median_ttft_ms", "mean_ttft_ms", "median_tpot_ms",     "mean_tpot_ms",
                                       "median_itl_ms",  "mean_itl_ms",  "mean_e2e_latency_ms" };
  static const char *const settings[] = { "model_id", "tokenizer_id", "num_prompts", "request_throughput",
                                          NULL };
  gboolean has_rate = FALSE, has_time = FALSE;

  for (guint i = 0; i < G_N_ELEMENTS (rates); i++)
    has_rate = has_rate || dyno_dialect_has_key (head, rates[i]);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    has_time = has_time || dyno_dialect_has_key (head, times[i]);
  return dyno_dialect_begins_with (head, "{") &&
         ((has_rate && has_time) || dyno_dialect_has_keys (head, settings));
}

gboolean
dyno_serving_report_is_console (const char *head)
{
  return strstr (head, TITLE) != NULL && strstr (head, "throughput (") != NULL;
}

gboolean
dyno_serving_report_is_sglang (const char *head)
{
  return strstr (head, "total_output_tokens_retokenized\"") != NULL ||
         strstr (head, "_e2e_latency_ms\"") != NULL ||
         strstr (head, "Total generated tokens (retokenized)") != NULL ||
         strstr (head, "E2E Latency (ms)") != NULL;
}

gboolean
dyno_serving_report_read (DynoImportFile *file,
                          const DynoServingTool *tool,
                          DynoImportBuilder *builder,
                          GError **error)
{
  g_auto (Reader) reader = { .tool = tool,
                             .builder = builder,
                             .first_tokens = g_array_new (FALSE, FALSE, sizeof (double)),
                             .generations = g_array_new (FALSE, FALSE, sizeof (double)) };

  if (dyno_serving_report_is_console (dyno_import_file_get_head (file)))
    return read_console (&reader, file, error);

  g_autoptr (DynoJsonReader) pieces = dyno_json_reader_new (file);
  g_auto (DynoJsonPiece) piece = { 0 };

  dyno_json_reader_allow_several (pieces);
  while (dyno_json_reader_next (pieces, &piece, error))
    {
      if (piece.node == NULL)
        return end_run (&reader, error);
      if (!take_piece (&reader, &piece, error))
        return FALSE;
    }
  return FALSE;
}
