/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model-description.h"

G_BEGIN_DECLS

#define DYNO_GGUF_MAGIC "GGUF"

/* dyno-gguf-file */

/* Returns whether the file begins as a GGUF file does. */
gboolean dyno_gguf_file_is_one (const char *path);
/* Reads the header alone, and those of the other files of a model that was split. The file may be untrusted, so only
 * call this in workers, whose resources are limited. Returns the description. The caller owns it. Fails with
 * DYNO_ERROR_NOT_FOUND, DYNO_ERROR_INVALID_DATA or, for a file that is no model of tokens, DYNO_ERROR_UNSUPPORTED. */
DynoModelDescription *dyno_gguf_file_describe (const char *path, GError **error);

/* dyno-gguf-header */

/**
 * DynoGgufTensor:
 * @name: its name
 * @n_dims: number of dimensions, 1 to 4
 * @dims: its dimensions, the innermost first
 * @type: the number of its type, for dyno_gguf_type_find()
 * @n_elements: product of the dimensions
 * @n_bytes: size of its data
 *
 * A tensor as a header declares it.
 */
typedef struct
{
  char *name;
  guint n_dims;
  gint64 dims[4];
  guint32 type;
  gint64 n_elements;
  gint64 n_bytes;
} DynoGgufTensor;

/**
 * DynoGgufHeader:
 * @path: the file
 * @texts: (element-type utf8 utf8): short strings by key
 * @numbers: (element-type utf8 double): numbers and truth values by key
 * @lists: (element-type utf8 GArray): short arrays of numbers by key, of double
 * @counts: (element-type utf8 gint64): the number of elements of each array by key
 * @tensors: (element-type DynoGgufTensor): the tensors in this file
 *
 * The header of one file, checked: all sizes fit the file.
 */
typedef struct
{
  char *path;
  GHashTable *texts;
  GHashTable *numbers;
  GHashTable *lists;
  GHashTable *counts;
  GPtrArray *tensors;
} DynoGgufHeader;

/* Returns the header; NULL on error. Fails with DYNO_ERROR_NOT_FOUND or DYNO_ERROR_INVALID_DATA. */
DynoGgufHeader *dyno_gguf_header_read (const char *path, GError **error);
void dyno_gguf_header_free (DynoGgufHeader *self);
/* Returns the number of that key, or of an array of them the largest; @fallback if there is none, or none that is
 * whole and from 0 to 2³¹ - 1. @index: which of an array; -1 for the largest. */
gint64 dyno_gguf_header_get (const DynoGgufHeader *self, const char *key, int index, gint64 fallback);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoGgufHeader, dyno_gguf_header_free)

/**
 * DynoGgufType:
 * @number: its number in files
 * @name: its name, `Q4_K`
 * @block: elements that share a block
 * @bytes: bytes of a block
 * @precision: (nullable): the precision of such weights
 *
 * A type of tensors.
 */
typedef struct
{
  guint32 number;
  const char *name;
  guint block;
  guint bytes;
  const char *precision;
} DynoGgufType;

/* Returns the type of that number; NULL if there is none. */
const DynoGgufType *dyno_gguf_type_find (guint32 number);

G_END_DECLS
