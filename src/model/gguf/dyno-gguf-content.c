/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-decoder.h"
#include "dyno-error.h"
#include "dyno-model-gguf-private.h"
#include "dyno-model-graph-private.h"

#define FILE_OF_F32  0
#define FILE_OF_F16  1
#define FILE_OF_Q8_0 7
#define FILE_OF_Q4_K 15
#define FILE_OF_BF16 32

/* The layout of blocks that this version of the format has. */
#define QUANTISATION_VERSION 2

/* The names and the rules of an architecture in files. */
typedef struct
{
  const char *model_type;
  const char *name;
  gboolean has_pairs;     /* whether the numbers of a rotated pair are neighbours */
  gboolean has_divisors;  /* whether each pair may turn slower by a factor of its own */
  guint window_pattern;   /* every so many layers one has no window; 0 without windows */
  guint rotation_pattern; /* likewise, one has no rotation */
  double local_theta;     /* of layers with a window; 0 for that of all */
  const char *activation;
} Mapping;

static const Mapping mappings[] = {
  { "llama", "llama", TRUE, TRUE, 0, 0, 0, "silu" },
  { "mistral", "llama", TRUE, TRUE, 0, 0, 0, "silu" },
  { "smollm3", "smollm3", TRUE, FALSE, 0, 4, 0, "silu" },
  { "qwen2", "qwen2", FALSE, FALSE, 0, 0, 0, "silu" },
  { "qwen3", "qwen3", FALSE, FALSE, 0, 0, 0, "silu" },
  { "gemma", "gemma", FALSE, FALSE, 0, 0, 0, "gelu_pytorch_tanh" },
  { "gemma2", "gemma2", FALSE, FALSE, 2, 0, 0, "gelu_pytorch_tanh" },
  { "gemma3_text", "gemma3", FALSE, FALSE, 6, 0, 10000, "gelu_pytorch_tanh" },
};

/* The tensors of a precision: matrices by whether their rows fill whole blocks, and the last one. */
static const struct
{
  const char *precision;
  guint file_type;
  guint32 types[3]; /* by preference, up to one that takes any row */
  guint32 last[3];
} layouts[] = {
  { "fp32", FILE_OF_F32, { DYNO_GGUF_F32 }, { DYNO_GGUF_F32 } },
  { "fp16", FILE_OF_F16, { DYNO_GGUF_F16 }, { DYNO_GGUF_F16 } },
  { "bf16", FILE_OF_BF16, { DYNO_GGUF_BF16 }, { DYNO_GGUF_BF16 } },
  { "q8_0", FILE_OF_Q8_0, { DYNO_GGUF_Q8_0, DYNO_GGUF_F16 }, { DYNO_GGUF_Q8_0, DYNO_GGUF_F16 } },
  { DYNO_GGUF_BY_ENGINE,
    FILE_OF_Q4_K,
    { DYNO_GGUF_Q4_K, DYNO_GGUF_Q5_0, DYNO_GGUF_F16 },
    { DYNO_GGUF_Q6_K, DYNO_GGUF_Q8_0, DYNO_GGUF_F16 } },
};

/* Content that is being collected. */
typedef struct
{
  DynoGgufContent *content;
  const DynoDecoder *decoder;
  const Mapping *mapping;
  GHashTable *weights; /* of DynoWeight, by name */
  guint layout;
} Collecting;

static void
source_clear (gpointer data)
{
  DynoGgufSource *self = data;

  g_clear_pointer (&self->numbers, g_array_unref);
}

void
dyno_gguf_content_free (DynoGgufContent *self)
{
  g_clear_pointer (&self->header, dyno_gguf_header_free);
  g_array_unref (self->entries);
  g_array_unref (self->sources);
  g_free (self);
}

static void
entry_clear (gpointer data)
{
  DynoGgufEntry *self = data;

  g_free (self->key);
}

static const Mapping *
find_mapping (const char *model_type)
{
  for (guint i = 0; i < G_N_ELEMENTS (mappings); i++)
    if (g_str_equal (mappings[i].model_type, model_type))
      return &mappings[i];
  return NULL;
}

gboolean
dyno_gguf_content_has_type (const char *model_type)
{
  return find_mapping (model_type) != NULL;
}

static void
add_text (DynoGgufContent *self, const char *key, const char *text)
{
  const DynoGgufEntry entry = { g_strdup (key), text, 0, TRUE };

  g_array_append_val (self->entries, entry);
  g_hash_table_replace (self->header->texts, g_strdup (key), g_strdup (text));
}

/* Takes @key. */
static void
add_number (DynoGgufContent *self, char *key, double number, gboolean is_whole)
{
  const DynoGgufEntry entry = { key, NULL, number, is_whole };

  g_array_append_val (self->entries, entry);
  g_hash_table_replace (self->header->numbers, g_strdup (key), g_memdup2 (&number, sizeof number));
}

static void
add_size (Collecting *self, const char *name, gint64 size)
{
  add_number (self->content, g_strdup_printf ("%s.%s", self->mapping->name, name), (double)size, TRUE);
}

static void
add_real (Collecting *self, const char *name, double number)
{
  add_number (self->content, g_strdup_printf ("%s.%s", self->mapping->name, name), number, FALSE);
}

static void
add_settings (Collecting *self)
{
  const DynoDecoder *decoder = self->decoder;
  gboolean is_quantised = layouts[self->layout].types[1] != 0;

  add_text (self->content, "general.architecture", self->mapping->name);
  add_number (self->content, g_strdup ("general.file_type"), layouts[self->layout].file_type, TRUE);
  if (is_quantised)
    add_number (self->content, g_strdup ("general.quantization_version"), QUANTISATION_VERSION, TRUE);
  add_size (self, "context_length", decoder->n_positions);
  add_size (self, "embedding_length", decoder->width);
  add_size (self, "block_count", decoder->n_layers);
  add_size (self, "feed_forward_length", decoder->inner_width);
  add_size (self, "attention.head_count", decoder->n_heads);
  add_size (self, "attention.head_count_kv", decoder->n_cached_heads);
  add_size (self, "attention.key_length", decoder->head_width);
  add_size (self, "attention.value_length", decoder->head_width);
  add_real (self, "attention.layer_norm_rms_epsilon", decoder->epsilon);
  add_size (self, "rope.dimension_count", decoder->rotary[0].width);
  add_real (self, "rope.freq_base", decoder->rotary[0].theta);
  if (decoder->window > 0)
    add_size (self, "attention.sliding_window", decoder->window);
  if (decoder->score_cap > 0)
    add_real (self, "attn_logit_softcapping", decoder->score_cap);
  if (decoder->logit_cap > 0)
    add_real (self, "final_logit_softcapping", decoder->logit_cap);
  add_size (self, "vocab_size", decoder->vocabulary);
  /* Tokens are given as numbers, so no words are needed. */
  add_text (self->content, "tokenizer.ggml.model", "no_vocab");
}

/* Takes @name. */
static void
add_tensor (Collecting *self,
            char *name,
            guint n_dims,
            const gint64 *dims,
            guint32 type,
            const DynoGgufSource *source)
{
  DynoGgufTensor *tensor = g_new0 (DynoGgufTensor, 1);
  const DynoGgufType *layout = dyno_gguf_type_find (type);

  tensor->name = name;
  tensor->n_dims = n_dims;
  tensor->type = type;
  tensor->n_elements = 1;
  for (guint i = 0; i < n_dims; i++)
    {
      tensor->dims[i] = dims[i];
      tensor->n_elements *= dims[i];
    }
  tensor->n_bytes = tensor->n_elements / layout->block * layout->bytes;
  g_ptr_array_add (self->content->header->tensors, tensor);
  g_array_append_vals (self->content->sources, source, 1);
}

/* Files have a weight as [outputs, inputs], as checkpoints do. Vectors, such as norms and biases, stay in single
 * precision. @head_width: of the heads whose pairs become neighbours, 0 for none. Takes @name. */
static void
add_weight (Collecting *self, char *name, const char *own, gint64 head_width, gboolean is_last)
{
  const DynoWeight *weight = g_hash_table_lookup (self->weights, own);
  DynoGgufSource source = { .weight = weight, .head_width = head_width };
  static const guint32 of_vectors = DYNO_GGUF_F32;
  const guint32 *type = is_last ? layouts[self->layout].last : layouts[self->layout].types;
  gint64 dims[2];
  guint rank;

  g_assert (weight != NULL && weight->shape.rank <= 2);
  rank = weight->shape.rank;
  dims[0] = weight->shape.dims[weight->is_turned ? 0 : rank - 1];
  dims[1] = rank > 1 ? weight->shape.dims[weight->is_turned ? 1 : 0] : 1;
  /* These scale by 1 + weight; files hold the sum. */
  if (self->decoder->norm == DYNO_NORM_RMS_ZERO && g_str_has_suffix (name, "norm.weight"))
    source.added = 1;
  if (rank < 2)
    type = &of_vectors;
  while (dims[0] % dyno_gguf_type_find (*type)->block != 0)
    type++;
  add_tensor (self, name, rank, dims, *type, &source);
}

/* @scope (nullable): the part of the layer that the weight belongs to. @name: (nullable): its name, NULL if there is no
 * such weight. */
static void
add_of_layer (Collecting *self,
              guint layer,
              const char *published,
              const char *scope,
              const char *name,
              const char *kind,
              gint64 head_width)
{
  g_autofree char *own = NULL;

  if (name == NULL)
    return;
  own = g_strdup_printf ("%s.%u.%s%s%s.%s", self->decoder->names->layers, layer, scope != NULL ? scope : "",
                         scope != NULL ? "." : "", name, kind);
  add_weight (self, g_strdup_printf ("blk.%u.%s.%s", layer, published, kind), own, head_width, FALSE);
}

static void
add_layer (Collecting *self, guint layer)
{
  const DynoDecoder *decoder = self->decoder;
  const DynoDecoderNames *names = decoder->names;
  const char *attention = names->attention, *feed = names->feed;
  gboolean is_rotated = dyno_decoder_get_layer (decoder, layer)->has_rotation;
  gint64 turned = self->mapping->has_pairs && is_rotated ? decoder->head_width : 0;
  const struct
  {
    const char *published;
    const char *own;
    gint64 turned;
  } inputs[] = {
    { "attn_q", names->query, turned },
    { "attn_k", names->key, turned },
    { "attn_v", names->value, 0 },
  };

  add_of_layer (self, layer, "attn_norm", NULL, names->norm_before_attention, "weight", 0);
  for (guint i = 0; i < G_N_ELEMENTS (inputs); i++)
    {
      add_of_layer (self, layer, inputs[i].published, attention, inputs[i].own, "weight", inputs[i].turned);
      if (decoder->has_input_bias)
        add_of_layer (self, layer, inputs[i].published, attention, inputs[i].own, "bias", inputs[i].turned);
    }
  if (decoder->head_norm == DYNO_HEAD_NORM_EACH)
    {
      add_of_layer (self, layer, "attn_q_norm", attention, "q_norm", "weight", 0);
      add_of_layer (self, layer, "attn_k_norm", attention, "k_norm", "weight", 0);
    }
  add_of_layer (self, layer, "attn_output", attention, names->output, "weight", 0);
  add_of_layer (self, layer, "post_attention_norm", NULL, names->norm_after_attention, "weight", 0);
  add_of_layer (self, layer, "ffn_norm", NULL, names->norm_before_feed, "weight", 0);
  add_of_layer (self, layer, "ffn_gate", feed, names->gate, "weight", 0);
  add_of_layer (self, layer, "ffn_up", feed, names->up, "weight", 0);
  add_of_layer (self, layer, "ffn_down", feed, names->down, "weight", 0);
  add_of_layer (self, layer, "post_ffw_norm", NULL, names->norm_after_feed, "weight", 0);
}

static void
add_tensors (Collecting *self)
{
  const DynoDecoder *decoder = self->decoder;
  const DynoDecoderNames *names = decoder->names;
  g_autofree char *table = g_strconcat (names->embedding, ".weight", NULL);
  g_autofree char *norm = g_strconcat (names->final_norm, ".weight", NULL);
  g_autofree char *head = g_strconcat (names->head, ".weight", NULL);
  g_autoptr (GArray) divisors = dyno_rotary_list_divisors (&decoder->rotary[0]);

  /* The table is the last matrix as well if there is no other. */
  add_weight (self, g_strdup ("token_embd.weight"), table, 0, decoder->is_tied);
  add_weight (self, g_strdup ("output_norm.weight"), norm, 0, FALSE);
  if (!decoder->is_tied)
    add_weight (self, g_strdup ("output.weight"), head, 0, TRUE);
  if (divisors->len > 0)
    {
      const gint64 size = divisors->len;
      const DynoGgufSource source = { .numbers = g_array_ref (divisors) };

      add_tensor (self, g_strdup ("rope_freqs.weight"), 1, &size, DYNO_GGUF_F32, &source);
    }
  for (guint layer = 0; layer < decoder->n_layers; layer++)
    add_layer (self, layer);
}

static gboolean
is_pattern (const DynoDecoder *decoder, guint pattern, gboolean of_windows)
{
  for (guint i = 0; i < decoder->n_layers; i++)
    {
      const DynoDecoderLayer *layer = dyno_decoder_get_layer (decoder, i);
      gboolean is_whole = !of_windows   ? !layer->has_rotation
                          : pattern > 0 ? !layer->is_local
                                        : !layer->has_window;

      if (is_whole != (pattern > 0 ? (i + 1) % pattern == 0 : of_windows))
        return FALSE;
    }
  return TRUE;
}

/* Returns the member of the config that files cannot express; NULL if there is none. */
static const char *
find_obstacle (const DynoDecoder *decoder, const Mapping *mapping)
{
  g_autoptr (GArray) divisors = dyno_rotary_list_divisors (&decoder->rotary[0]);
  double usual = sqrt ((double)decoder->head_width);

  if (!g_str_equal (decoder->activation, mapping->activation))
    return decoder->fields.activation;
  if (decoder->has_output_bias || (decoder->has_input_bias && mapping->has_pairs))
    return "attention_bias";
  if (decoder->has_feed_bias)
    return "mlp_bias";
  if (divisors == NULL || (divisors->len > 0 && !mapping->has_divisors) ||
      decoder->rotary[0].width != decoder->head_width)
    return "rope_scaling";
  if (mapping->local_theta > 0 && decoder->rotary[1].theta != mapping->local_theta)
    return "rope_local_base_freq";
  if (!is_pattern (decoder, mapping->window_pattern, TRUE))
    return "sliding_window";
  if (!is_pattern (decoder, mapping->rotation_pattern, FALSE))
    return "no_rope_layers";
  if (decoder->score_divisor > 0 && fabs (decoder->score_divisor - usual) > 1e-6 * usual)
    return "query_pre_attn_scalar";
  /* Where a file says nothing, llama.cpp takes the caps of the published Gemma 2. */
  if (g_str_equal (mapping->name, "gemma2") && !(decoder->score_cap > 0))
    return "attn_logit_softcapping";
  if (g_str_equal (mapping->name, "gemma2") && !(decoder->logit_cap > 0))
    return "final_logit_softcapping";
  return decoder->head.kind == DYNO_HEAD_USUAL ? NULL : "architectures";
}

static GHashTable *
index_weights (DynoGraph *graph)
{
  GPtrArray *weights = dyno_graph_get_initializers (graph);
  GHashTable *by_name = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < weights->len; i++)
    g_hash_table_insert (by_name, (gpointer)((const DynoWeight *)weights->pdata[i])->name, weights->pdata[i]);
  return by_name;
}

DynoGgufContent *
dyno_gguf_content_new (DynoConfig *config, DynoGraph *graph, const char *precision, GError **error)
{
  const char *model_type = dyno_config_get_string_or (config, "model_type", "");
  g_autoptr (GHashTable) weights = index_weights (graph);
  g_autoptr (DynoGgufContent) content = g_new0 (DynoGgufContent, 1);
  g_auto (DynoDecoder) decoder = { NULL };
  Collecting self = { content, &decoder, find_mapping (model_type), weights, 0 };
  const char *obstacle = NULL;

  content->header = dyno_gguf_header_new (model_type);
  content->entries = g_array_new (FALSE, FALSE, sizeof (DynoGgufEntry));
  content->sources = g_array_new (FALSE, FALSE, sizeof (DynoGgufSource));
  g_array_set_clear_func (content->entries, entry_clear);
  g_array_set_clear_func (content->sources, source_clear);
  if (self.mapping == NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   /* Translators: the model type of a config, such as “bert” */
                   _ ("Dyno writes no GGUF file of the architecture “%s”. Name a GGUF file of it, or choose "
                      "another engine."),
                   model_type);
      return NULL;
    }
  dyno_decoder_read (&decoder, config);
  decoder.head = dyno_head_read (config);
  if (!dyno_config_check (config, error))
    return NULL;
  obstacle = find_obstacle (&decoder, self.mapping);
  if (obstacle != NULL)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   /* Translators: a member of a config, such as “rope_scaling” */
                   _ ("Dyno writes no GGUF file with the “%s” of this config. Name a GGUF file of the model, "
                      "or choose another engine."),
                   obstacle);
      return NULL;
    }
  while (!g_str_equal (layouts[self.layout].precision, precision))
    self.layout++;
  add_settings (&self);
  add_tensors (&self);
  return g_steal_pointer (&content);
}
