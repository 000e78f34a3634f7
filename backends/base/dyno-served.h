/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoServed:
 * @asked_tokens: the requested maximum number of tokens
 * @intended_ns: when the request was scheduled under load, else 0
 * @start_ns: when it was sent
 * @is_connecting: whether it includes opening a connection, because the server closes them
 * @output_ns: when the first text other than reasoning came, 0 for never
 * @end_ns: when the stream was over
 * @has_reasoned: whether reasoning came as well
 * @chunks_ns: (element-type gint64): when each piece of text came
 * @prompt_tokens: as the server counted, -1 if it does not report them
 * @output_tokens: likewise
 * @cached_tokens: tokens of the prompt in the server's cache, likewise
 * @drafted_tokens: tokens that a smaller model guessed first, likewise
 * @accepted_tokens: those of them that the model kept, likewise
 * @prompt_ms: how long it read the prompt, according to the server, negative if it does not report it
 * @first_ms: how long the first token took, according to the server, likewise
 * @decode_ms: how long it wrote after the first token, according to the server, likewise
 * @token_ms: how long each token took, according to the server, likewise
 * @load_ms: how long loading the model took, according to the server, likewise
 * @failure: (nullable): why it was not answered; then only @start_ns and @chunks_ns are valid, up to the failure
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
  gint64 accepted_tokens;
  double prompt_ms;
  double first_ms;
  double decode_ms;
  double token_ms;
  double load_ms;
  char *failure;
} DynoServed;

/* Returns a request that has not been sent yet. */
DynoServed *dyno_served_new (void);
void dyno_served_free (DynoServed *self);
/* Returns its scheduled time, from which all its times count. */
gint64 dyno_served_get_intended (const DynoServed *self);
/* Returns when the first piece of text came. */
gint64 dyno_served_get_first (const DynoServed *self);
/* Returns when the last piece of text came, which ends the request: later messages of the server do not count. */
gint64 dyno_served_get_last (const DynoServed *self);
/* Returns why their time to the first token cannot be measured from outside, NULL if it can. */
const char *dyno_served_explain_unseen_first (gpointer const *served, gsize n);
/* Returns why the pieces of their answers are not tokens, NULL if they may be. */
const char *dyno_served_explain_lumps (gpointer const *served, gsize n);
/* Returns why the time between their tokens cannot be measured from outside, NULL if it can. */
const char *dyno_served_explain_unseen_between (gpointer const *served, gsize n);

/**
 * DynoServerAccount:
 * @is_known: whether the server reports them
 * @n_requests: finished requests
 * @n_tokens: tokens of their answers
 * @prompt_ms: how long it read their prompts, in ms
 * @decode_ms: how long it wrote after the first token of each, in ms
 * @queue_ms: how long they waited, in ms
 * @n_drafted: tokens that a smaller model guessed first, 0 also if unknown
 * @n_accepted: those of them that the model kept, likewise
 *
 * The totals of a server that reports no times of single requests.
 */
typedef struct
{
  gboolean is_known;
  double n_requests;
  double n_tokens;
  double prompt_ms;
  double decode_ms;
  double queue_ms;
  double n_drafted;
  double n_accepted;
} DynoServerAccount;

void dyno_server_account_subtract (DynoServerAccount *self, const DynoServerAccount *before);
/* @more: further totals; the sum is known if both are. */
void dyno_server_account_add (DynoServerAccount *self, const DynoServerAccount *more);

/**
 * DynoServer:
 * @processes: (element-type GPid) (nullable): the processes that listen at its port, NULL if they are not visible
 * @elsewhere: (nullable): why they are not, as a sentence
 * @name: its own name, or the one by which it is known
 * @precision: (nullable): the precision of the model that it reports, such as `Q4_K_M`
 * @n_parameters: the number of parameters that it reports, 0 if it does not
 * @weight_bytes: the size of the weights that it reports, likewise
 * @first_load_ms: the time to load the model for the first request that it reports, 0 if it does not
 * @n_slots: the number of parallel requests that it reports, likewise
 *
 * The known facts about a server that does the work in place of this process.
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
