/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-server-private.h"

#define OPENAI_CHAT "/v1/chat/completions"

/* Ollama reports the namespace of a model's name as its owner; only its own models have “library”. */
static const DynoServerKind kinds[] = {
  {
      .name = "llama-server",
      .owner = "llamacpp",
      .chat_path = OPENAI_CHAT,
      .takes_ignore_eos = TRUE,
      .takes_cache_prompt = TRUE,
      .tokenize_path = "/tokenize",
      .tokenize_member = "content",
      .tokenize_special = "add_special",
  },
  {
      .name = "vLLM",
      .owner = "vllm",
      .chat_path = OPENAI_CHAT,
      .takes_ignore_eos = TRUE,
      .tokenize_path = "/tokenize",
      .tokenize_member = "prompt",
      .tokenize_special = "add_special_tokens",
      .metrics_path = "/metrics",
  },
  {
      .name = "Ollama",
      .owner = "library",
      .sign = "/api/tags",
      .protocol = DYNO_SERVER_PROTOCOL_OLLAMA,
      .chat_path = "/api/chat",
  },
  {
      .name = "LM Studio",
      .owner = "organization_owner",
      .chat_path = "/api/v0/chat/completions",
  },
};

static const DynoServerKind unknown = { .chat_path = OPENAI_CHAT };

static const DynoServerFact facts[] = {
  { .kind = "llama-server",
    .path = "/v1/models",
    .list = "data",
    .id = "id",
    .precision = "meta/ftype",
    .parameters = "meta/n_params",
    .weights = "meta/size" },
  { .kind = "llama-server", .path = "/props", .slots = "total_slots" },
  { .kind = "Ollama",
    .path = "/api/show",
    .is_post = TRUE,
    .precision = "details/quantization_level",
    .parameters = "model_info/general.parameter_count" },
  { .kind = "Ollama", .path = "/api/tags", .list = "models", .id = "name", .weights = "size" },
  { .kind = "LM Studio", .path = "/api/v0/models/%s", .precision = "quantization" },
  { .kind = "LM Studio", .path = "/api/v1/models", .list = "models", .id = "key", .weights = "size_bytes" },
};

const DynoServerKind *
dyno_server_kind_find (const char *owner)
{
  for (guint i = 0; owner != NULL && i < G_N_ELEMENTS (kinds); i++)
    if (g_str_equal (kinds[i].owner, owner))
      return &kinds[i];
  return NULL;
}

const DynoServerKind *
dyno_server_kind_get_signed (guint i)
{
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
    if (kinds[k].sign != NULL && i-- == 0)
      return &kinds[k];
  return NULL;
}

const DynoServerKind *
dyno_server_kind_get_unknown (void)
{
  return &unknown;
}

const char *
dyno_server_kind_get_label (const DynoServerKind *self)
{
  return self->name != NULL ? self->name : _ ("OpenAI-compatible server");
}

const DynoServerFact *
dyno_server_kind_get_fact (const DynoServerKind *self, guint i)
{
  for (guint k = 0; k < G_N_ELEMENTS (facts); k++)
    if (g_strcmp0 (facts[k].kind, self->name) == 0 && i-- == 0)
      return &facts[k];
  return NULL;
}
