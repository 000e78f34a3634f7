/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-error.h"
#include "dyno-float16.h"
#include "dyno-model-gguf-private.h"
#include "dyno-model-weights-private.h"
#include "dyno-onnx-writer.h"

#define VERSION   3
#define ALIGNMENT 32

/* Rows that are in memory at a time where they need not fill heads: whole cache lines of each row of the graph. */
#define N_ROWS 64

#define Q8_BLOCK 32
#define Q8_RANGE 127

/* A tensor that is being written. */
typedef struct
{
  GDataOutputStream *stream;
  const DynoGgufTensor *tensor;
  const DynoGgufSource *source;
  guint64 seed;
  float *values; /* some rows */
  float *woven;  /* the same as the file has them, if that differs */
  guint8 *bytes; /* the same in the type of the tensor */
} Writing;

static gint64
align (gint64 offset)
{
  return (offset + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static gboolean
put_text (GDataOutputStream *stream, const char *text, GError **error)
{
  return g_data_output_stream_put_uint64 (stream, strlen (text), NULL, error) &&
         g_data_output_stream_put_string (stream, text, NULL, error);
}

static gboolean
put_entry (GDataOutputStream *stream, const DynoGgufEntry *entry, GError **error)
{
  guint32 type = entry->text != NULL ? DYNO_GGUF_VALUE_TEXT
                 : entry->is_whole   ? DYNO_GGUF_VALUE_UINT32
                                     : DYNO_GGUF_VALUE_FLOAT;
  float number = (float)entry->number;
  guint32 bits = (guint32)entry->number;

  if (!entry->is_whole)
    memcpy (&bits, &number, sizeof bits);
  return put_text (stream, entry->key, error) &&
         g_data_output_stream_put_uint32 (stream, type, NULL, error) &&
         (entry->text != NULL ? put_text (stream, entry->text, error)
                              : g_data_output_stream_put_uint32 (stream, bits, NULL, error));
}

/* Pads what was written so far to a multiple of the alignment. */
static gboolean
pad (GDataOutputStream *stream, GError **error)
{
  static const guint8 zeros[ALIGNMENT];
  goffset at = g_seekable_tell (G_SEEKABLE (stream));

  return g_output_stream_write_all (G_OUTPUT_STREAM (stream), zeros, (gsize)(align (at) - at), NULL, NULL,
                                    error);
}

static gboolean
put_header (const DynoGgufContent *content, GDataOutputStream *stream, GError **error)
{
  const GPtrArray *tensors = content->header->tensors;
  gboolean is_good = g_data_output_stream_put_string (stream, DYNO_GGUF_MAGIC, NULL, error) &&
                     g_data_output_stream_put_uint32 (stream, VERSION, NULL, error) &&
                     g_data_output_stream_put_uint64 (stream, tensors->len, NULL, error) &&
                     g_data_output_stream_put_uint64 (stream, content->entries->len, NULL, error);
  gint64 offset = 0;

  for (guint i = 0; is_good && i < content->entries->len; i++)
    is_good = put_entry (stream, &g_array_index (content->entries, DynoGgufEntry, i), error);
  for (guint i = 0; is_good && i < tensors->len; i++)
    {
      const DynoGgufTensor *tensor = tensors->pdata[i];

      is_good = put_text (stream, tensor->name, error) &&
                g_data_output_stream_put_uint32 (stream, tensor->n_dims, NULL, error);
      for (guint k = 0; is_good && k < tensor->n_dims; k++)
        is_good = g_data_output_stream_put_uint64 (stream, (guint64)tensor->dims[k], NULL, error);
      is_good = is_good && g_data_output_stream_put_uint32 (stream, tensor->type, NULL, error) &&
                g_data_output_stream_put_uint64 (stream, (guint64)offset, NULL, error);
      offset = align (offset + tensor->n_bytes);
    }
  return is_good && pad (stream, error);
}

/* Fills some rows of the file: outputs of a weight that the graph has as [inputs, outputs]. */
static void
fill_rows (const Writing *self, gint64 first, gint64 n_rows)
{
  const DynoGgufSource *source = self->source;
  gsize width = (gsize)self->tensor->dims[0], n_values = width * (gsize)n_rows;

  if (source->weight == NULL)
    memcpy (self->values, source->numbers->data, n_values * sizeof (float));
  else if (self->tensor->n_dims > 1 && source->weight->is_turned)
    dyno_weights_fill_columns (source->weight, self->seed, (gsize)first, (gsize)n_rows, self->values, width);
  else
    dyno_weights_fill (source->weight, self->seed, (gsize)first * width, self->values, n_values);
  for (gsize i = 0; source->added != 0 && i < n_values; i++)
    self->values[i] += source->added;
}

/* The number of each pair that is in the second half of a head follows that of the first half. */
static const float *
weave (const Writing *self, gint64 n_rows)
{
  gint64 width = self->tensor->n_dims > 1 ? self->tensor->dims[0] : 1;
  gint64 n = self->tensor->n_dims > 1 ? n_rows : self->tensor->dims[0];
  gint64 head = self->source->head_width;

  if (head == 0)
    return self->values;
  for (gint64 row = 0; row < n; row++)
    {
      gint64 of_head = row % head;
      gint64 from = row - of_head + of_head / 2 + of_head % 2 * (head / 2);

      memcpy (self->woven + row * width, self->values + from * width, sizeof (float) * (gsize)width);
    }
  return self->woven;
}

static void
round_block (const float *values, guint8 *bytes)
{
  float farthest = 0, scale, inverse;
  guint16 half;

  for (guint i = 0; i < Q8_BLOCK; i++)
    farthest = fmaxf (farthest, fabsf (values[i]));
  scale = farthest / Q8_RANGE;
  inverse = scale > 0 ? 1 / scale : 0;
  half = GUINT16_TO_LE (dyno_float16_from_float (scale));
  memcpy (bytes, &half, sizeof half);
  for (guint i = 0; i < Q8_BLOCK; i++)
    bytes[sizeof half + i] = (guint8)(gint8)lrintf (values[i] * inverse);
}

/* Returns the size in bytes. */
static gsize
round_values (const Writing *self, const float *values, gsize n_values)
{
  const DynoGgufType *type = dyno_gguf_type_find (self->tensor->type);

  for (gsize i = 0; i < n_values; i += type->block)
    {
      guint8 *bytes = self->bytes + i / type->block * type->bytes;
      guint16 half = 0;
      guint32 whole;

      memcpy (&whole, &values[i], sizeof whole);
      whole = GUINT32_TO_LE (whole);
      if (type->number == DYNO_GGUF_F16)
        half = GUINT16_TO_LE (dyno_float16_from_float (values[i]));
      else if (type->number == DYNO_GGUF_BF16)
        half = GUINT16_TO_LE (dyno_float16_bfloat_from_float (values[i]));
      if (type->number == DYNO_GGUF_Q8_0)
        round_block (values + i, bytes);
      else if (type->number == DYNO_GGUF_F32)
        memcpy (bytes, &whole, sizeof whole);
      else
        memcpy (bytes, &half, sizeof half);
    }
  return n_values / type->block * type->bytes;
}

/* Random weights always fit; those of a file may not. */
static gboolean
write_rows (Writing *self, gint64 n_per_part, GCancellable *cancellable, GError **error)
{
  gint64 n_rows = self->tensor->n_dims > 1 ? self->tensor->dims[1] : 1;
  gsize width = (gsize)self->tensor->dims[0];
  guint32 type = self->tensor->type;
  double largest = type == DYNO_GGUF_F32 || type == DYNO_GGUF_BF16
                       ? INFINITY
                       : (double)DYNO_FLOAT16_MAX * (type == DYNO_GGUF_Q8_0 ? Q8_RANGE : 1);

  for (gint64 row = 0; row < n_rows; row += n_per_part)
    {
      gint64 n = MIN (n_rows - row, n_per_part);
      const float *values;
      gsize size;

      fill_rows (self, row, n);
      values = weave (self, n);
      for (gsize i = 0; isfinite (largest) && i < width * (gsize)n; i++)
        if (!((double)fabsf (values[i]) <= largest))
          {
            g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                         _ ("The tensor “%s” holds %g, which does not fit this precision. Choose fp32 or "
                            "bf16."),
                         self->tensor->name, (double)values[i]);
            return FALSE;
          }
      size = round_values (self, values, width * (gsize)n);
      if (!g_output_stream_write_all (G_OUTPUT_STREAM (self->stream), self->bytes, size, NULL, cancellable,
                                      error))
        return FALSE;
    }
  return TRUE;
}

/* The name of the file with the weights is that of the ONNX writer's. */
static gboolean
write_hash (const DynoGgufContent *content, const char *folder, GError **error)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *path = g_build_filename (folder, DYNO_ONNX_WRITER_HASH, NULL);
  gboolean is_read = FALSE;

  for (guint i = 0; i < content->sources->len; i++)
    {
      const DynoWeight *weight = g_array_index (content->sources, DynoGgufSource, i).weight;

      if (weight == NULL || weight->tensor == NULL)
        continue;
      dyno_safetensor_add_to_checksum (weight->tensor, checksum);
      is_read = TRUE;
    }
  return !is_read || g_file_set_contents (path, g_checksum_get_string (checksum), -1, error);
}

static GDataOutputStream *
open_stream (GOutputStream *base)
{
  GDataOutputStream *stream = g_data_output_stream_new (base);

  g_data_output_stream_set_byte_order (stream, G_DATA_STREAM_BYTE_ORDER_LITTLE_ENDIAN);
  return stream;
}

gboolean
dyno_gguf_writer_write (const DynoGgufContent *content,
                        const char *folder,
                        guint64 seed,
                        GCancellable *cancellable,
                        GError **error)
{
  g_autoptr (GFile) file = g_file_new_build_filename (folder, DYNO_GGUF_WRITER_FILE, NULL);
  g_autoptr (GFileOutputStream) base = NULL;
  g_autoptr (GDataOutputStream) stream = NULL;
  g_autoptr (GError) local_error = NULL;
  gboolean is_good;

  base = g_file_create (file, G_FILE_CREATE_NONE, cancellable, &local_error);
  stream = base != NULL ? open_stream (G_OUTPUT_STREAM (base)) : NULL;
  is_good = stream != NULL && put_header (content, stream, &local_error);
  for (guint i = 0; is_good && i < content->header->tensors->len; i++)
    {
      const DynoGgufSource *source = &g_array_index (content->sources, DynoGgufSource, i);
      const DynoGgufTensor *tensor = content->header->tensors->pdata[i];
      gint64 head = source->head_width;
      gint64 n_per_part = head > 0 ? head * MAX (N_ROWS / head, 1) : N_ROWS;
      gsize n_values = (gsize)(tensor->dims[0] * n_per_part);
      g_autofree float *values = g_new (float, n_values);
      g_autofree float *woven = head > 0 ? g_new (float, n_values) : NULL;
      g_autofree guint8 *bytes = g_malloc (n_values * sizeof (float));
      Writing self = { stream, tensor, source, seed, values, woven, bytes };

      is_good = write_rows (&self, n_per_part, cancellable, &local_error) && pad (stream, &local_error);
    }
  is_good = is_good && g_output_stream_close (G_OUTPUT_STREAM (stream), cancellable, &local_error) &&
            write_hash (content, folder, &local_error);
  if (is_good)
    return TRUE;
  if (g_error_matches (local_error, G_IO_ERROR, G_IO_ERROR_NO_SPACE))
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                 _ ("There is no room for the model at “%s”. Free some space, or move the cache."),
                 g_file_peek_path (file));
  else if (local_error->domain == G_IO_ERROR && local_error->code != G_IO_ERROR_CANCELLED)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, _ ("The model could not be written to “%s”: %s"),
                 g_file_peek_path (file), local_error->message);
  else
    g_propagate_error (error, g_steal_pointer (&local_error));
  return FALSE;
}

gint64
dyno_gguf_writer_get_size (const DynoGgufContent *content)
{
  gint64 size = 0;

  for (guint i = 0; i < content->header->tensors->len; i++)
    size = align (size + ((const DynoGgufTensor *)content->header->tensors->pdata[i])->n_bytes);
  return size;
}

char *
dyno_gguf_writer_get_checksum (const DynoGgufContent *content, guint64 seed, const char *state)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autoptr (GOutputStream) base = g_memory_output_stream_new_resizable ();
  g_autoptr (GDataOutputStream) stream = open_stream (base);
  const guint64 versions[] = { seed, DYNO_WEIGHTS_VERSION };

  put_header (content, stream, NULL);
  g_output_stream_flush (G_OUTPUT_STREAM (stream), NULL, NULL);
  g_checksum_update (checksum, g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (base)),
                     (gssize)g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (base)));
  g_checksum_update (checksum, (const guchar *)versions, sizeof versions);
  if (state != NULL)
    g_checksum_update (checksum, (const guchar *)state, -1);
  for (guint i = 0; i < content->sources->len; i++)
    {
      const DynoGgufSource *source = &g_array_index (content->sources, DynoGgufSource, i);
      const double facts[] = { source->weight != NULL ? source->weight->mean : 0,
                               source->weight != NULL ? source->weight->deviation : 0, (double)source->added,
                               (double)source->head_width };

      g_checksum_update (checksum, (const guchar *)facts, sizeof facts);
      if (source->weight != NULL)
        g_checksum_update (checksum, (const guchar *)source->weight->name, -1);
      else
        g_checksum_update (checksum, (const guchar *)source->numbers->data,
                           (gssize)(source->numbers->len * sizeof (float)));
    }
  return g_strdup (g_checksum_get_string (checksum));
}
