/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-model-gguf-private.h"
#include "dyno-precision.h"
#include "dyno-text.h"

#define EMBEDDING "token_embd.weight"
#define OUTPUT    "output.weight"
#define LAYER     "blk."

#define MAX_LAYERS 4096
#define MAX_FILES  1000

/* A type with a smaller share is left out of the mix. */
#define LEAST_SHARE 0.005

/* A model whose files are being read. */
typedef struct
{
  const DynoGgufHeader *header; /* of its first file */
  DynoModelDescription *description;
  const char *architecture;
  DynoGgufTensor table; /* the embedding of tokens, without its name; without elements if there is none */
  GHashTable *elements; /* of DynoGgufType and gint64: how many weights have that type */
} Reading;

/* Returns the number of a key below the architecture's. */
static gint64
get (const Reading *self, const char *name, int index, gint64 fallback)
{
  g_autofree char *key = g_strconcat (self->architecture, ".", name, NULL);

  return dyno_gguf_header_get (self->header, key, index, fallback);
}

/* Adapters, encoders of pictures and embeddings are files of the same kind. */
static gboolean
check_kind (const Reading *self, GError **error)
{
  static const char *const others[] = { "clip", "t5", "t5encoder", NULL };
  const char *type = g_hash_table_lookup (self->header->texts, "general.type");
  g_autofree char *name = NULL;

  if (self->architecture == NULL || *self->architecture == '\0')
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” is a GGUF file, but names no architecture."), self->header->path);
      return FALSE;
    }
  if ((type == NULL || g_str_equal (type, "model")) && !g_strv_contains (others, self->architecture) &&
      strstr (self->architecture, "bert") == NULL && get (self, "attention.causal", -1, 1) != 0)
    return TRUE;
  name = dyno_plain_text_quote (self->architecture, DYNO_PLAIN_TEXT_NAME);
  g_set_error (
      error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
      /* Translators: a file, and the architecture that it names, such as “bert” or “clip” */
      _ ("“%s” is a GGUF file (“%s”) that does not write text token by token, and Dyno measures only "
         "those that do."),
      self->header->path, name);
  return FALSE;
}

static void
add_cache (const Reading *self, guint layer, const char *kind, gint64 n_heads, gint64 width)
{
  g_autofree char *name = g_strdup_printf ("past_key_values.%u.%s", layer, kind);
  DynoTensorInfo *info = dyno_tensor_info_new (name, DYNO_DATA_TYPE_FLOAT16);

  dyno_tensor_info_add_symbol (info, "batch");
  dyno_tensor_info_add_size (info, n_heads);
  dyno_tensor_info_add_symbol (info, "past_sequence");
  dyno_tensor_info_add_size (info, width);
  g_ptr_array_add (self->description->inputs, info);
}

/* Layers that predict further tokens are in files, but no step runs them. */
static gint64
count_layers (const Reading *self)
{
  return get (self, "block_count", -1, 0) - get (self, "nextn_predict_layers", -1, 0);
}

/* A layer without heads keeps no keys and values, but a state or nothing. */
static gboolean
add_caches (const Reading *self, GError **error)
{
  gint64 n_layers = count_layers (self);
  gint64 width = get (self, "embedding_length", -1, 0);
  gboolean is_latent = get (self, "attention.kv_lora_rank", -1, 0) > 0;

  if (n_layers < 1 || n_layers > MAX_LAYERS || width < 1)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” is a GGUF file, but does not say how many layers it has, or how wide they are."),
                   self->header->path);
      return FALSE;
    }
  for (guint layer = 0; layer < n_layers; layer++)
    {
      gint64 n_heads = get (self, "attention.head_count", (int)layer, 0);
      gint64 n_kept = get (self, "attention.head_count_kv", (int)layer, n_heads);
      gint64 usual = n_heads > 0 ? width / n_heads : 0;
      gint64 key = get (self, "attention.key_length", -1, usual);
      gint64 value = get (self, "attention.value_length", -1, usual);

      self->description->attention_width += (double)n_heads * (double)(key + value);
      if (n_kept > 0 && key > 0)
        add_cache (self, layer, "key", n_kept, key);
      if (n_kept > 0 && value > 0 && !is_latent)
        add_cache (self, layer, "value", n_kept, value);
    }
  return TRUE;
}

/* llama.cpp gives the numbers of the last token of each item. */
static gboolean
add_signature (const Reading *self, GError **error)
{
  const gint64 *n_listed = g_hash_table_lookup (self->header->counts, "tokenizer.ggml.tokens");
  gint64 n_words = self->table.n_dims == 2 ? self->table.dims[1] : 0;
  DynoTensorInfo *tokens = dyno_tensor_info_new ("input_ids", DYNO_DATA_TYPE_INT64);
  DynoTensorInfo *logits = dyno_tensor_info_new ("logits", DYNO_DATA_TYPE_FLOAT);

  if (n_words == 0)
    n_words = get (self, "vocab_size", -1, 0);
  if (n_words == 0 && n_listed != NULL)
    n_words = *n_listed;
  dyno_tensor_info_add_symbol (tokens, "batch");
  dyno_tensor_info_add_symbol (tokens, "sequence");
  g_ptr_array_add (self->description->inputs, tokens);
  dyno_tensor_info_add_symbol (logits, "batch");
  dyno_tensor_info_add_size (logits, 1);
  dyno_tensor_info_add_size (logits, n_words);
  g_ptr_array_add (self->description->outputs, logits);
  if (n_words < 1)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   _ ("“%s” is a GGUF file, but does not say how many tokens it knows."), self->header->path);
      return FALSE;
    }
  dyno_model_description_limit (self->description, "input_ids", n_words);
  self->description->max_sequence_length = (guint)get (self, "context_length", -1, 0);
  return add_caches (self, error);
}

static void
add_product (Reading *self, const DynoGgufTensor *tensor)
{
  /* Tables, in which each token looks up a row, are no factors of a product. */
  static const char *const tables[] = { "per_layer_token_embd.weight", "position_embd.weight",
                                        "token_types.weight", NULL };
  DynoModelDescription *description = self->description;
  gboolean is_run = !g_str_has_prefix (tensor->name, LAYER) ||
                    g_ascii_strtoll (tensor->name + strlen (LAYER), NULL, 10) < count_layers (self);
  DynoWeightUse use = g_str_equal (tensor->name, OUTPUT)        ? DYNO_WEIGHT_USE_LAST
                      : strstr (tensor->name, "_exps.") != NULL ? DYNO_WEIGHT_USE_EXPERTS
                                                                : DYNO_WEIGHT_USE_ALL;

  if (g_str_equal (tensor->name, EMBEDDING))
    {
      self->table = *tensor;
      self->table.name = NULL;
    }
  else if (tensor->n_dims > 1 && !g_strv_contains (tables, tensor->name) && is_run)
    {
      description->product_weights[use] += (double)tensor->n_elements;
      description->product_bytes[use] += (double)tensor->n_bytes;
    }
}

/* The factors of rotary positions are computed from the config, so they are no parameters. */
static gboolean
add_weights (Reading *self, const DynoGgufHeader *header, GError **error)
{
  DynoModelDescription *description = self->description;
  gboolean is_possible = TRUE;

  for (guint i = 0; i < header->tensors->len; i++)
    {
      const DynoGgufTensor *tensor = header->tensors->pdata[i];
      gpointer type = (gpointer)dyno_gguf_type_find (tensor->type);
      gint64 *n = g_hash_table_lookup (self->elements, type);

      if (n == NULL)
        {
          n = g_new0 (gint64, 1);
          g_hash_table_insert (self->elements, type, n);
        }
      add_product (self, tensor);
      if (__builtin_add_overflow (*n, tensor->n_elements, n) ||
          __builtin_add_overflow (description->weight_bytes, tensor->n_bytes, &description->weight_bytes) ||
          __builtin_add_overflow (description->parameter_count,
                                  g_str_has_prefix (tensor->name, "rope_") ? 0 : tensor->n_elements,
                                  &description->parameter_count))
        is_possible = FALSE;
    }
  if (!is_possible)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                 _ ("“%s” is a GGUF file, but the sizes of its tensors are not possible."), header->path);
  return is_possible;
}

/* The files of a model that was split are `NAME-00001-of-00003.gguf` and so on; the first has all settings. */
static char *
dup_sibling (const char *path, guint number, guint count)
{
  g_autofree char *ending = g_strdup_printf ("-%05u-of-%05u.gguf", 1, count);
  g_autofree char *stem = NULL;

  if (!g_str_has_suffix (path, ending))
    return NULL;
  stem = g_strndup (path, strlen (path) - strlen (ending));
  return g_strdup_printf ("%s-%05u-of-%05u.gguf", stem, number, count);
}

static gboolean
read_siblings (Reading *self, GError **error)
{
  guint count = (guint)dyno_gguf_header_get (self->header, "split.count", -1, 0);
  gint64 number = dyno_gguf_header_get (self->header, "split.no", -1, 0);
  g_autofree char *first = dup_sibling (self->header->path, 1, count);

  if (count > 1 && (number != 0 || count > MAX_FILES || first == NULL))
    {
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("“%s” is a part of a model of %u files. Name the first of them, “…-00001-of-%05u.gguf”."),
          self->header->path, count, count);
      return FALSE;
    }
  for (guint i = 2; i <= count; i++)
    {
      g_autofree char *path = dup_sibling (self->header->path, i, count);
      g_autoptr (DynoGgufHeader) header = dyno_gguf_header_read (path, error);

      if (header == NULL || !add_weights (self, header, error))
        return FALSE;
      g_hash_table_add (self->description->external_files, g_path_get_basename (path));
    }
  return TRUE;
}

static int
compare_types (gconstpointer a, gconstpointer b, gpointer data)
{
  const gint64 *first = g_hash_table_lookup (data, a), *second = g_hash_table_lookup (data, b);

  /* Equal shares have the order of the types' table. */
  return *first < *second ? 1 : *first > *second ? -1 : a < b ? -1 : 1;
}

/* The type of most weights is the precision of the model. */
static void
sum_up_types (const Reading *self)
{
  DynoModelDescription *description = self->description;
  g_autoptr (GList) types = g_hash_table_get_keys (self->elements);
  g_autoptr (GString) mix = g_string_new (NULL);
  double total = 0;

  types = g_list_sort_with_data (types, compare_types, self->elements);
  for (GList *l = types; l != NULL; l = l->next)
    total += (double)*(gint64 *)g_hash_table_lookup (self->elements, l->data);
  for (GList *l = types; l != NULL; l = l->next)
    {
      const DynoGgufType *type = l->data;
      double share = (double)*(gint64 *)g_hash_table_lookup (self->elements, type) / total;

      if (share >= LEAST_SHARE)
        g_string_append_printf (mix, "%s%s %.0f %%", mix->len > 0 ? ", " : "", type->name, 100 * share);
      if (l == types && dyno_precision_is_quantised (type->precision != NULL ? type->precision : ""))
        description->quantisation = g_intern_string (type->precision);
      else if (l == types)
        description->real_type = dyno_precision_get_type (type->precision != NULL ? type->precision : "");
    }
  description->weight_mix = g_string_free (g_steal_pointer (&mix), FALSE);
}

DynoModelDescription *
dyno_gguf_header_describe (const DynoGgufHeader *header, GError **error)
{
  g_autoptr (DynoModelDescription) description = dyno_model_description_new ();
  g_autoptr (GHashTable) elements = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Reading self = { .header = header, .description = description, .elements = elements };
  double n_experts, n_used;

  self.architecture = g_hash_table_lookup (header->texts, "general.architecture");
  if (!check_kind (&self, error) || !add_weights (&self, header, error) || !read_siblings (&self, error) ||
      !add_signature (&self, error))
    return NULL;
  sum_up_types (&self);
  /* Without a matrix of its own for the output, the table of tokens is that matrix as well. */
  if (description->product_weights[DYNO_WEIGHT_USE_LAST] <= 0)
    {
      description->product_weights[DYNO_WEIGHT_USE_LAST] = (double)self.table.n_elements;
      description->product_bytes[DYNO_WEIGHT_USE_LAST] = (double)self.table.n_bytes;
    }
  n_experts = (double)get (&self, "expert_count", -1, 0);
  n_used = (double)get (&self, "expert_used_count", -1, 0);
  description->expert_share = n_experts > 0 ? CLAMP (n_used / n_experts, 0, 1) : 1;
  description->architecture = dyno_plain_text_quote (self.architecture, DYNO_PLAIN_TEXT_NAME);
  return g_steal_pointer (&description);
}

DynoModelDescription *
dyno_gguf_file_describe (const char *path, GError **error)
{
  g_autoptr (DynoGgufHeader) header = dyno_gguf_header_read (path, error);

  return header != NULL ? dyno_gguf_header_describe (header, error) : NULL;
}
