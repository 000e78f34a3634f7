/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoServerProtocol:
 * @DYNO_SERVER_PROTOCOL_OPENAI: OpenAI's, whose answers are server-sent events
 * @DYNO_SERVER_PROTOCOL_OLLAMA: Ollama's own, whose answers are lines of JSON
 *
 * How a model is asked.
 */
typedef enum
{
  DYNO_SERVER_PROTOCOL_OPENAI,
  DYNO_SERVER_PROTOCOL_OLLAMA,
} DynoServerProtocol;

/**
 * DynoServerKind:
 * @name: what people call it, %NULL where it is not known
 * @owner: (nullable): what it answers as the owner of its models
 * @sign: (nullable): the path of one of its facts that it alone tells, for where its models have owners of their own
 * @protocol: how its models are asked so that it tells most of its own timings
 * @chat_path: where
 * @takes_ignore_eos: whether it can be told to go on after the end of the text
 * @takes_cache_prompt: whether it can be told to keep nothing of a prompt
 * @tokenize_path: (nullable): where it makes tokens of text; then it also takes prompts that are tokens
 * @tokenize_member: (nullable): in which member it wants the text
 * @tokenize_special: (nullable): by which member it leaves out what a tokenizer puts around a text
 * @metrics_path: (nullable): where its histograms of requests are, in Prometheus' format
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
 * @kind: name of the kind of server that tells it
 * @path: where; %s is the model, as part of an address
 * @is_post: whether the model is in a body instead
 * @list: (nullable): the array in the answer that has a member for each model
 * @id: (nullable): by which name such a member says which model it is of
 * @precision: (nullable): where the precision is: names of members one within the other, with slashes in between
 * @parameters: (nullable): where the number of parameters is, likewise
 * @weights: (nullable): where the size of the weights is, in bytes, likewise
 * @slots: (nullable): where it says how many requests it works on at once, likewise
 *
 * What a kind of server tells of a model, and where.
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

/* Returns the kind of server that answers so; NULL if there is none. @owner may be NULL. */
const DynoServerKind *dyno_server_kind_find (const char *owner);
/* Returns the @i-th kind that has a sign of its own; NULL if there is none. @i: from 0 on. */
const DynoServerKind *dyno_server_kind_get_signed (guint i);
/* Returns what is true of any server that speaks OpenAI's protocol. */
const DynoServerKind *dyno_server_kind_get_unknown (void);
/* Returns what to call it. */
const char *dyno_server_kind_get_label (const DynoServerKind *self);
/* Returns the @i-th of what it tells of a model; NULL if there is none. @i: from 0 on. */
const DynoServerFact *dyno_server_kind_get_fact (const DynoServerKind *self, guint i);

G_END_DECLS
