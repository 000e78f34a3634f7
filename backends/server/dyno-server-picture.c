/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "dyno-server-private.h"

/* The side of a block of one colour, in pixels: small enough that models see many, large enough that a picture takes
 * little room. */
#define BLOCK    16
#define CHANNELS 3

/* A chunk of a PNG file: its length, its name, its data and a sum over the last two (W3C, PNG specification, annex D). */
static void
add_chunk (GByteArray *png, const char *name, gconstpointer data, gsize size)
{
  guint32 length = GUINT32_TO_BE ((guint32)size);
  guint32 sum = G_MAXUINT32;
  guint start;

  g_byte_array_append (png, (const guint8 *)&length, sizeof length);
  start = png->len;
  g_byte_array_append (png, (const guint8 *)name, 4);
  g_byte_array_append (png, data, (guint)size);
  for (guint i = start; i < png->len; i++)
    {
      sum ^= png->data[i];
      for (guint bit = 0; bit < 8; bit++)
        sum = (sum & 1) != 0 ? sum >> 1 ^ 0xedb88320 : sum >> 1;
    }
  sum = GUINT32_TO_BE (~sum);
  g_byte_array_append (png, (const guint8 *)&sum, sizeof sum);
}

/* Each row begins with its filter, which is none. */
static GBytes *
create_pixels (guint side)
{
  g_autoptr (GConverter) compressor = G_CONVERTER (g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_ZLIB, -1));
  g_autoptr (GOutputStream) memory = g_memory_output_stream_new_resizable ();
  g_autoptr (GOutputStream) stream = g_converter_output_stream_new (memory, compressor);
  gsize size = 1 + (gsize)side * CHANNELS;
  g_autofree guint8 *row = g_malloc0 (size);

  for (guint y = 0; y < side; y++)
    {
      for (guint x = 0; y % BLOCK == 0 && x < side; x++)
        if (x % BLOCK != 0)
          memcpy (row + 1 + (gsize)x * CHANNELS, row + 1 + (gsize)(x - 1) * CHANNELS, CHANNELS);
        else
          for (guint channel = 0; channel < CHANNELS; channel++)
            row[1 + (gsize)x * CHANNELS + channel] = (guint8)g_random_int_range (0, 256);
      g_output_stream_write_all (stream, row, size, NULL, NULL, NULL);
    }
  g_output_stream_close (stream, NULL, NULL);
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

char *
dyno_server_picture_create (guint side)
{
  static const guint8 signature[] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
  const guint32 edge = GUINT32_TO_BE (side);
  g_autoptr (GByteArray) png = g_byte_array_new ();
  g_autoptr (GBytes) pixels = create_pixels (side);
  guint8 header[13] = { 0 };

  memcpy (header, &edge, sizeof edge);
  memcpy (header + 4, &edge, sizeof edge);
  header[8] = 8; /* bits for each channel */
  header[9] = 2; /* red, green and blue */
  g_byte_array_append (png, signature, sizeof signature);
  add_chunk (png, "IHDR", header, sizeof header);
  add_chunk (png, "IDAT", g_bytes_get_data (pixels, NULL), g_bytes_get_size (pixels));
  add_chunk (png, "IEND", header, 0);
  return g_base64_encode (png->data, png->len);
}
