/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"
#include "dyno-json.h"

/* AIPerf and its predecessor GenAI-Perf: `profile_export_aiperf.json` (`…_genai_perf.json`), an object with
 * a member for each metric, {unit, avg, p50, …}, and the settings; or AIPerf’s `profile_export.jsonl`, a
 * line for each request. Units are taken from the file. Their inter-token latency is the mean gap of a
 * request. */

/* Fields of each request */
static const struct
{
  const char *metric;
  const char *name;
} record_fields[] = {
  { "time_to_first_token", "first_token_latency_ms" },
  { "time_to_second_token", "second_token_latency_ms" },
  { "inter_token_latency", "time_per_output_token_ms" },
};

typedef const char *const Path[4];

/* Returns the value at the end of @path, in words; the first element if it is a list. */
static char *
dup_setting (DynoRecord *record, const char *const *path)
{
  JsonArray *array = dyno_record_is_array (record, path[0]) ? dyno_record_get_array (record, path[0]) : NULL;
  guint n = array != NULL ? json_array_get_length (array) : 0;

  if (path[1] != NULL)
    {
      /* Of a list the last element counts, since warm-up phases come first. */
      g_autoptr (DynoRecord) part = n > 0 && dyno_json_member_get_element (array, n - 1) != NULL
                                        ? dyno_record_new_element (record, array, n - 1)
                                        : dyno_record_new_object (record, path[0]);

      return part != NULL ? dup_setting (part, path + 1) : NULL;
    }
  if (array == NULL)
    return dyno_record_is_object (record, path[0]) ? NULL : dyno_record_dup_word (record, path[0]);
  return n > 0 ? g_strdup (dyno_json_node_get_string (json_array_get_element (array, 0))) : NULL;
}

/* Settings have moved between versions. */
static char *
dup_first_setting (DynoRecord *config, Path *paths, gsize n)
{
  for (gsize i = 0; config != NULL && i < n; i++)
    {
      char *word = dup_setting (config, paths[i]);

      if (word != NULL)
        return word;
    }
  return NULL;
}

/* Metrics are read on demand; those that are never read stay in the rest. */
static double
get_metric (DynoRecord *record, const char *metric, const char *statistic, const char **unit)
{
  g_autoptr (DynoRecord) part = dyno_record_new_object (record, metric);

  if (part == NULL)
    return NAN;
  *unit = dyno_aiperf_find_unit (dyno_record_get_text (part, "unit"));
  return *unit != NULL ? dyno_record_get_amount (part, statistic) : NAN;
}

/* Returns the mean, rounded. */
static guint
get_length (DynoRecord *record, const char *metric)
{
  const char *unit;

  return dyno_import_words_round (get_metric (record, metric, "avg", &unit));
}

static Path model_paths[] = {
  { "endpoint", "model_names" }, { "models", "items", "name" }, { "model_names" }, { "model" }
};
static Path endpoint_paths[] = { { "endpoint", "type" }, { "endpoint_type" }, { "service_kind" } };
static Path client_paths[] = { { "loadgen", "concurrency" },
                               { "perf_analyzer", "stimulus", "concurrency" },
                               { "phases", "concurrency" },
                               { "concurrency" } };
static Path rate_paths[] = { { "loadgen", "request_rate" },
                             { "perf_analyzer", "stimulus", "request_rate" },
                             { "phases", "rate" },
                             { "request_rate" } };

static gboolean
read_summary_of (DynoImportBuilder *builder, DynoRecord *record, DynoRecord *config, GError **error)
{
  g_autofree char *model = dup_first_setting (config, model_paths, G_N_ELEMENTS (model_paths));
  g_autofree char *endpoint = dup_first_setting (config, endpoint_paths, G_N_ELEMENTS (endpoint_paths));
  g_autofree char *clients = dup_first_setting (config, client_paths, G_N_ELEMENTS (client_paths));
  g_autofree char *rate = dup_first_setting (config, rate_paths, G_N_ELEMENTS (rate_paths));
  g_autofree char *load = dyno_aiperf_dup_load (clients, rate);
  const char *unit;
  const DynoImportCase kase = { .model = model,
                                .backend = endpoint != NULL ? endpoint : "aiperf",
                                .batch_size = 1,
                                .sequence_length = get_length (record, "input_sequence_length"),
                                .generate_tokens = get_length (record, "output_sequence_length"),
                                .load = load };
  double n_failed = get_metric (record, "error_request_count", "avg", &unit);
  g_autofree char *cancelled = dyno_record_dup_word (record, "was_cancelled");
  guint n_answered;

  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  for (guint i = 0; i < DYNO_AIPERF_N_FIELDS; i++)
    {
      const DynoAiperfField *field = &dyno_aiperf_fields[i];
      const char *found = NULL;
      double number = get_metric (record, field->metric, field->statistic, &found);
      g_autofree char *how = g_strdup_printf ("%s, %s", field->metric, field->statistic);

      if (found != NULL)
        dyno_import_builder_add_value (builder, field->name, number, found, how);
    }
  if (g_strcmp0 (cancelled, "1") == 0)
    dyno_import_builder_add_diagnostic (builder, DYNO_SEVERITY_WARNING, "cancelled-at-source",
                                        _ ("The measurement was cancelled before its end."));
  /* Early versions do not report the count: latencies imply at least one answered request. */
  n_answered = dyno_record_has (record, "request_count")
                   ? get_length (record, "request_count")
                   : isfinite (get_metric (record, "request_latency", "avg", &unit)) != 0;
  dyno_import_builder_add_failed_requests (builder, n_answered,
                                           n_failed >= 1 && n_failed <= G_MAXINT ? (guint)n_failed : 0);
  return TRUE;
}

/* Requests */

typedef struct
{
  GArray *latencies; /* in ms */
  GArray *values[G_N_ELEMENTS (record_fields)];
  guint n_failed;
} Requests;

static void
requests_clear (Requests *self)
{
  g_array_unref (self->latencies);
  for (guint i = 0; i < G_N_ELEMENTS (record_fields); i++)
    g_array_unref (self->values[i]);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Requests, requests_clear)

static void
append_time (GArray *times, DynoRecord *metrics, const char *metric)
{
  const char *unit = NULL;
  double number = get_metric (metrics, metric, "value", &unit);
  DynoUnit own;

  if (unit == NULL || !dyno_import_unit_convert (unit, &own) || !g_str_equal (own.name, "ms") ||
      !isfinite (number))
    return;
  number *= own.factor;
  g_array_append_val (times, number);
}

/* Warm-up requests do not count. */
static gboolean
take_request (DynoRecord *record, gpointer data, GError **error)
{
  Requests *requests = data;
  g_autoptr (DynoRecord) metrics = dyno_record_new_object (record, "metrics");
  g_autoptr (DynoRecord) metadata = dyno_record_new_object (record, "metadata");
  const char *phase = metadata != NULL ? dyno_record_get_text (metadata, "benchmark_phase") : NULL;

  if (metrics == NULL || g_strcmp0 (phase, "warmup") == 0)
    return dyno_record_check (record, error);
  if (dyno_record_has (record, "error"))
    {
      requests->n_failed++;
      return dyno_record_check (record, error);
    }
  append_time (requests->latencies, metrics, "request_latency");
  for (guint i = 0; i < G_N_ELEMENTS (record_fields); i++)
    append_time (requests->values[i], metrics, record_fields[i].metric);
  return dyno_record_check (record, error);
}

static gboolean
read_requests (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_auto (Requests) requests = { 0 };
  const DynoImportCase kase = { .backend = "aiperf", .batch_size = 1 };

  requests.latencies = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < G_N_ELEMENTS (record_fields); i++)
    requests.values[i] = g_array_new (FALSE, FALSE, sizeof (double));

  if (!dyno_json_reader_read_lines (file, take_request, &requests, error))
    return FALSE;
  dyno_import_builder_set_tool (builder, "AIPerf", NULL);
  if (!dyno_import_builder_begin_case (builder, &kase, error))
    return FALSE;
  dyno_import_builder_add_process (builder, (const double *)(void *)requests.latencies->data,
                                   requests.latencies->len, "ms", "request_latency of the requests");
  for (guint i = 0; i < G_N_ELEMENTS (record_fields); i++)
    {
      g_autofree char *how = g_strdup_printf ("%s, the median of the requests", record_fields[i].metric);

      dyno_import_builder_add_median (builder, record_fields[i].name, requests.values[i], "ms", how);
    }
  dyno_import_builder_add_failed_requests (builder, requests.latencies->len, requests.n_failed);
  return TRUE;
}

static gboolean
has_requests (const char *head)
{
  static const char *const keys[] = { "metadata", "metrics", "request_latency", "value", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys);
}

/* The console: a table of metrics, whose labels may span several lines. It is read like JSON, with the
 * labels as names. */

#define TITLE "| LLM Metrics"

typedef struct
{
  DynoImportBuilder *builder;
  gboolean is_aiperf;
  char *model;    /* nullable, like the others: from the command above */
  char *endpoint; /* “chat” */
  char *clients;
  char *rate;
  GStrv statistics;  /* the column names; %NULL outside a table */
  GString *label;    /* of the current metric */
  GStrv cells;       /* its numbers */
  JsonObject *table; /* the part of the table that was read */
} Console;

static void
console_clear (Console *self)
{
  g_free (self->model);
  g_free (self->endpoint);
  g_free (self->clients);
  g_free (self->rate);
  g_strfreev (self->statistics);
  g_strfreev (self->cells);
  g_string_free (self->label, TRUE);
  g_clear_pointer (&self->table, json_object_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Console, console_clear)

/* “Time to First Token (ms)” becomes “time_to_first_token” in “ms”. A cell may be cut off, or say that
 * there is no value. */
static void
end_metric (Console *self)
{
  g_autofree char *label = g_ascii_strdown (self->label->str, -1);
  char *parenthesis = strchr (label, '(');
  g_autofree char *told =
      parenthesis != NULL ? g_strndup (parenthesis + 1, strcspn (parenthesis + 1, ")")) : g_strdup ("");
  g_autofree char *unit = NULL;
  JsonObject *metric;

  if (self->cells == NULL)
    return;
  if (parenthesis != NULL)
    *parenthesis = '\0';
  g_strdelimit (g_strstrip (label), " ", '_');

  /* Units of the table that have other names in JSON. Early tables have no unit for counts of tokens. */
  gboolean is_of_tokens = strstr (label, "token") != NULL;

  unit = *told == '\0'                   ? g_strdup (g_str_has_suffix (label, "_length") ? "tokens" : "")
         : g_str_equal (told, "per sec") ? g_strdup (is_of_tokens ? "tokens/sec" : "requests/sec")
                                         : g_strdup (g_str_equal (told, "req/s") ? "requests/sec" : told);

  metric = json_object_new ();
  json_object_set_string_member (metric, "unit", unit);
  for (guint i = 0; self->cells[i] != NULL && self->statistics[i] != NULL; i++)
    {
      g_auto (GStrv) groups = g_strsplit (self->cells[i], ",", -1);
      g_autofree char *number = g_strjoinv ("", groups);

      if (g_ascii_isdigit (*number) && strspn (number, "0123456789.") == strlen (number))
        json_object_set_string_member (metric, self->statistics[i], number);
    }
  json_object_set_object_member (self->table, label, metric);
  g_clear_pointer (&self->cells, g_strfreev);
}

static void
set_config (JsonObject *config, const char *name, const char *text)
{
  if (text != NULL)
    json_object_set_string_member (config, name, text);
}

static gboolean
end_table (Console *self, guint line, GError **error)
{
  g_autoptr (JsonNode) root = NULL;
  g_autoptr (DynoRecord) record = NULL;
  g_autoptr (DynoRecord) config = NULL;
  g_autofree char *text = NULL;
  JsonObject *told = json_object_new ();

  end_metric (self);
  g_clear_pointer (&self->statistics, g_strfreev);
  set_config (told, "model", self->model);
  set_config (told, "endpoint_type", self->endpoint);
  set_config (told, "concurrency", self->clients);
  set_config (told, "request_rate", self->rate);
  json_object_set_object_member (self->table, "input_config", told);
  root = json_node_init_object (json_node_alloc (), self->table);
  g_clear_pointer (&self->table, json_object_unref);
  text = dyno_json_text_write (root, FALSE);
  record = dyno_json_reader_parse_line (text, line, error);
  if (record == NULL)
    return FALSE;
  config = dyno_record_new_part (record, "input_config");
  dyno_import_builder_set_tool (self->builder, self->is_aiperf ? "AIPerf" : "GenAI-Perf", NULL);
  if (!read_summary_of (self->builder, record, config, error))
    return FALSE;
  dyno_import_builder_set_numbering (self->builder, "run");
  dyno_import_builder_take_rest (self->builder, NULL, dyno_record_dup_rest (record));
  return dyno_record_check (record, error);
}

static GStrv
split_row (const char *text)
{
  g_auto (GStrv) heavy = g_strsplit (text, "┃", -1);
  g_autofree char *light = g_strjoinv ("│", heavy);
  g_autofree char *inner = g_strndup (light + strlen ("│"), strlen (light) - strlen ("│"));
  char *end = g_strrstr (inner, "│");

  if (end != NULL)
    *end = '\0';
  return dyno_import_words_split (inner, "│");
}

static gboolean
read_console_line (const char *text, guint line, gpointer data, GError **error)
{
  Console *self = data;
  g_autofree char *inner = g_strstrip (g_strdup (text));

  if (g_str_has_prefix (inner, "┃") || g_str_has_prefix (inner, "│"))
    {
      g_auto (GStrv) cells = split_row (inner);

      if (cells[0] != NULL)
        {
          /* @cells begins with the label. */
          gboolean is_empty = TRUE;

          for (char **cell = cells + 1; *cell != NULL; cell++)
            is_empty = is_empty && **cell == '\0';

          if (self->statistics == NULL)
            {
              self->statistics = g_strdupv (cells + 1);
              self->table = json_object_new ();
            }
          else if (is_empty)
            g_string_append_printf (self->label, " %s", cells[0]);
          else
            {
              end_metric (self);
              g_string_assign (self->label, cells[0]);
              self->cells = g_strdupv (cells + 1);
            }
        }
    }
  else if (g_str_has_prefix (inner, "└") && self->table != NULL)
    return end_table (self, line, error);
  else if (strstr (inner, TITLE) != NULL)
    self->is_aiperf = strstr (inner, "AIPerf") != NULL;
  else
    {
      dyno_console_text_take (&self->model, dyno_console_text_find_model (inner));
      dyno_console_text_take (&self->endpoint,
                              dyno_console_text_find (inner, "--endpoint-type[ =]([a-z_]+)"));
      dyno_console_text_take (&self->clients, dyno_console_text_find (inner, "--concurrency[ =]([0-9]+)"));
      dyno_console_text_take (&self->rate, dyno_console_text_find (inner, "--request-rate[ =]([0-9.]+)"));
    }
  return TRUE;
}

static gboolean
is_console (const char *head)
{
  return strstr (head, TITLE) != NULL && strstr (head, "┃") != NULL;
}

static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { "request_latency", "request_throughput", "unit", "avg", NULL };

  /* Its output for several runs is another format. */
  return has_requests (head) || is_console (head) ||
         (dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys) &&
          !dyno_dialect_has_key (head, "aggregation_type"));
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  if (is_console (dyno_import_file_get_head (file)))
    {
      g_auto (Console) console = { .builder = builder, .label = g_string_new (NULL) };

      return dyno_import_file_read_lines (file, read_console_line, &console, error);
    }
  if (has_requests (dyno_import_file_get_head (file)))
    return read_requests (file, builder, error);

  g_autoptr (DynoRecord) record = dyno_json_reader_read_record (file, error);
  g_autoptr (DynoRecord) config = NULL;
  gboolean is_aiperf;

  if (record == NULL)
    return FALSE;
  is_aiperf = dyno_record_has (record, "schema_version") || dyno_record_has (record, "was_cancelled");
  config = dyno_record_new_part (record, "input_config");
  dyno_import_builder_set_tool (builder, is_aiperf ? "AIPerf" : "GenAI-Perf",
                                dyno_record_get_text (record, "aiperf_version"));
  dyno_import_builder_set_time (builder, dyno_record_get_time (record, "start_time"));
  if (!read_summary_of (builder, record, config, error))
    return FALSE;
  dyno_import_builder_take_rest (builder, NULL, dyno_record_dup_rest (record));
  if (config != NULL)
    dyno_import_builder_take_rest (builder, "input_config", dyno_record_dup_rest (config));
  return dyno_record_check (record, error);
}

const DynoDialect dyno_aiperf_dialect = {
  .name = "aiperf",
  .title = "AIPerf and GenAI-Perf",
  .method = N_ ("A client of a server measures it, and a request counts from when it is sent; its "
                "inter-token latency is the mean gap of a request, and not of all tokens."),
  .recognise = recognise,
  .read = read_file,
};
