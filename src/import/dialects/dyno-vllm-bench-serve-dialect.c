/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect-registry.h"
#include "dyno-json-reader.h"
#include "dyno-load.h"

/* `vllm bench serve`: one JSON object for each run of the client, behind each other where it appends. The version of the
 * server is not in it. What vLLM calls ITL pools the gaps between all tokens; its TPOT is the mean gap of a request. With
 * details there are lists with an element for each request, which may be long: in s, the time to the first token, and the
 * gaps between the tokens. They are read one by one, and the file keeps them. */

/* The run of the client that is being read. */
typedef struct
{
  DynoImportBuilder *builder;
  guint document;
  DynoRecord *record;   /* nullable: what it says beside lists */
  GArray *first_tokens; /* of each request, in s; 0 of those that failed */
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

/* “20250821-143000”, in the zone of the machine, which the file does not tell */
static void
set_time (DynoImportBuilder *builder, DynoRecord *record)
{
  const char *text = dyno_record_get_text (record, "date");
  g_autofree char *iso = text != NULL ? g_strdelimit (g_strdup (text), "-", 'T') : NULL;
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = iso != NULL ? g_date_time_new_from_iso8601 (iso, utc) : NULL;

  if (time != NULL && g_date_time_to_unix (time) > 0)
    dyno_import_builder_set_time (builder, g_date_time_to_unix (time) * G_USEC_PER_SEC);
}

/* A rate of “inf” sends all requests at once, of which @clients are let through. Nothing where Dyno has no such load. */
static char *
dup_load (const char *rate, guint clients)
{
  DynoLoad load = { .clients = MAX (clients, 1) };
  g_autofree char *text = NULL;

  if (rate == NULL)
    return NULL;
  load.rate = g_ascii_strtod (rate, NULL);
  load.shape = load.rate > 0 && isfinite (load.rate) ? DYNO_LOAD_RATE
               : clients > 0                         ? DYNO_LOAD_CONCURRENT
                                                     : DYNO_LOAD_OFFLINE;
  text = dyno_load_to_string (&load);
  return dyno_load_parse (text, &load, NULL) ? g_steal_pointer (&text) : NULL;
}

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
  static const struct
  {
    const char *field;
    const char *name;
    const char *unit;
    const char *how;
  } values[] = {
    { "mean_e2el_ms", "latency_mean_ms", "ms", "mean_e2el_ms" },
    { "median_e2el_ms", "latency_p50_ms", "ms", "median_e2el_ms" },
    { "std_e2el_ms", "latency_stddev_ms", "ms", "std_e2el_ms" },
    { "p90_e2el_ms", "latency_p90_ms", "ms", "p90_e2el_ms" },
    { "p95_e2el_ms", "latency_p95_ms", "ms", "p95_e2el_ms" },
    { "p99_e2el_ms", "latency_p99_ms", "ms", "p99_e2el_ms" },
    { "completed", "latency_samples", "", "completed" },
    { "median_ttft_ms", "first_token_latency_ms", "ms", "median_ttft_ms" },
    { "mean_ttft_ms", "first_token_latency_mean_ms", "ms", "mean_ttft_ms" },
    { "p99_ttft_ms", "first_token_latency_p99_ms", "ms", "p99_ttft_ms" },
    { "median_itl_ms", "inter_token_latency_ms", "ms", "median_itl_ms, of the gaps of all requests" },
    { "mean_itl_ms", "inter_token_latency_mean_ms", "ms", "mean_itl_ms, of the gaps of all requests" },
    { "p99_itl_ms", "inter_token_latency_p99_ms", "ms", "p99_itl_ms, of the gaps of all requests" },
    { "median_tpot_ms", "time_per_output_token_ms", "ms", "median_tpot_ms, of the mean gaps of requests" },
    { "mean_tpot_ms", "time_per_output_token_mean_ms", "ms", "mean_tpot_ms, of the mean gaps of requests" },
    { "p99_tpot_ms", "time_per_output_token_p99_ms", "ms", "p99_tpot_ms, of the mean gaps of requests" },
    { "request_throughput", "throughput_items_per_sec", "1/s", "request_throughput" },
    { "request_goodput", "goodput_items_per_sec", "1/s", "request_goodput" },
    { "request_goodput:", "goodput_items_per_sec", "1/s", "request_goodput" }, /* sic, until 2025 */
    { "total_token_throughput", "throughput_tokens_per_sec", "tokens/s",
      "total_token_throughput, prompts and generated tokens" },
    { "output_throughput", "output_tokens_per_sec", "tokens/s", "output_throughput" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    dyno_import_builder_add_value (builder, values[i].name, dyno_record_get_amount (record, values[i].field),
                                   values[i].unit, values[i].how);
}

/* The mean of a request, as a whole number: requests of a data set differ in length. */
static guint
count_tokens (DynoRecord *record, const char *field, guint n_requests)
{
  return n_requests > 0 ? (dyno_record_get_count (record, field) + n_requests / 2) / n_requests : 0;
}

/* A request ends with its last token. Where the lists do not hold all requests that were answered, they are of another
 * version. */
static void
add_requests (Reader *self, guint n_completed)
{
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
    dyno_import_builder_add_process (self->builder, (const double *)(void *)latencies->data, latencies->len,
                                     "s", "ttfts and itls, their sum for each request");
}

static gboolean
begin_case (Reader *self, DynoRecord *record, guint n_completed, GError **error)
{
  const char *model = dyno_record_get_text (record, "model_id");
  const char *server = dyno_record_get_text (record, "backend");
  const char *endpoint = dyno_record_get_text (record, "endpoint_type");
  g_autofree char *rate = dyno_record_dup_word (record, "request_rate");
  g_autofree char *load = dup_load (rate, dyno_record_get_count (record, "max_concurrency"));
  const DynoImportCase kase = {
    .model = model != NULL ? model : "unknown",
    .backend = server != NULL     ? server
               : endpoint != NULL ? endpoint
                                  : "vllm",
    .sequence_length = count_tokens (record, "total_input_tokens", n_completed),
    .generate_tokens = count_tokens (record, "total_output_tokens", n_completed),
    .load = load,
  };

  dyno_import_builder_set_tool (self->builder, "vllm bench serve", NULL);
  set_time (self->builder, record);
  if (!dyno_import_builder_begin_case (self->builder, &kase, error))
    return FALSE;
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
  guint n_completed = record != NULL ? dyno_record_get_count (record, "completed") : 0;

  if (record == NULL)
    return TRUE;
  if (!begin_case (self, record, n_completed, error))
    return FALSE;
  add_option (self->builder, record, "num_prompts", NULL);
  add_option (self->builder, record, "burstiness", "1.0");
  add_option (self->builder, record, "label", NULL);
  if (n_completed > 0) /* else they are zeros */
    {
      add_requests (self, n_completed);
      add_values (self->builder, record);
    }
  dyno_import_builder_add_failed_requests (self->builder, n_completed,
                                           dyno_record_get_count (record, "failed"));
  dyno_import_builder_take_rest (self->builder, NULL, dyno_record_dup_rest (record));
  g_array_set_size (self->first_tokens, 0);
  g_array_set_size (self->generations, 0);
  return dyno_record_check (record, error);
}

static gboolean
take_request (Reader *self, const DynoJsonPiece *piece, GError **error)
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
    return take_request (self, piece, error);
  dyno_record_take_source (self->record, piece->member, piece->source);
  return TRUE;
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoJsonReader) pieces = dyno_json_reader_new (file);
  g_auto (Reader) reader = { .builder = builder,
                             .first_tokens = g_array_new (FALSE, FALSE, sizeof (double)),
                             .generations = g_array_new (FALSE, FALSE, sizeof (double)) };
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

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "model_id", "tokenizer_id", "num_prompts", "request_throughput", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys);
}

const DynoDialect dyno_vllm_bench_serve_dialect = {
  .name = "vllm-bench-serve",
  .title = "vllm bench serve",
  .method = N_ ("A client of a server measures it, and a request counts from when it is sent, not from when "
                "it was to be sent."),
  .recognise = recognise,
  .read = read_file,
};
