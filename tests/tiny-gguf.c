/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tiny-gguf.h"

#include <string.h>

#define ALIGNMENT 32
#define INNER     128

enum
{
  UINT32 = 4,
  FLOAT = 6,
  TEXT = 8,
};

const char *const tiny_gguf_types[TINY_GGUF_N_TYPES] = {
  "gemma", "gemma2", "gemma3_text", "llama", "mistral", "qwen2", "qwen3", "smollm3",
};

char *
tiny_gguf_dup_config (const char *model_type, guint width, const char *more)
{
  gboolean has_windows = strcmp (model_type, "gemma2") == 0 || strcmp (model_type, "gemma3_text") == 0;
  g_autofree char *scalar = g_strdup_printf (", \"query_pre_attn_scalar\": %u", width / 2);

  return g_strdup_printf (
      "{\"model_type\": \"%s\", \"vocab_size\": 64, \"hidden_size\": %u, \"intermediate_size\": %u, "
      "\"num_hidden_layers\": 2, \"num_attention_heads\": 2, \"num_key_value_heads\": 1, \"head_dim\": %u, "
      "\"max_position_embeddings\": 128%s%s%s%s}",
      model_type, width, 2 * width, width / 2, has_windows ? ", \"sliding_window\": 16" : "",
      strcmp (model_type, "gemma2") == 0 && strstr (more, "softcapping") == NULL
          ? ", \"attn_logit_softcapping\": 50.0, \"final_logit_softcapping\": 30.0"
          : "",
      has_windows && strstr (more, "query_pre_attn_scalar") == NULL ? scalar : "", more);
}

TinyGguf *
tiny_gguf_new (void)
{
  TinyGguf *self = g_new0 (TinyGguf, 1);

  self->version = 3;
  self->entries = g_byte_array_new ();
  self->infos = g_byte_array_new ();
  self->data = g_byte_array_new ();
  return self;
}

void
tiny_gguf_free (TinyGguf *self)
{
  g_byte_array_unref (self->entries);
  g_byte_array_unref (self->infos);
  g_byte_array_unref (self->data);
  g_free (self);
}

static void
put (GByteArray *bytes, guint64 number, guint n_bytes)
{
  guint64 little = GUINT64_TO_LE (number);

  g_byte_array_append (bytes, (const guint8 *)&little, n_bytes);
}

static void
put_text (GByteArray *bytes, const char *text)
{
  put (bytes, strlen (text), 8);
  g_byte_array_append (bytes, (const guint8 *)text, (guint)strlen (text));
}

static void
pad (GByteArray *bytes)
{
  while (bytes->len % ALIGNMENT != 0)
    put (bytes, 0, 1);
}

static void
begin_entry (TinyGguf *self, const char *key, guint32 type)
{
  put_text (self->entries, key);
  put (self->entries, type, 4);
  self->n_entries++;
}

void
tiny_gguf_add_text (TinyGguf *self, const char *key, const char *text)
{
  begin_entry (self, key, TEXT);
  put_text (self->entries, text);
}

void
tiny_gguf_add_number (TinyGguf *self, const char *key, guint32 number)
{
  begin_entry (self, key, UINT32);
  put (self->entries, number, 4);
}

void
tiny_gguf_add_real (TinyGguf *self, const char *key, float number)
{
  guint32 bits;

  memcpy (&bits, &number, sizeof bits);
  begin_entry (self, key, FLOAT);
  put (self->entries, bits, 4);
}

void
tiny_gguf_add_tensor (
    TinyGguf *self, const char *name, guint32 type, guint n_dims, const guint64 *dims, gsize n_bytes)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (self->data->len);

  put_text (self->infos, name);
  put (self->infos, n_dims, 4);
  for (guint i = 0; i < n_dims; i++)
    put (self->infos, dims[i], 8);
  put (self->infos, type, 4);
  put (self->infos, self->data->len, 8);
  for (gsize i = 0; i < n_bytes; i += 4)
    {
      float number = type == TINY_GGUF_F32 ? (float)g_rand_double_range (random, -0.1, 0.1) : 0;

      g_byte_array_append (self->data, (const guint8 *)&number, (guint)MIN (4, n_bytes - i));
    }
  pad (self->data);
  self->n_tensors++;
}

static void
add_matrix (TinyGguf *self, const char *name, guint rows, guint columns)
{
  const guint64 dims[] = { columns, rows };

  tiny_gguf_add_tensor (self, name, TINY_GGUF_F32, rows > 1 ? 2 : 1, dims, sizeof (float) * rows * columns);
}

static void
add_layer (TinyGguf *self, guint layer)
{
  static const struct
  {
    const char *name;
    guint rows;
    guint columns;
  } weights[] = {
    { "attn_norm", 1, TINY_GGUF_WIDTH },
    { "attn_q", TINY_GGUF_WIDTH, TINY_GGUF_WIDTH },
    { "attn_k", TINY_GGUF_WIDTH, TINY_GGUF_WIDTH },
    { "attn_v", TINY_GGUF_WIDTH, TINY_GGUF_WIDTH },
    { "attn_output", TINY_GGUF_WIDTH, TINY_GGUF_WIDTH },
    { "ffn_norm", 1, TINY_GGUF_WIDTH },
    { "ffn_gate", INNER, TINY_GGUF_WIDTH },
    { "ffn_up", INNER, TINY_GGUF_WIDTH },
    { "ffn_down", TINY_GGUF_WIDTH, INNER },
  };

  for (guint i = 0; i < G_N_ELEMENTS (weights); i++)
    {
      g_autofree char *name = g_strdup_printf ("blk.%u.%s.weight", layer, weights[i].name);

      add_matrix (self, name, weights[i].rows, weights[i].columns);
    }
}

TinyGguf *
tiny_gguf_new_llama (void)
{
  TinyGguf *self = tiny_gguf_new ();

  tiny_gguf_add_text (self, "general.architecture", "llama");
  tiny_gguf_add_number (self, "llama.context_length", TINY_GGUF_CONTEXT);
  tiny_gguf_add_number (self, "llama.embedding_length", TINY_GGUF_WIDTH);
  tiny_gguf_add_number (self, "llama.block_count", TINY_GGUF_LAYERS);
  tiny_gguf_add_number (self, "llama.feed_forward_length", INNER);
  tiny_gguf_add_number (self, "llama.attention.head_count", TINY_GGUF_HEADS);
  tiny_gguf_add_number (self, "llama.attention.head_count_kv", TINY_GGUF_HEADS);
  tiny_gguf_add_real (self, "llama.attention.layer_norm_rms_epsilon", 1e-5f);
  tiny_gguf_add_number (self, "llama.rope.dimension_count", TINY_GGUF_WIDTH / TINY_GGUF_HEADS);
  tiny_gguf_add_number (self, "llama.vocab_size", TINY_GGUF_WORDS);
  tiny_gguf_add_text (self, "tokenizer.ggml.model", "no_vocab");
  add_matrix (self, "token_embd.weight", TINY_GGUF_WORDS, TINY_GGUF_WIDTH);
  add_matrix (self, "output_norm.weight", 1, TINY_GGUF_WIDTH);
  add_matrix (self, "output.weight", TINY_GGUF_WORDS, TINY_GGUF_WIDTH);
  for (guint layer = 0; layer < TINY_GGUF_LAYERS; layer++)
    add_layer (self, layer);
  return self;
}

GByteArray *
tiny_gguf_to_bytes (const TinyGguf *self)
{
  GByteArray *bytes = g_byte_array_new ();

  g_byte_array_append (bytes, (const guint8 *)"GGUF", 4);
  put (bytes, self->version, 4);
  put (bytes, self->n_tensors, 8);
  put (bytes, self->n_entries, 8);
  g_byte_array_append (bytes, self->entries->data, self->entries->len);
  g_byte_array_append (bytes, self->infos->data, self->infos->len);
  pad (bytes);
  g_byte_array_append (bytes, self->data->data, self->data->len);
  return bytes;
}

void
tiny_gguf_save (const TinyGguf *self, const char *path)
{
  g_autoptr (GByteArray) bytes = tiny_gguf_to_bytes (self);
  g_autoptr (GError) error = NULL;

  g_file_set_contents (path, (const char *)bytes->data, (gssize)bytes->len, &error);
  g_assert_no_error (error);
}
