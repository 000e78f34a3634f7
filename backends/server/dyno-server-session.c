/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <json-glib/json-glib.h>
#include <string.h>

#include "dyno-clock.h"
#include "dyno-error.h"
#include "dyno-json-member.h"
#include "dyno-json-text.h"
#include "dyno-port-owner.h"
#include "dyno-process-family.h"
#include "dyno-server-address.h"
#include "dyno-server-models.h"
#include "dyno-server-session.h"
#include "dyno-sse.h"

#define CHAT_PATH "/v1/chat/completions"

#define READ_BYTES     65536
#define USUAL_BYTES    (1024 * 1024)
#define MAX_BYTES      (64 * 1024 * 1024)
#define ASKING_SECONDS 10

struct _DynoServerSession
{
  DynoSession parent_instance;

  char *server;
  char *model;
  char *kind;
  gboolean is_trusted;
  atomic_uint *heard;
  GArray *processes; /* that listen, once they were looked for */
  DynoServerHttp *http;
};

G_DEFINE_FINAL_TYPE (DynoServerSession, dyno_server_session, DYNO_TYPE_SESSION)

/* Some bytes of an answer, up to @end, and when they came. */
typedef struct
{
  gsize end;
  gint64 time_ns;
} Arrival;

/* An answer, as it came. */
typedef struct
{
  GByteArray *bytes;
  GArray *arrivals;
} Answer;

/* What its events are read into. */
typedef struct
{
  DynoServed *served;
  gint64 now_ns;
  gboolean has_events;
  gboolean is_done;
  GError *problem;
} Reading;

static void
dyno_server_session_finalize (GObject *object)
{
  DynoServerSession *self = DYNO_SERVER_SESSION (object);

  g_clear_pointer (&self->http, dyno_server_http_free);
  g_clear_pointer (&self->processes, g_array_unref);
  g_free (self->server);
  g_free (self->model);
  g_free (self->kind);

  G_OBJECT_CLASS (dyno_server_session_parent_class)->finalize (object);
}

/* Words of one token in most vocabularies. Random from the first one on, so that no two prompts share what a cache of
 * prefixes could keep. */
static char *
create_prompt (guint n_tokens)
{
  static const char *const words[] = { "time",  "year", "people", "way",   "day",    "man",   "thing",
                                       "woman", "life", "child",  "world", "school", "state", "family",
                                       "hand",  "part", "place",  "case",  "week",   "work",  "night",
                                       "point", "home", "water",  "room",  "mother", "area",  "money",
                                       "story", "fact", "month",  "book" };
  GString *prompt = g_string_new (NULL);

  for (guint i = 0; i < n_tokens; i++)
    g_string_append_printf (prompt, "%s%s", i > 0 ? " " : "",
                            words[g_random_int_range (0, G_N_ELEMENTS (words))]);
  return g_string_free (prompt, FALSE);
}

static void
add_boolean (JsonBuilder *builder, const char *name, gboolean value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_boolean_value (builder, value);
}

static void
add_message (JsonBuilder *builder, const char *text)
{
  json_builder_set_member_name (builder, "messages");
  json_builder_begin_array (builder);
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "role");
  json_builder_add_string_value (builder, "user");
  json_builder_set_member_name (builder, "content");
  json_builder_add_string_value (builder, text);
  json_builder_end_object (builder);
  json_builder_end_array (builder);
}

/* Only what the kind of server is known to take goes beyond OpenAI's own fields. */
static void
add_extensions (DynoServerSession *self, JsonBuilder *builder)
{
  gboolean is_llama = g_str_equal (self->kind, "llama-server");

  if (is_llama || g_str_equal (self->kind, "vLLM"))
    add_boolean (builder, "ignore_eos", TRUE);
  if (is_llama)
    add_boolean (builder, "cache_prompt", FALSE);
}

static char *
create_body (DynoServerSession *self, guint prompt_tokens, guint max_tokens)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *prompt = create_prompt (prompt_tokens);
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "model");
  json_builder_add_string_value (builder, self->model);
  add_message (builder, prompt);
  add_boolean (builder, "stream", TRUE);
  json_builder_set_member_name (builder, "stream_options");
  json_builder_begin_object (builder);
  add_boolean (builder, "include_usage", TRUE);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "temperature");
  json_builder_add_int_value (builder, 0);
  json_builder_set_member_name (builder, "max_tokens");
  json_builder_add_int_value (builder, max_tokens);
  add_extensions (self, builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return json_to_string (root, FALSE);
}

static gboolean
has_text (JsonObject *object, const char *name)
{
  const char *text = object != NULL ? dyno_json_member_get_string (object, name) : NULL;

  return text != NULL && *text != '\0';
}

static double
get_number (JsonObject *object, const char *name, double fallback)
{
  JsonNode *node = object != NULL ? json_object_get_member (object, name) : NULL;

  return node != NULL && JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) != G_TYPE_STRING
             ? json_node_get_double (node)
             : fallback;
}

/* The first event often has but a role; only text counts as a token. */
static void
read_delta (Reading *self, JsonObject *delta)
{
  DynoServed *served = self->served;
  gboolean is_output = has_text (delta, "content");

  if (!is_output && !has_text (delta, "reasoning_content") && !has_text (delta, "reasoning"))
    return;
  if (is_output && served->output_ns == 0)
    served->output_ns = self->now_ns;
  if (!is_output)
    served->has_reasoned = TRUE;
  g_array_append_val (served->chunks_ns, self->now_ns);
}

static void
read_choices (Reading *self, JsonObject *event)
{
  JsonArray *choices = dyno_json_member_get_array (event, "choices");
  JsonObject *choice = choices != NULL && json_array_get_length (choices) > 0
                           ? dyno_json_member_get_element (choices, 0)
                           : NULL;

  read_delta (self, dyno_json_member_get_object (choice, "delta"));
  if (has_text (choice, "finish_reason"))
    self->is_done = TRUE;
}

/* What the server says itself: of tokens it is the only one to know. */
static void
read_account (DynoServed *served, JsonObject *event)
{
  JsonObject *usage = dyno_json_member_get_object (event, "usage");
  JsonObject *timings = dyno_json_member_get_object (event, "timings");

  served->prompt_tokens = (gint64)get_number (usage, "prompt_tokens", (double)served->prompt_tokens);
  served->output_tokens = (gint64)get_number (usage, "completion_tokens", (double)served->output_tokens);
  served->cached_tokens = (gint64)get_number (dyno_json_member_get_object (usage, "prompt_tokens_details"),
                                              "cached_tokens", (double)served->cached_tokens);
  served->cached_tokens = (gint64)get_number (timings, "cache_n", (double)served->cached_tokens);
  served->drafted_tokens = (gint64)get_number (timings, "draft_n", (double)served->drafted_tokens);
  served->prompt_ms = get_number (timings, "prompt_ms", served->prompt_ms);
  served->decode_ms = get_number (timings, "predicted_ms", served->decode_ms);
}

static gboolean
refuse (Reading *self, const char *message)
{
  g_set_error_literal (&self->problem, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT, message);
  return FALSE;
}

static gboolean
read_event (const char *data, gpointer user_data)
{
  Reading *self = user_data;
  g_autoptr (JsonParser) parser = NULL;
  JsonObject *event;

  self->has_events = TRUE;
  if (g_str_equal (data, "[DONE]"))
    {
      self->is_done = TRUE;
      return TRUE;
    }
  parser = json_parser_new ();
  if (!g_utf8_validate (data, -1, NULL) || !dyno_json_text_is_shallow (data, strlen (data)) ||
      !json_parser_load_from_data (parser, data, -1, NULL) || json_parser_get_root (parser) == NULL ||
      !JSON_NODE_HOLDS_OBJECT (json_parser_get_root (parser)))
    return refuse (self, _ ("The server’s answer holds an event that is not JSON. Is it an OpenAI-compatible "
                            "server?"));
  event = json_node_get_object (json_parser_get_root (parser));
  if (json_object_has_member (event, "error") && !json_object_get_null_member (event, "error"))
    return refuse (self, _ ("The server broke off its answer with an error. Look at what it logged."));
  read_choices (self, event);
  read_account (self->served, event);
  return TRUE;
}

/* Only the clock is read between two arrivals; what the bytes mean is found out when all are there. */
static gssize
read_stream (DynoServerSession *self, GInputStream *stream, Answer *answer, GError **error)
{
  g_autofree guint8 *buffer = g_malloc (READ_BYTES);
  gssize n;

  while ((n = g_input_stream_read (stream, buffer, READ_BYTES, NULL, error)) > 0 &&
         answer->bytes->len < MAX_BYTES)
    {
      Arrival arrival = { answer->bytes->len + (gsize)n, dyno_clock_now_ns () };

      g_array_append_val (answer->arrivals, arrival);
      g_byte_array_append (answer->bytes, buffer, (guint)n);
      if (self->heard != NULL)
        atomic_fetch_add_explicit (self->heard, 1, memory_order_relaxed);
    }
  return n;
}

/* What came before it broke off counts all the same. */
static gboolean
read_events (const Answer *answer, Reading *reading)
{
  g_autoptr (DynoSse) sse = dyno_sse_new ();
  gsize start = 0;

  for (guint i = 0; i < answer->arrivals->len; i++)
    {
      const Arrival *arrival = &g_array_index (answer->arrivals, Arrival, i);
      const char *bytes = (const char *)answer->bytes->data + start;

      reading->now_ns = arrival->time_ns;
      if (!dyno_sse_feed (sse, bytes, arrival->end - start, read_event, reading))
        return reading->problem != NULL ||
               refuse (reading, _ ("The server’s answer holds an event of impossible length."));
      start = arrival->end;
    }
  return TRUE;
}

static gboolean
check_whole (const Reading *reading, GError **error)
{
  const char *reason;

  if (reading->is_done && reading->served->chunks_ns->len > 0)
    return TRUE;
  if (!reading->has_events)
    reason = _ ("The server did not answer with a stream of events (“stream”: true). Only streams can be "
                "measured.");
  else if (reading->is_done)
    reason = _ ("The server answered without any text. Is the model one that writes text?");
  else
    reason = _ ("The server closed the connection in the middle of its answer. Look at what it logged.");
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT, reason);
  return FALSE;
}

/* The stream is over, in its middle or not. */
static gboolean
conclude (DynoServerSession *self, Reading *reading, gssize last, GError *problem, GError **error)
{
  if (reading->problem != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&reading->problem));
      return FALSE;
    }
  if (last == 0)
    return check_whole (reading, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_WRONG_OUTPUT,
               _ ("The answer of the server “%s” broke off: %s. Look at what it logged."), self->server,
               problem != NULL ? problem->message : _ ("it does not end"));
  return FALSE;
}

static gboolean
dyno_server_session_serve (
    DynoSession *session, guint prompt_tokens, guint max_tokens, DynoServed *served, GError **error)
{
  DynoServerSession *self = DYNO_SERVER_SESSION (session);
  g_autofree char *body = create_body (self, prompt_tokens, max_tokens);
  g_autoptr (GByteArray) bytes = g_byte_array_sized_new (USUAL_BYTES);
  g_autoptr (GArray) arrivals = g_array_sized_new (FALSE, FALSE, sizeof (Arrival), max_tokens + 1);
  g_autoptr (GInputStream) stream = NULL;
  g_autoptr (GError) problem = NULL;
  Answer answer = { bytes, arrivals };
  Reading reading = { .served = served };
  gssize last;

  if (self->http == NULL)
    self->http = dyno_server_http_new (self->server, self->is_trusted, 0);
  served->asked_tokens = max_tokens;
  stream = dyno_server_http_send (self->http, CHAT_PATH, body, error);
  served->start_ns = self->http->sent_ns;
  served->is_connecting = self->http->closes;
  if (stream == NULL)
    return FALSE;
  last = read_stream (self, stream, &answer, &problem);
  served->end_ns = dyno_clock_now_ns ();
  g_input_stream_close (stream, NULL, NULL); /* the connection is kept for the next request only then */
  read_events (&answer, &reading);
  return conclude (self, &reading, last, problem, error);
}

/* A loopback port may still be one that is forwarded from elsewhere. */
static void
look_for_processes (DynoServerSession *self, DynoServer *server)
{
  if (!dyno_server_address_is_local (self->server))
    {
      server->elsewhere =
          g_strdup (_ ("The server is not at an address of the loopback interface, so what it "
                       "takes cannot be seen from here."));
      return;
    }
  server->processes = dyno_port_owner_find (dyno_server_address_get_port (self->server), &server->elsewhere);
  if (server->processes != NULL)
    self->processes = g_array_ref (server->processes);
}

static DynoServer *
dyno_server_session_describe_server (DynoSession *session)
{
  DynoServerSession *self = DYNO_SERVER_SESSION (session);
  g_autoptr (DynoServerHttp) http = dyno_server_http_new (self->server, self->is_trusted, ASKING_SECONDS);
  DynoServer *server = g_new0 (DynoServer, 1);

  server->name = g_strdup (self->kind);
  g_clear_pointer (&self->processes, g_array_unref);
  look_for_processes (self, server);
  dyno_server_models_describe (http, self->model, server);
  return server;
}

/* Those that listen, and those they started. */
static GArray *
dyno_server_session_get_processes (DynoSession *session)
{
  DynoServerSession *self = DYNO_SERVER_SESSION (session);

  return self->processes != NULL ? dyno_process_family_list_all (
                                       (const GPid *)(gpointer)self->processes->data, self->processes->len)
                                 : NULL;
}

/* There is nothing to set, and outputs stay where they are: at the server. */
static gboolean
dyno_server_session_set_inputs (DynoSession *session, guint slot, GPtrArray *tensors, GError **error)
{
  return TRUE;
}

static gboolean
dyno_server_session_run (DynoSession *session, GError **error)
{
  g_autoptr (DynoServed) served = dyno_served_new ();

  return dyno_server_session_serve (session, 1, 1, served, error);
}

static GPtrArray *
dyno_server_session_get_outputs (DynoSession *session, GError **error)
{
  return g_ptr_array_new_with_free_func (g_object_unref);
}

/* Another client of the same server, with a connection of its own. */
static DynoSession *
dyno_server_session_open_lane (DynoSession *session, GError **error)
{
  DynoServerSession *self = DYNO_SERVER_SESSION (session);

  return dyno_server_session_new (self->server, self->model, self->kind, self->is_trusted, self->heard);
}

static void
dyno_server_session_class_init (DynoServerSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = dyno_server_session_finalize;

  session_class->set_inputs = dyno_server_session_set_inputs;
  session_class->run = dyno_server_session_run;
  session_class->get_outputs = dyno_server_session_get_outputs;
  session_class->serve = dyno_server_session_serve;
  session_class->describe_server = dyno_server_session_describe_server;
  session_class->get_processes = dyno_server_session_get_processes;
  session_class->open_lane = dyno_server_session_open_lane;
}

static void
dyno_server_session_init (DynoServerSession *self)
{
}

/**
 * dyno_server_session_new:
 * @server: scheme, host and port
 * @model: as the server calls it
 * @kind: what kind of server it is
 * @is_trusted: as for [func@Dyno.server_http_new]
 * @heard: (nullable): counts what arrives; must outlive the session
 *
 * Returns: (transfer full): a session, to be used on one thread
 */
DynoSession *
dyno_server_session_new (
    const char *server, const char *model, const char *kind, gboolean is_trusted, atomic_uint *heard)
{
  DynoServerSession *self = g_object_new (DYNO_TYPE_SERVER_SESSION, NULL);

  self->server = g_strdup (server);
  self->model = g_strdup (model);
  self->kind = g_strdup (kind);
  self->is_trusted = is_trusted;
  self->heard = heard;
  return DYNO_SESSION (self);
}
