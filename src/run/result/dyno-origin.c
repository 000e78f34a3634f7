/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-origin.h"

G_DEFINE_BOXED_TYPE (DynoOrigin, dyno_origin, dyno_origin_ref, dyno_origin_unref)

DynoOrigin *
dyno_origin_new (void)
{
  DynoOrigin *self = g_new0 (DynoOrigin, 1);

  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

DynoOrigin *
dyno_origin_ref (DynoOrigin *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
dyno_origin_unref (DynoOrigin *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_free (self->dialect);
  g_free (self->tool);
  g_free (self->version);
  g_free (self->file_name);
  g_free (self->hash);
  g_free (self->extra);
  g_clear_pointer (&self->content, g_bytes_unref);
  g_free (self);
}

char *
dyno_origin_dup_tool (const DynoOrigin *self)
{
  return self->version != NULL ? g_strdup_printf ("%s %s", self->tool, self->version) : g_strdup (self->tool);
}

GBytes *
dyno_origin_unpack (const DynoOrigin *self, GError **error)
{
  g_autoptr (GInputStream) packed = g_memory_input_stream_new_from_bytes (self->content);
  g_autoptr (GZlibDecompressor) decompressor = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr (GInputStream) stream = g_converter_input_stream_new (packed, G_CONVERTER (decompressor));
  g_autoptr (GBytes) bytes = dyno_file_read_stream (stream, (gsize)self->size, NULL, NULL);
  g_autofree char *hash =
      bytes != NULL ? g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, bytes) : g_strdup ("");

  if (g_str_equal (hash, self->hash))
    return g_steal_pointer (&bytes);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
               _ ("The copy of “%s” in the store is damaged. Import the file again."), self->file_name);
  return NULL;
}
