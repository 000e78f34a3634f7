/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect-registry.h"
#include "dyno-json-reader.h"
#include "dyno-load.h"

/* `vllm bench serve`: one JSON object for each run of the client, behind each other where it appends. The version of the
 * server is not in it. What vLLM calls ITL pools the gaps between all tokens; its TPOT is the mean gap of a request. */

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
    { "median_itl_ms", "inter_token_latency_ms", "ms", "median_itl_ms, of the gaps of all requests" },
    { "median_tpot_ms", "time_per_output_token_ms", "ms", "median_tpot_ms, of the mean gaps of requests" },
    { "request_throughput", "throughput_items_per_sec", "1/s", "request_throughput" },
    { "request_goodput", "goodput_items_per_sec", "1/s", "request_goodput" },
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

static gboolean
read_run (DynoRecord *record, gpointer data, GError **error)
{
  DynoImportBuilder *builder = data;
  guint n_completed = dyno_record_get_count (record, "completed");
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

  dyno_import_builder_set_tool (builder, "vllm bench serve", NULL);
  set_time (builder, record);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  if (load == NULL)
    {
      dyno_import_builder_add_option (builder, "request_rate", rate);
      add_option (builder, record, "max_concurrency", NULL);
    }
  add_option (builder, record, "num_prompts", NULL);
  add_option (builder, record, "burstiness", "1.0");
  add_option (builder, record, "label", NULL);
  if (n_completed > 0) /* else they are zeros */
    add_values (builder, record);
  dyno_import_builder_add_failed_requests (builder, n_completed, dyno_record_get_count (record, "failed"));
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  return dyno_json_reader_read_lines (file, read_run, builder, error);
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
