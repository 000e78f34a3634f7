/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-clock.h"
#include "dyno-process-family.h"
#include "dyno-server-private.h"

#define ASKING_SECONDS 10

struct _DynoServerSession
{
  DynoSession parent_instance;

  char *server;
  char *model;
  const DynoServerKind *kind;
  gboolean is_trusted;
  guint picture_side;
  char *picture; /* for the next prompt */
  atomic_uint *heard;
  GArray *processes; /* the listening ones, once they are looked up */
  DynoServerHttp *http;
  gboolean has_vocabulary; /* or has none */
  GArray *vocabulary;
};

G_DEFINE_FINAL_TYPE (DynoServerSession, dyno_server_session, DYNO_TYPE_SESSION)

static void
dyno_server_session_finalize (GObject *object)
{
  DynoServerSession *self = DYNO_SERVER_SESSION (object);

  g_clear_pointer (&self->http, dyno_server_http_free);
  g_clear_pointer (&self->processes, g_array_unref);
  g_free (self->server);
  g_free (self->model);
  g_free (self->picture);
  g_clear_pointer (&self->vocabulary, g_array_unref);

  G_OBJECT_CLASS (dyno_server_session_parent_class)->finalize (object);
}

/* Learns tokens of the model, so that prompts have exactly the requested length, or makes the next picture, beside which
 * there are words. This is not timed. */
static void
get_ready (DynoServerSession *self, DynoServerHttp *http)
{
  if (self->picture_side > 0 && self->picture == NULL)
    self->picture = dyno_server_picture_create (self->picture_side);
  if (self->has_vocabulary || self->picture_side > 0)
    return;
  self->has_vocabulary = TRUE;
  self->vocabulary =
      dyno_server_tokens_list (http, self->kind, self->model, dyno_server_question_get_words ());
  if (self->vocabulary != NULL && self->vocabulary->len == 0)
    g_clear_pointer (&self->vocabulary, g_array_unref);
}

static gboolean
dyno_server_session_serve (
    DynoSession *session, guint prompt_tokens, guint max_tokens, DynoServed *served, GError **error)
{
  DynoServerSession *self = DYNO_SERVER_SESSION (session);
  g_autoptr (DynoServerAnswer) answer = dyno_server_answer_new (self->server, max_tokens);
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GInputStream) stream = NULL;
  g_autofree char *body = NULL;

  if (self->http == NULL)
    self->http = dyno_server_http_new (self->server, self->is_trusted, 0);
  get_ready (self, self->http);
  body = dyno_server_question_create (self->kind, self->model, self->vocabulary, self->picture, prompt_tokens,
                                      max_tokens);
  g_clear_pointer (&self->picture, g_free);
  served->asked_tokens = max_tokens;
  stream = dyno_server_http_send (self->http, dyno_server_question_get_path (self->kind, self->vocabulary),
                                  body, error);
  served->start_ns = self->http->sent_ns;
  served->is_connecting = self->http->closes;
  if (stream == NULL)
    return FALSE;
  dyno_server_answer_receive (answer, stream, self->heard);
  served->end_ns = dyno_clock_now_ns ();
  g_input_stream_close (stream, NULL, NULL); /* only then is the connection kept for the next request */
  get_ready (self, self->http);
  if (!dyno_server_answer_read (answer, self->kind->protocol, served, text, error))
    return FALSE;
  /* Pieces are not tokens, but the tokens of their whole text can be counted. */
  if (served->output_tokens < 0)
    {
      g_autoptr (GArray) tokens = dyno_server_tokens_list (self->http, self->kind, self->model, text->str);

      if (tokens != NULL)
        served->output_tokens = tokens->len;
    }
  return TRUE;
}

static DynoServer *
dyno_server_session_describe_server (DynoSession *session)
{
  DynoServerSession *self = DYNO_SERVER_SESSION (session);
  g_autoptr (DynoServerHttp) http = dyno_server_http_new (self->server, self->is_trusted, ASKING_SECONDS);
  DynoServer *server = g_new0 (DynoServer, 1);

  server->name = g_strdup (dyno_server_kind_get_label (self->kind));
  g_clear_pointer (&self->processes, g_array_unref);
  /* A loopback port may still be forwarded from another machine. */
  if (dyno_server_address_is_local (self->server))
    server->processes =
        dyno_port_owner_find (dyno_server_address_get_port (self->server), &server->elsewhere);
  else
    server->elsewhere = g_strdup (_ ("The server is not at an address of the loopback interface, so what it "
                                     "takes cannot be seen from here."));
  if (server->processes != NULL)
    self->processes = g_array_ref (server->processes);
  dyno_server_models_describe (http, self->kind, self->model, server);
  get_ready (self, http); /* before others ask in parallel, so that all ask the same way */
  return server;
}

/* Uses its own connection, so that any thread may ask. */
static gboolean
dyno_server_session_read_account (DynoSession *session, DynoServerAccount *account)
{
  DynoServerSession *self = DYNO_SERVER_SESSION (session);
  g_autoptr (DynoServerHttp) http = NULL;
  g_autofree char *text = NULL;

  if (self->kind->metrics_path == NULL)
    return FALSE;
  http = dyno_server_http_new (self->server, self->is_trusted, ASKING_SECONDS);
  text = dyno_server_http_read_text (http, self->kind->metrics_path);
  return text != NULL && dyno_server_account_parse (account, text);
}

/* Returns the listening processes and their children. */
static GArray *
dyno_server_session_get_processes (DynoSession *session)
{
  DynoServerSession *self = DYNO_SERVER_SESSION (session);

  return self->processes != NULL ? dyno_process_family_list_all (
                                       (const GPid *)(gpointer)self->processes->data, self->processes->len)
                                 : NULL;
}

/* There is nothing to set, and outputs stay at the server. */
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

/* Another client of the same server, with its own connection. */
static DynoSession *
dyno_server_session_open_lane (DynoSession *session, GError **error)
{
  DynoServerSession *self = DYNO_SERVER_SESSION (session);
  DynoSession *lane = dyno_server_session_new (self->server, self->model, self->kind, self->is_trusted,
                                               self->picture_side, self->heard);

  DYNO_SERVER_SESSION (lane)->has_vocabulary = self->has_vocabulary;
  if (self->picture_side > 0)
    DYNO_SERVER_SESSION (lane)->picture = dyno_server_picture_create (self->picture_side);
  if (self->vocabulary != NULL)
    DYNO_SERVER_SESSION (lane)->vocabulary = g_array_ref (self->vocabulary);
  return lane;
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
  session_class->read_account = dyno_server_session_read_account;
  session_class->get_processes = dyno_server_session_get_processes;
  session_class->open_lane = dyno_server_session_open_lane;
}

static void
dyno_server_session_init (DynoServerSession *self)
{
}

DynoSession *
dyno_server_session_new (const char *server,
                         const char *model,
                         const DynoServerKind *kind,
                         gboolean is_trusted,
                         guint picture_side,
                         atomic_uint *heard)
{
  DynoServerSession *self = g_object_new (DYNO_TYPE_SERVER_SESSION, NULL);

  self->server = g_strdup (server);
  self->model = g_strdup (model);
  self->kind = kind;
  self->is_trusted = is_trusted;
  self->picture_side = picture_side;
  self->heard = heard;
  return DYNO_SESSION (self);
}
