/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <png.h>
#include <string.h>

#include "dyno-server-private.h"

/* The side of a block of one colour, in pixels: small enough that models see many, large enough that a picture takes
 * little room. */
#define BLOCK    16
#define CHANNELS 3

char *
dyno_server_picture_create (guint side)
{
  png_image image = { .version = PNG_IMAGE_VERSION,
                      .width = side,
                      .height = side,
                      .format = PNG_FORMAT_RGB,
                      .flags = PNG_IMAGE_FLAG_FAST };
  gsize stride = (gsize)side * CHANNELS;
  g_autofree guint8 *pixels = g_malloc (side * stride);
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX (image);
  g_autofree guint8 *png = g_malloc (size);

  for (guint y = 0; y < side; y++)
    for (guint x = 0; x < side; x++)
      {
        guint8 *pixel = pixels + y * stride + (gsize)x * CHANNELS;

        if (y % BLOCK != 0)
          memcpy (pixel, pixel - stride, CHANNELS);
        else if (x % BLOCK != 0)
          memcpy (pixel, pixel - CHANNELS, CHANNELS);
        else
          for (guint channel = 0; channel < CHANNELS; channel++)
            pixel[channel] = (guint8)g_random_int_range (0, 256);
      }
  /* An empty picture is refused by every server. */
  if (!png_image_write_to_memory (&image, png, &size, FALSE, pixels, 0, NULL))
    size = 0;
  return g_base64_encode (png, size);
}
