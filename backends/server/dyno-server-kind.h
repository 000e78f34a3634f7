/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

G_END_DECLS
