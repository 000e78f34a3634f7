/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <math.h>

#include "dyno-clock.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-server-private.h"

#define READ_BYTES 65536
/* A token is an event of a few hundred bytes; the last events also have counts. */
#define TOKEN_BYTES 1024
#define USUAL_BYTES (1024 * 1024)
#define MAX_BYTES   (64 * 1024 * 1024)

/* Larger than any time, in any unit, and any count of one request. */
#define MOST_NUMBER 1e15

/* In tokens/s; slower rates are ignored. */
#define LEAST_RATE 1e-6

/* The bytes of an answer up to @end, and when they came. */
typedef struct
{
  gsize end;
  gint64 time_ns;
} Arrival;

struct _DynoServerAnswer
{
  char *server;
  GByteArray *bytes;
  GArray *arrivals;
  gboolean is_over; /* FALSE if it broke off or did not end */
  GError *problem;
};

/* The destination of its events. */
typedef struct
{
  DynoServerProtocol protocol;
  DynoServed *served;
  GString *text;
  gint64 now_ns;
  gboolean has_events;
  gboolean is_done;
  GError *problem;
} Reading;

DynoServerAnswer *
dyno_server_answer_new (const char *server, guint n_tokens)
{
  DynoServerAnswer *self = g_new0 (DynoServerAnswer, 1);

  self->server = g_strdup (server);
  self->bytes = g_byte_array_sized_new (MIN ((n_tokens + 1) * TOKEN_BYTES, USUAL_BYTES));
  self->arrivals = g_array_sized_new (FALSE, FALSE, sizeof (Arrival), n_tokens + 1);
  return self;
}

void
dyno_server_answer_free (DynoServerAnswer *self)
{
  if (self == NULL)
    return;
  g_free (self->server);
  g_byte_array_unref (self->bytes);
  g_array_unref (self->arrivals);
  g_clear_error (&self->problem);
  g_free (self);
}

void
dyno_server_answer_receive (DynoServerAnswer *self, GInputStream *stream, atomic_uint *heard)
{
  g_autofree guint8 *buffer = g_malloc (READ_BYTES);
  gssize n;

  while ((n = g_input_stream_read (stream, buffer, READ_BYTES, NULL, &self->problem)) > 0 &&
         self->bytes->len < MAX_BYTES)
    {
      Arrival arrival = { self->bytes->len + (gsize)n, dyno_clock_now_ns () };

      g_array_append_val (self->arrivals, arrival);
      g_byte_array_append (self->bytes, buffer, (guint)n);
      if (heard != NULL)
        atomic_fetch_add_explicit (heard, 1, memory_order_relaxed);
    }
  self->is_over = n == 0;
}

static const char *
get_text (JsonObject *object, const char *name)
{
  const char *text = dyno_json_member_get_string (object, name);

  return text != NULL && *text != '\0' ? text : NULL;
}

static double
get_number (JsonObject *object, const char *name, double fallback)
{
  double number = dyno_json_member_get_double (object, name, NAN);

  return isfinite (number) && fabs (number) < MOST_NUMBER ? number : fallback;
}

/* Stores the count in @count, if it is reported. */
static void
take_count (JsonObject *object, const char *name, gint64 *count)
{
  double number = get_number (object, name, -1);

  if (number >= 0 && number <= G_MAXINT32)
    *count = (gint64)number;
}

/* The first event often has only a role; only text counts as a token. */
static void
take_piece (Reading *self, const char *output, const char *reasoning)
{
  DynoServed *served = self->served;

  if (output == NULL && reasoning == NULL)
    return;
  if (output != NULL && served->output_ns == 0)
    served->output_ns = self->now_ns;
  if (output == NULL)
    served->has_reasoned = TRUE;
  g_string_append (self->text, output != NULL ? output : reasoning);
  g_array_append_val (served->chunks_ns, self->now_ns);
}

static double
get_duration (JsonObject *event, const char *name, double fallback)
{
  double duration_ns = get_number (event, name, -1);

  return duration_ns >= 0 ? duration_ns / 1e6 : fallback;
}

/* Reads a line of Ollama, which leaves out zeros. */
static void
read_line (Reading *self, JsonObject *event)
{
  DynoServed *served = self->served;
  JsonObject *message = dyno_json_member_get_object (event, "message");

  take_piece (self, get_text (message, "content"), get_text (message, "thinking"));
  if (!dyno_json_member_get_boolean (event, "done"))
    return;
  self->is_done = TRUE;
  take_count (event, "prompt_eval_count", &served->prompt_tokens);
  take_count (event, "eval_count", &served->output_tokens);
  take_count (event, "prompt_eval_cached_count", &served->cached_tokens);
  served->prompt_ms = get_duration (event, "prompt_eval_duration", served->prompt_ms);
  served->decode_ms = get_duration (event, "eval_duration", served->decode_ms);
  served->load_ms = get_duration (event, "load_duration", served->load_ms);
}

static gboolean
refuse (Reading *self, const char *message)
{
  g_set_error_literal (&self->problem, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT, message);
  return FALSE;
}

/* Takes the server's counts of tokens, which only it knows, and its times. */
static void
take_event (Reading *self, JsonObject *event)
{
  if (self->protocol == DYNO_SERVER_PROTOCOL_OLLAMA)
    {
      read_line (self, event);
      return;
    }

  JsonArray *choices = dyno_json_member_get_array (event, "choices");
  JsonObject *choice = choices != NULL && json_array_get_length (choices) > 0
                           ? dyno_json_member_get_element (choices, 0)
                           : NULL;
  JsonObject *delta = dyno_json_member_get_object (choice, "delta");
  const char *reasoning = get_text (delta, "reasoning_content");

  take_piece (self, get_text (delta != NULL ? delta : choice, delta != NULL ? "content" : "text"),
              reasoning != NULL ? reasoning : get_text (delta, "reasoning"));
  if (get_text (choice, "finish_reason") != NULL)
    self->is_done = TRUE;

  /* The timings are those of llama-server, the statistics those of LM Studio. */
  DynoServed *served = self->served;
  JsonObject *usage = dyno_json_member_get_object (event, "usage");
  JsonObject *timings = dyno_json_member_get_object (event, "timings");
  JsonObject *stats = dyno_json_member_get_object (event, "stats");
  double rate = get_number (stats, "tokens_per_second", 0);

  take_count (usage, "prompt_tokens", &served->prompt_tokens);
  take_count (usage, "completion_tokens", &served->output_tokens);
  take_count (dyno_json_member_get_object (usage, "prompt_tokens_details"), "cached_tokens",
              &served->cached_tokens);
  take_count (timings, "cache_n", &served->cached_tokens);
  take_count (timings, "draft_n", &served->drafted_tokens);
  take_count (timings, "draft_n_accepted", &served->accepted_tokens);
  served->prompt_ms = get_number (timings, "prompt_ms", served->prompt_ms);
  served->decode_ms = get_number (timings, "predicted_ms", served->decode_ms);
  served->token_ms = get_number (timings, "predicted_per_token_ms", served->token_ms);
  /* It is not documented whether LM Studio's generation time includes the first token, so its own rate is used. Its
   * time to the first token includes more than the prompt. */
  served->first_ms = 1e3 * get_number (stats, "time_to_first_token", -1);
  if (rate > LEAST_RATE)
    served->token_ms = 1e3 / rate;
}

static gboolean
read_event (const char *data, gpointer user_data)
{
  Reading *self = user_data;
  g_autoptr (JsonObject) event = NULL;

  self->has_events = TRUE;
  if (g_str_equal (data, "[DONE]"))
    {
      self->is_done = TRUE;
      return TRUE;
    }
  event = g_utf8_validate (data, -1, NULL) ? dyno_json_try_object (data, -1) : NULL;
  if (event == NULL)
    return refuse (
        self, _ ("The server’s answer holds an event that is not JSON. Is it an OpenAI-compatible server?"));
  if (json_object_has_member (event, "error") && !json_object_get_null_member (event, "error"))
    return refuse (self, _ ("The server broke off its answer with an error. Look at what it logged."));
  take_event (self, event);
  return TRUE;
}

/* Events before an interruption still count. */
static gboolean
read_events (const DynoServerAnswer *self, Reading *reading)
{
  g_autoptr (DynoSse) sse = dyno_sse_new (reading->protocol == DYNO_SERVER_PROTOCOL_OLLAMA);
  gsize start = 0;

  for (guint i = 0; i < self->arrivals->len; i++)
    {
      const Arrival *arrival = &g_array_index (self->arrivals, Arrival, i);
      const char *bytes = (const char *)self->bytes->data + start;

      reading->now_ns = arrival->time_ns;
      if (!dyno_sse_feed (sse, bytes, arrival->end - start, read_event, reading))
        return reading->problem != NULL ||
               refuse (reading, _ ("The server’s answer holds an event of impossible length."));
      start = arrival->end;
    }
  return TRUE;
}

gboolean
dyno_server_answer_read (
    DynoServerAnswer *self, DynoServerProtocol protocol, DynoServed *served, GString *text, GError **error)
{
  Reading reading = { .protocol = protocol, .served = served, .text = text };

  read_events (self, &reading);
  if (served->prompt_tokens >= 0)
    served->cached_tokens = MIN (served->cached_tokens, served->prompt_tokens);
  if (reading.problem != NULL)
    {
      g_propagate_error (error, reading.problem);
      return FALSE;
    }
  if (self->is_over && reading.is_done && served->chunks_ns->len > 0)
    return TRUE;
  if (self->is_over)
    {
      const char *reason;

      if (!reading.has_events)
        reason = _ ("The server did not answer with a stream of events (“stream”: true). Only streams can be "
                    "measured.");
      else if (reading.is_done)
        reason = _ ("The server answered without any text. Is the model one that writes text?");
      else
        reason = _ ("The server closed the connection in the middle of its answer. Look at what it logged.");
      g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT, reason);
      return FALSE;
    }
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
               _ ("The answer of the server “%s” broke off: %s. Look at what it logged."), self->server,
               self->problem != NULL ? self->problem->message : _ ("it does not end"));
  return FALSE;
}
