/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>
#include <json-glib/json-glib.h>
#include <libsoup/soup.h>
#include <stdatomic.h>

#include "dyno-served.h"
#include "dyno-session.h"

G_BEGIN_DECLS

/* dyno-server-account */

/* Returns whether it has all histograms of requests, because a missing time must not count as 0. @self: gets the
 * totals of all requests so far, over all engines. */
gboolean dyno_server_account_parse (DynoServerAccount *self, const char *text);

/* dyno-server-address */

/* Returns whether it is the address of a server: `http://127.0.0.1:8080`. */
gboolean dyno_server_address_is_one (const char *address);
/* Returns whether it is on the loopback interface, so that the server may be a process of this machine. */
gboolean dyno_server_address_is_local (const char *address);
/* Returns its port, or the default one of its scheme. */
guint16 dyno_server_address_get_port (const char *address);

/* dyno-server-kind */

/**
 * DynoServerProtocol:
 * @DYNO_SERVER_PROTOCOL_OPENAI: OpenAI's, whose answers are server-sent events
 * @DYNO_SERVER_PROTOCOL_OLLAMA: Ollama's own, whose answers are lines of JSON
 *
 * The protocol for asking a model.
 */
typedef enum
{
  DYNO_SERVER_PROTOCOL_OPENAI,
  DYNO_SERVER_PROTOCOL_OLLAMA,
} DynoServerProtocol;

/**
 * DynoServerKind:
 * @name: its name for people, NULL if unknown
 * @owner: (nullable): the owner that it reports for its models
 * @sign: (nullable): the path of a fact that only this kind reports, for kinds whose models have other owners
 * @protocol: the protocol in which it reports most of its own timings
 * @chat_path: the path for that protocol
 * @takes_ignore_eos: whether it has an option to go on after the end of the text
 * @takes_cache_prompt: whether it has an option not to cache prompts
 * @tokenize_path: (nullable): the path that turns text into tokens; then it also takes prompts of tokens
 * @tokenize_member: (nullable): the member for the text
 * @tokenize_special: (nullable): the member that leaves out special tokens
 * @metrics_path: (nullable): the path of its histograms of requests, in Prometheus' format
 *
 * A kind of server.
 */
typedef struct
{
  const char *name;
  const char *owner;
  const char *sign;
  DynoServerProtocol protocol;
  const char *chat_path;
  gboolean takes_ignore_eos;
  gboolean takes_cache_prompt;
  const char *tokenize_path;
  const char *tokenize_member;
  const char *tokenize_special;
  const char *metrics_path;
} DynoServerKind;

/**
 * DynoServerFact:
 * @kind: name of the kind of server that reports it
 * @path: the path; %s is the model, as part of an address
 * @is_post: whether the model is in the body instead
 * @list: (nullable): the array in the answer that has a member for each model
 * @id: (nullable): the name by which such a member identifies its model
 * @precision: (nullable): the place of the precision: nested names of members, separated by slashes
 * @parameters: (nullable): the place of the number of parameters, likewise
 * @weights: (nullable): the place of the size of the weights, in bytes, likewise
 * @slots: (nullable): the place of the number of parallel requests, likewise
 *
 * The facts that a kind of server reports about a model, and their places.
 */
typedef struct
{
  const char *kind;
  const char *path;
  gboolean is_post;
  const char *list;
  const char *id;
  const char *precision;
  const char *parameters;
  const char *weights;
  const char *slots;
} DynoServerFact;

/* Returns the kind of server with that owner; NULL if there is none. @owner may be NULL. */
const DynoServerKind *dyno_server_kind_find (const char *owner);
/* Returns the @i-th kind that has a sign; NULL if there is none. @i: from 0. */
const DynoServerKind *dyno_server_kind_get_signed (guint i);
/* Returns the kind for any other server that speaks OpenAI's protocol. */
const DynoServerKind *dyno_server_kind_get_unknown (void);
/* Returns its name for people. */
const char *dyno_server_kind_get_label (const DynoServerKind *self);
/* Returns the @i-th fact that it reports about a model; NULL if there is none. @i: from 0. */
const DynoServerFact *dyno_server_kind_get_fact (const DynoServerKind *self, guint i);

/* dyno-server-answer */

/**
 * DynoServerAnswer:
 *
 * The bytes of an answer with their times of arrival.
 */
typedef struct _DynoServerAnswer DynoServerAnswer;

/* Returns an empty answer. */
DynoServerAnswer *dyno_server_answer_new (const char *server, guint n_tokens);
void dyno_server_answer_free (DynoServerAnswer *self);
/* Only the clock is read between two arrivals; the bytes are parsed after the last one. @heard may be NULL. */
void dyno_server_answer_receive (DynoServerAnswer *self, GInputStream *stream, atomic_uint *heard);
/* Returns whether the answer is complete; @served gets its content in any case. */
gboolean dyno_server_answer_read (
    DynoServerAnswer *self, DynoServerProtocol protocol, DynoServed *served, GString *text, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoServerAnswer, dyno_server_answer_free)

/* dyno-server-http */

/**
 * DynoServerHttp:
 * @soup: used on the thread that created it
 * @server: scheme, host and port
 * @key: (nullable): the key that gives access to the server
 * @sent_ns: when the last question was sent
 * @has_answered: whether there was an earlier answer, so that a connection may be open
 * @closes: whether the server closes the connection after each answer
 *
 * An HTTP client of a server.
 */
typedef struct
{
  SoupSession *soup;
  char *server;
  char *key;
  gint64 sent_ns;
  gboolean has_answered;
  gboolean closes;
} DynoServerHttp;

/* Returns a client of the server. @is_trusted: whether someone named the server, so that it may get the key in the
 * environment; a server that only answers at a default port may not. @timeout_seconds: how long it may be silent, 0
 * for no limit. */
DynoServerHttp *dyno_server_http_new (const char *server, gboolean is_trusted, guint timeout_seconds);
void dyno_server_http_free (DynoServerHttp *self);
/* Returns the answer, as it arrives. The caller owns it. @body: JSON to post, NULL to get. @error:
 * DYNO_ERROR_TIMED_OUT if the server rejected the request. */
GInputStream *
dyno_server_http_send (DynoServerHttp *self, const char *path, const char *body, GError **error);
/* Returns the whole answer, an object. The caller owns it. @body: JSON to post, NULL to get. */
JsonObject *dyno_server_http_read (DynoServerHttp *self, const char *path, const char *body, GError **error);
/* Returns the whole answer as text; NULL if there is none. The caller owns it. */
char *dyno_server_http_read_text (DynoServerHttp *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoServerHttp, dyno_server_http_free)

/* dyno-server-models */

/* Returns the models that it holds. @kind: the kind of the server; set if there is an answer. */
char **dyno_server_models_list (DynoServerHttp *http, const DynoServerKind **kind, GError **error);
/* @server: gets the server's facts about itself and the model. */
void dyno_server_models_describe (DynoServerHttp *http,
                                  const DynoServerKind *kind,
                                  const char *model,
                                  DynoServer *server);

/* dyno-server-picture */

/* Returns a square PNG of random blocks of colour, in base64. @side: its width and height in pixels, at least 1. */
char *dyno_server_picture_create (guint side);

/* dyno-server-question */

/* Returns ordinary words, whose tokens are used for prompts. */
const char *dyno_server_question_get_words (void);
/* Returns the path of the question. @vocabulary may be NULL. */
const char *dyno_server_question_get_path (const DynoServerKind *kind, const GArray *vocabulary);
/* The prompt is random from its first token on, so that no two share a prefix that a cache could keep. Returns JSON
 * to post. @vocabulary (nullable): tokens for the prompt, if the server takes tokens; else it consists of words.
 * @picture (nullable): a PNG in base64 beside the words. @prompt_tokens: how many tokens the prompt has; approximate for
 * words. @max_tokens: the largest number of tokens to write. */
char *dyno_server_question_create (const DynoServerKind *kind,
                                   const char *model,
                                   const GArray *vocabulary,
                                   const char *picture,
                                   guint prompt_tokens,
                                   guint max_tokens);

/* dyno-server-session */

#define DYNO_TYPE_SERVER_SESSION (dyno_server_session_get_type ())

/**
 * DynoServerSession:
 *
 * A model of a server, over one connection that stays open.
 */
G_DECLARE_FINAL_TYPE (DynoServerSession, dyno_server_session, DYNO, SERVER_SESSION, DynoSession)

/* Returns a session, for use on one thread. @picture_side: the side of a picture in each prompt, in pixels; 0 for none.
 * @heard (nullable): counts arrivals; must outlive the session. */
DynoSession *dyno_server_session_new (const char *server,
                                      const char *model,
                                      const DynoServerKind *kind,
                                      gboolean is_trusted,
                                      guint picture_side,
                                      atomic_uint *heard);

/* dyno-server-tokens */

/* Returns the numbers of the tokens that the model sees in the text; NULL if the server does not report them.
 * Elements are gint64. */
GArray *dyno_server_tokens_list (DynoServerHttp *http,
                                 const DynoServerKind *kind,
                                 const char *model,
                                 const char *text);

/* dyno-sse */

/**
 * DynoSse:
 *
 * Reads server-sent events from bytes that arrive in pieces of any size: lines end with LF, CRLF or CR, events with
 * an empty line. Some servers send each event as a single line.
 */
typedef struct
{
  gboolean is_by_line;
  GString *line;
  GString *data; /* NULL-terminated text of the current event */
  gboolean has_data;
  gboolean after_return;
} DynoSse;

/**
 * DynoSseFunc:
 * @data: the text of the event, its lines joined
 * @user_data: the caller's data
 *
 * Returns: whether to go on
 */
typedef gboolean (*DynoSseFunc) (const char *data, gpointer user_data);

/* Returns an empty reader. @is_by_line: whether each line is an event, without any fields. */
DynoSse *dyno_sse_new (gboolean is_by_line);
void dyno_sse_free (DynoSse *self);
/* Returns whether to go on; FALSE also for an event that is far too long. @size: the number of bytes. */
gboolean
dyno_sse_feed (DynoSse *self, const char *bytes, gsize size, DynoSseFunc function, gpointer user_data);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSse, dyno_sse_free)

G_END_DECLS
