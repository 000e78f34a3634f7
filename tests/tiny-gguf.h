/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * TinyGguf:
 * @version: of the format, 3
 * @n_entries: number of settings
 * @n_tensors: number of tensors
 * @entries: the settings as they are written
 * @infos: the headers of tensors as they are written
 * @data: the data of tensors
 *
 * A GGUF file in memory. Tests change its parts to make it one that nobody should write.
 */
typedef struct
{
  guint32 version;
  guint64 n_entries;
  guint64 n_tensors;
  GByteArray *entries;
  GByteArray *infos;
  GByteArray *data;
} TinyGguf;

/* The numbers of types of tensors. */
#define TINY_GGUF_F32  0
#define TINY_GGUF_Q8_0 8
#define TINY_GGUF_Q4_K 12

/* The sizes of the model of tiny_gguf_new_llama(), which has no vocabulary but its size. */
#define TINY_GGUF_LAYERS     2
#define TINY_GGUF_WIDTH      64
#define TINY_GGUF_HEADS      2
#define TINY_GGUF_WORDS      512
#define TINY_GGUF_CONTEXT    512
#define TINY_GGUF_PARAMETERS 147776

/* The types of models of which Dyno writes files. */
#define TINY_GGUF_N_TYPES 8
extern const char *const tiny_gguf_types[TINY_GGUF_N_TYPES];

/* Returns the config of a tiny model of that type. The caller owns it. @width: of its layers. @more: further members,
 * each after a comma. */
char *tiny_gguf_dup_config (const char *model_type, guint width, const char *more);

TinyGguf *tiny_gguf_new (void);
/* Returns a llama of two layers with random weights in single precision. */
TinyGguf *tiny_gguf_new_llama (void);
void tiny_gguf_free (TinyGguf *self);
void tiny_gguf_add_text (TinyGguf *self, const char *key, const char *text);
void tiny_gguf_add_number (TinyGguf *self, const char *key, guint32 number);
void tiny_gguf_add_real (TinyGguf *self, const char *key, float number);
/* Adds the header of a tensor, and as many bytes of data as @n_bytes; small random numbers if it is of floats. */
void tiny_gguf_add_tensor (
    TinyGguf *self, const char *name, guint32 type, guint n_dims, const guint64 *dims, gsize n_bytes);
/* Returns the bytes of the file. The caller owns it. */
GByteArray *tiny_gguf_to_bytes (const TinyGguf *self);
void tiny_gguf_save (const TinyGguf *self, const char *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TinyGguf, tiny_gguf_free)

G_END_DECLS
