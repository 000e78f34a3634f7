/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoServed:
 * @asked_tokens: how many tokens the server was to write at most
 * @intended_ns: when the request was to be sent under load, else 0
 * @start_ns: when it was
 * @is_connecting: whether a connection was opened within it, because the server closes them
 * @output_ns: when the first text came that is no reasoning, 0 for never
 * @end_ns: when the stream was over
 * @has_reasoned: whether reasoning came as well
 * @chunks_ns: (element-type gint64): when each piece of text came
 * @prompt_tokens: as the server counted, -1 where it does not tell
 * @output_tokens: likewise
 * @cached_tokens: those of the prompt that the server had read before, likewise
 * @drafted_tokens: those that a smaller model guessed first, likewise
 * @prompt_ms: how long the server says it read the prompt, negative where it does not tell
 * @first_ms: how long the server says it took until the first token, likewise
 * @decode_ms: how long the server says it wrote after the first token, likewise
 * @token_ms: how long the server says each token took, likewise
 * @load_ms: how long the server says it took until the model was ready, likewise
 * @failure: (nullable): why it was not answered; then only @start_ns and @chunks_ns hold, what came until then
 *
 * One request to a server, as its answer arrived.
 */
typedef struct
{
  guint asked_tokens;
  gint64 intended_ns;
  gint64 start_ns;
  gboolean is_connecting;
  gint64 output_ns;
  gint64 end_ns;
  gboolean has_reasoned;
  GArray *chunks_ns;
  gint64 prompt_tokens;
  gint64 output_tokens;
  gint64 cached_tokens;
  gint64 drafted_tokens;
  double prompt_ms;
  double first_ms;
  double decode_ms;
  double token_ms;
  double load_ms;
  char *failure;
} DynoServed;

/* Returns a request that was not sent yet. */
DynoServed *dyno_served_new (void);
void dyno_served_free (DynoServed *self);
/* Returns when it was to be sent, from which all its times count. */
gint64 dyno_served_get_intended (const DynoServed *self);
/* Returns when the first piece of text came. */
gint64 dyno_served_get_first (const DynoServed *self);
/* Returns when the last piece of text came, with which a request ends: what the server counts after it is
 * no part of it. */
gint64 dyno_served_get_last (const DynoServed *self);
/* Returns why the time to their first token cannot be told from outside, NULL where it can. */
const char *dyno_served_explain_unseen_first (gpointer const *served, gsize n);
/* Returns why the pieces of their answers are no tokens, NULL where they may be. */
const char *dyno_served_explain_lumps (gpointer const *served, gsize n);
/* Returns why the time between their tokens cannot be told from outside, NULL where it can. */
const char *dyno_served_explain_unseen_between (gpointer const *served, gsize n);

/**
 * DynoServerAccount:
 * @is_known: whether the server tells
 * @n_requests: requests that were finished
 * @n_tokens: tokens of their answers
 * @prompt_ms: how long it read their prompts, in ms
 * @decode_ms: how long it wrote after the first token of each, in ms
 * @queue_ms: how long they waited, in ms
 *
 * What a server that tells nothing of a single request tells of all of them together.
 */
typedef struct
{
  gboolean is_known;
  double n_requests;
  double n_tokens;
  double prompt_ms;
  double decode_ms;
  double queue_ms;
} DynoServerAccount;

void dyno_server_account_subtract (DynoServerAccount *self, const DynoServerAccount *before);
/* @more: what else there was; the sum is known where both are. */
void dyno_server_account_add (DynoServerAccount *self, const DynoServerAccount *more);

/**
 * DynoServer:
 * @processes: (element-type GPid) (nullable): those that listen at its port, %NULL where they cannot be seen
 * @elsewhere: (nullable): why they cannot, as a sentence
 * @name: what it calls itself or is known as
 * @precision: (nullable): what it says the model is in, such as `Q4_K_M`
 * @n_parameters: how many parameters it says the model has, 0 where it does not tell
 * @weight_bytes: how large it says the weights are, likewise
 * @first_load_ms: how long it says the model took to be ready for the first request, 0 where it does not tell
 * @n_slots: how many requests it says it works on at once, likewise
 *
 * What is known of a server that does the work in place of this process.
 */
typedef struct
{
  GArray *processes;
  char *elsewhere;
  char *name;
  char *precision;
  gint64 n_parameters;
  gint64 weight_bytes;
  double first_load_ms;
  guint n_slots;
} DynoServer;

void dyno_server_free (DynoServer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoServed, dyno_served_free)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoServer, dyno_server_free)

G_END_DECLS
