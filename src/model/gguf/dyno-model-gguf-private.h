/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-config.h"
#include "dyno-graph.h"
#include "dyno-model-description.h"

G_BEGIN_DECLS

#define DYNO_GGUF_MAGIC "GGUF"

/* dyno-gguf-file */

/* Reads the header alone, and those of the other files of a model that was split. The file may be untrusted, so only
 * call this in workers, whose resources are limited. Returns the description. The caller owns it. Fails with
 * DYNO_ERROR_NOT_FOUND, DYNO_ERROR_INVALID_DATA or, for a file that is no model of tokens, DYNO_ERROR_UNSUPPORTED. */
DynoModelDescription *dyno_gguf_file_describe (const char *path, GError **error);

/* dyno-gguf-header */

/* The types of values of settings. */
enum
{
  DYNO_GGUF_VALUE_UINT8,
  DYNO_GGUF_VALUE_INT8,
  DYNO_GGUF_VALUE_UINT16,
  DYNO_GGUF_VALUE_INT16,
  DYNO_GGUF_VALUE_UINT32,
  DYNO_GGUF_VALUE_INT32,
  DYNO_GGUF_VALUE_FLOAT,
  DYNO_GGUF_VALUE_BOOL,
  DYNO_GGUF_VALUE_TEXT,
  DYNO_GGUF_VALUE_ARRAY,
  DYNO_GGUF_VALUE_UINT64,
  DYNO_GGUF_VALUE_INT64,
  DYNO_GGUF_VALUE_DOUBLE,
  DYNO_GGUF_N_VALUES
};

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

/* Returns an empty header. @path: the file, or a name for people. */
DynoGgufHeader *dyno_gguf_header_new (const char *path);
/* Returns the header; NULL on error. @path: the file, for messages. @start: its beginning, all of it or as much as a
 * header may take. @size: of the whole file. Fails with DYNO_ERROR_INVALID_DATA, or DYNO_ERROR_UNSUPPORTED for a file
 * that is newer than Dyno. */
DynoGgufHeader *dyno_gguf_header_parse (const char *path, const char *start, gsize size, GError **error);
/* Likewise for a file. Fails with DYNO_ERROR_NOT_FOUND as well. */
DynoGgufHeader *dyno_gguf_header_read (const char *path, GError **error);
void dyno_gguf_header_free (DynoGgufHeader *self);
/* Returns the number of that key, or of an array of them the largest; @fallback if there is none, or none that is
 * whole and from 0 to 2³¹ - 1. @index: which of an array; -1 for the largest. */
gint64 dyno_gguf_header_get (const DynoGgufHeader *self, const char *key, int index, gint64 fallback);

/* Returns the description of a file with that header. The caller owns it. Fails as dyno_gguf_file_describe() does. */
DynoModelDescription *dyno_gguf_header_describe (const DynoGgufHeader *header, GError **error);

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

/* The types that Dyno writes or expects of an engine. */
enum
{
  DYNO_GGUF_F32 = 0,
  DYNO_GGUF_F16 = 1,
  DYNO_GGUF_Q5_0 = 6,
  DYNO_GGUF_Q8_0 = 8,
  DYNO_GGUF_Q4_K = 12,
  DYNO_GGUF_Q6_K = 14,
  DYNO_GGUF_BF16 = 30,
};

/* Returns the type of that number; NULL if there is none. */
const DynoGgufType *dyno_gguf_type_find (guint32 number);

/* dyno-gguf-content */

/* The precision whose weights an engine quantises, because each chooses the types of its own accord. */
#define DYNO_GGUF_BY_ENGINE "q4_k_m"

/**
 * DynoGgufEntry:
 * @key: its key
 * @text: (nullable): its value, if that is a text
 * @number: its value otherwise
 * @is_whole: whether the number is whole
 *
 * A setting of a file.
 */
typedef struct
{
  char *key;
  const char *text;
  double number;
  gboolean is_whole;
} DynoGgufEntry;

/**
 * DynoGgufSource:
 * @weight: (nullable): the weight of the graph
 * @numbers: (nullable) (element-type float): the numbers, if it is none
 * @head_width: if above 0, the halves of each head of that width are woven, so that the numbers of a rotated pair are
 *   neighbours
 * @added: a number that is added to each
 *
 * Where the numbers of a tensor come from.
 */
typedef struct
{
  const DynoWeight *weight;
  GArray *numbers;
  gint64 head_width;
  float added;
} DynoGgufSource;

/**
 * DynoGgufContent:
 * @header: the header of the file
 * @entries: (element-type DynoGgufEntry): its settings in their order
 * @sources: (element-type DynoGgufSource): the source of each tensor of the header
 *
 * A GGUF file of a graph that Dyno builds, before it is written.
 */
typedef struct
{
  DynoGgufHeader *header;
  GArray *entries;
  GArray *sources;
} DynoGgufContent;

/* Returns whether Dyno writes files of models of that type; some configs of such a type may be refused. */
gboolean dyno_gguf_content_has_type (const char *model_type);
/* Returns the content; NULL on error. @graph: the whole graph of the config in single precision, which must outlive the
 * content. For %DYNO_GGUF_BY_ENGINE the types are those that an engine is expected to choose. Fails with
 * DYNO_ERROR_UNSUPPORTED. */
DynoGgufContent *
dyno_gguf_content_new (DynoConfig *config, DynoGraph *graph, const char *precision, GError **error);
void dyno_gguf_content_free (DynoGgufContent *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoGgufContent, dyno_gguf_content_free)

/* dyno-gguf-writer */

#define DYNO_GGUF_WRITER_FILE "model.gguf"

/* Returns a checksum that differs if another file would be written. The caller owns it. @state (nullable): the state of
 * the files from which weights are read. */
char *dyno_gguf_writer_get_checksum (const DynoGgufContent *content, guint64 seed, const char *state);
/* Returns about how many bytes the file takes. */
gint64 dyno_gguf_writer_get_size (const DynoGgufContent *content);
/* Writes the file, a few rows at a time. Returns whether all is written. @cancellable may be NULL. */
gboolean dyno_gguf_writer_write (const DynoGgufContent *content,
                                 const char *folder,
                                 guint64 seed,
                                 GCancellable *cancellable,
                                 GError **error);

G_END_DECLS
