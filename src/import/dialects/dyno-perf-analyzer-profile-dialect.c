/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-dialect.h"
#include "dyno-import-dialects-private.h"

/* The raw export of perf_analyzer, `profile_export.json`, also the input of GenAI-Perf: for each experiment
 * (a load) its requests, each with the time when it was sent and the times of its responses, in ns. The
 * contents of requests and responses are not kept. */

#define EXPERIMENTS "experiments"

/* A response has at least a time; a request without a response failed. */
typedef struct
{
  guint element;
  char *mode;
  char *value;
  GArray *latencies; /* in ms, like the others */
  GArray *first_tokens;
  GArray *gaps; /* the mean gap of each request */
  gint64 first_sent;
  gint64 last_answered;
  guint n_failed;
} Experiment;

typedef struct
{
  DynoImportBuilder *builder;
  GPtrArray *experiments;
  char *model;
  char *version;
  char *service;
  char *endpoint;
} Reader;

static void
experiment_free (Experiment *self)
{
  g_free (self->mode);
  g_free (self->value);
  g_array_unref (self->latencies);
  g_array_unref (self->first_tokens);
  g_array_unref (self->gaps);
  g_free (self);
}

static void
reader_clear (Reader *self)
{
  g_clear_pointer (&self->experiments, g_ptr_array_unref);
  g_free (self->model);
  g_free (self->version);
  g_free (self->service);
  g_free (self->endpoint);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reader, reader_clear)

static void
append (GArray *array, double number)
{
  g_array_append_val (array, number);
}

/* Subtracts integers: a double cannot hold 64 bits of ns. */
static gint64 *
dup_times (DynoRecord *record, gsize *n, GError **error)
{
  JsonArray *array = dyno_record_get_array (record, "response_timestamps");
  guint length = array != NULL ? json_array_get_length (array) : 0;
  gint64 *times = g_new (gint64, MAX (length, 1));

  *n = length;
  for (guint i = 0; i < length; i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (json_node_get_value_type (node) == G_TYPE_INT64)
        times[i] = json_node_get_int (node);
      else
        {
          dyno_import_file_set_error (error, dyno_record_get_line (record),
                                      _ ("“response_timestamps” is a list of whole numbers, in ns."));
          g_free (times);
          return NULL;
        }
    }
  return times;
}

static gboolean
take_request (Experiment *self, DynoRecord *record, GError **error)
{
  g_autofree char *word = dyno_record_dup_word (record, "timestamp");
  gint64 sent;
  gsize n;
  g_autofree gint64 *times = dup_times (record, &n, error);

  if (times == NULL)
    return FALSE;
  if (word == NULL || !g_ascii_string_to_signed (word, 10, 0, G_MAXINT64, &sent, NULL) ||
      (n > 0 && times[n - 1] < sent))
    {
      dyno_import_file_set_error (error, dyno_record_get_line (record),
                                  _ ("A request needs a “timestamp” in ns, before its responses."));
      return FALSE;
    }
  if (n == 0)
    {
      self->n_failed++;
      return dyno_record_check (record, error);
    }
  append (self->latencies, (double)(times[n - 1] - sent) / 1e6);
  self->first_sent = MIN (self->first_sent, sent);
  self->last_answered = MAX (self->last_answered, times[n - 1]);
  if (n > 1)
    {
      append (self->first_tokens, (double)(times[0] - sent) / 1e6);
      append (self->gaps, (double)(times[n - 1] - times[0]) / 1e6 / (double)(n - 1));
    }
  return dyno_record_check (record, error);
}

static gboolean
take_piece (Reader *reader, const DynoJsonPiece *piece, GError **error)
{
  GPtrArray *all = reader->experiments;
  Experiment *experiment = all->len > 0 ? all->pdata[all->len - 1] : NULL;
  gboolean is_request = g_str_equal (piece->member, "requests");
  g_autoptr (DynoRecord) record = NULL;

  if (experiment == NULL || experiment->element != piece->element)
    {
      experiment = g_new0 (Experiment, 1);
      experiment->element = piece->element;
      experiment->latencies = g_array_new (FALSE, FALSE, sizeof (double));
      experiment->first_tokens = g_array_new (FALSE, FALSE, sizeof (double));
      experiment->gaps = g_array_new (FALSE, FALSE, sizeof (double));
      experiment->first_sent = G_MAXINT64;
      g_ptr_array_add (all, experiment);
    }
  if (!is_request && !g_str_equal (piece->member, "experiment"))
    return TRUE;
  record = dyno_json_piece_to_record (piece, error);
  if (record == NULL)
    return FALSE;
  if (is_request)
    {
      if (experiment->latencies->len == 0)
        {
          /* The model is the one in the first request, if that is an object. */
          g_autoptr (DynoRecord) inputs = dyno_record_new_object (record, "request_inputs");
          const char *payload = inputs != NULL ? dyno_record_get_text (inputs, "payload") : NULL;
          g_autoptr (DynoRecord) asked =
              payload != NULL ? dyno_json_reader_parse_line (payload, dyno_record_get_line (record), NULL)
                              : NULL;

          if (asked != NULL && reader->model == NULL)
            reader->model = dyno_record_dup_word (asked, "model");
        }
      return take_request (experiment, record, error);
    }
  experiment->mode = dyno_record_dup_word (record, "mode");
  experiment->value = dyno_record_dup_word (record, "value");
  return dyno_record_check (record, error);
}

static void
take_word (const DynoJsonPiece *piece, const char *member, char **word)
{
  if (*word == NULL && g_strcmp0 (piece->member, member) == 0 &&
      json_node_get_value_type (piece->node) == G_TYPE_STRING && *json_node_get_string (piece->node) != '\0')
    *word = json_node_dup_string (piece->node);
}

static gboolean
add_experiment (Reader *reader, Experiment *experiment, GError **error)
{
  gboolean is_rate = g_strcmp0 (experiment->mode, "request_rate") == 0;
  g_autofree char *load =
      dyno_aiperf_dup_load (is_rate ? NULL : experiment->value, is_rate ? experiment->value : NULL);
  const DynoImportCase kase = { .model = reader->model,
                                .backend = reader->service != NULL ? reader->service : "perf_analyzer",
                                .load = load };
  double seconds = (double)(experiment->last_answered - experiment->first_sent) / 1e9;

  if (!dyno_import_builder_begin_case (reader->builder, &kase, error))
    return FALSE;
  dyno_import_builder_add_option (reader->builder, "endpoint", reader->endpoint);
  dyno_import_builder_add_process (reader->builder, (const double *)(void *)experiment->latencies->data,
                                   experiment->latencies->len, "ms",
                                   "the last response of each request, since it was sent");
  dyno_import_builder_add_median (reader->builder, "first_token_latency_ms", experiment->first_tokens, "ms",
                                  "the first response of each request, since it was sent; the median");
  dyno_import_builder_add_median (reader->builder, "time_per_output_token_ms", experiment->gaps, "ms",
                                  "the mean gap of the responses of each request; the median");
  if (experiment->latencies->len > 0)
    dyno_import_builder_add_value (reader->builder, "throughput_items_per_sec",
                                   experiment->latencies->len / seconds, "1/s",
                                   "requests from the first that was sent to the last that was answered");
  dyno_import_builder_add_failed_requests (reader->builder, experiment->latencies->len, experiment->n_failed);
  return TRUE;
}

static gboolean
read_file (DynoImportFile *file, DynoImportBuilder *builder, GError **error)
{
  g_autoptr (DynoJsonReader) pieces = dyno_json_reader_new_apart (file, EXPERIMENTS, DYNO_IMPORT_MAX_PIECE);
  g_auto (Reader)
      reader = { .builder = builder,
                 .experiments = g_ptr_array_new_with_free_func ((GDestroyNotify)experiment_free) };
  g_auto (DynoJsonPiece) piece = { 0 };

  while (dyno_json_reader_next (pieces, &piece, error))
    {
      if (piece.node == NULL)
        {
          dyno_import_builder_set_tool (builder, "perf_analyzer", reader.version);
          for (guint i = 0; i < reader.experiments->len; i++)
            if (!add_experiment (&reader, reader.experiments->pdata[i], error))
              return FALSE;
          return TRUE;
        }
      if (piece.element > 0 && !take_piece (&reader, &piece, error))
        return FALSE;
      if (piece.element > 0)
        continue;
      take_word (&piece, "version", &reader.version);
      take_word (&piece, "service_kind", &reader.service);
      take_word (&piece, "endpoint", &reader.endpoint);
    }
  return FALSE;
}

/* Keys after the first request are not searched for, as that may be long. */
static gboolean
recognise (const char *head)
{
  static const char *const keys[] = { EXPERIMENTS, "requests", "timestamp", NULL };

  return dyno_dialect_begins_with (head, "{") && dyno_dialect_has_keys (head, keys);
}

const DynoDialect dyno_perf_analyzer_profile_dialect = {
  .name = "perf-analyzer-profile",
  .title = "perf_analyzer and GenAI-Perf (raw requests)",
  .method = N_ ("A client of a server measures it; a request counts from when it is sent to its last "
                "response, and a response stands for a token, of which it may hold several."),
  .recognise = recognise,
  .read = read_file,
};
