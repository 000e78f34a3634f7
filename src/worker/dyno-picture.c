/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-inputs.h"
#include "dyno-pictures-resources.h"
#include "dyno-system-file.h"
#include "dyno-worker-private.h"

#define RESOURCE "/io/github/dynobench/Dyno/pictures/picture."

#define N_CHANNELS 3

/* GDK_INTERP_BILINEAR */
#define BILINEAR 2

struct _DynoPicture
{
  GBytes *file;
  double factor[N_CHANNELS];
  double offset[N_CHANNELS];
};

/* The worker needs no GTK, and is not linked with the library that GTK decodes pictures with. */
static GObject *(*pixbuf_new) (GInputStream *stream, GCancellable *cancellable, GError **error);
static GObject *(*pixbuf_scale) (GObject *self, int width, int height, int interpolation);
static const guint8 *(*pixbuf_read) (GObject *self);
static int (*pixbuf_get_stride) (GObject *self);
static int (*pixbuf_get_channels) (GObject *self);

static gboolean
load_library (void)
{
  static const char *const names[] = { "libgdk_pixbuf-2.0.so.0", NULL };
  static const DynoVendorFunction functions[] = {
    { (gpointer *)&pixbuf_new, { "gdk_pixbuf_new_from_stream" }, TRUE },
    { (gpointer *)&pixbuf_scale, { "gdk_pixbuf_scale_simple" }, TRUE },
    { (gpointer *)&pixbuf_read, { "gdk_pixbuf_read_pixels" }, TRUE },
    { (gpointer *)&pixbuf_get_stride, { "gdk_pixbuf_get_rowstride" }, TRUE },
    { (gpointer *)&pixbuf_get_channels, { "gdk_pixbuf_get_n_channels" }, TRUE },
  };
  static gsize once;
  static gboolean is_complete;

  if (g_once_init_enter (&once))
    {
      is_complete = dyno_vendor_library_load (names, functions, G_N_ELEMENTS (functions));
      g_once_init_leave (&once, 1);
    }
  return is_complete;
}

void
dyno_picture_free (DynoPicture *self)
{
  g_bytes_unref (self->file);
  g_free (self);
}

DynoPicture *
dyno_picture_new (DynoModel *model, GError **error)
{
  static gsize is_registered;
  double mean[N_CHANNELS], deviation[N_CHANNELS];
  const char *format = dyno_model_get_picture (model, mean, deviation);
  g_autofree char *path = g_strconcat (RESOURCE, format, NULL);
  DynoPicture *self;

  g_return_val_if_fail (format != NULL, NULL);

  if (!load_library ())
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED,
                   _ ("“%s” takes a picture file, and gdk-pixbuf, which reads it, is not on this machine. "
                      "Install it (libgdk-pixbuf-2.0-0), or leave out “@%s”."),
                   dyno_model_get_name (model), format);
      return NULL;
    }
  dyno_resource_ensure (&is_registered, dyno_pictures_register_resource);
  self = g_new0 (DynoPicture, 1);
  self->file = g_resources_lookup_data (path, 0, NULL);
  g_assert (self->file != NULL);
  for (guint i = 0; i < N_CHANNELS; i++)
    {
      self->factor[i] = 1 / (255 * deviation[i]);
      self->offset[i] = -mean[i] / deviation[i];
    }
  return self;
}

static void
write_item (const DynoPicture *self, GObject *pixbuf, DynoTensor *pixels, gint64 item)
{
  const DynoShape *shape = dyno_tensor_get_shape (pixels);
  gint64 height = shape->dims[2], width = shape->dims[3];
  const guint8 *bytes = pixbuf_read (pixbuf);
  int stride = pixbuf_get_stride (pixbuf), n_channels = pixbuf_get_channels (pixbuf);
  float *floats = shape->type == DYNO_DATA_TYPE_FLOAT ? dyno_tensor_get_data (pixels) : NULL;

  for (gint64 channel = 0; channel < N_CHANNELS; channel++)
    for (gint64 y = 0; y < height; y++)
      {
        const guint8 *row = bytes + y * stride + channel;
        gint64 begin = ((item * N_CHANNELS + channel) * height + y) * width;

        for (gint64 x = 0; x < width; x++)
          {
            double value = row[x * n_channels] * self->factor[channel] + self->offset[channel];

            if (floats != NULL)
              floats[begin + x] = (float)value;
            else
              dyno_tensor_set_number (pixels, begin + x, value);
          }
      }
}

gboolean
dyno_picture_prepare (DynoPicture *self, DynoTensor *pixels, GError **error)
{
  const DynoShape *shape = dyno_tensor_get_shape (pixels);

  for (gint64 item = 0; item < shape->dims[0]; item++)
    {
      g_autoptr (GInputStream) stream = g_memory_input_stream_new_from_bytes (self->file);
      g_autoptr (GObject) whole = pixbuf_new (stream, NULL, error);
      g_autoptr (GObject) scaled = NULL;

      if (whole == NULL)
        {
          g_prefix_error (error, "%s", _ ("gdk-pixbuf cannot read the picture: "));
          return FALSE;
        }
      scaled = pixbuf_scale (whole, (int)shape->dims[3], (int)shape->dims[2], BILINEAR);
      if (scaled == NULL)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                       _ ("gdk-pixbuf has no memory for a picture of %d × %d pixels."), (int)shape->dims[3],
                       (int)shape->dims[2]);
          return FALSE;
        }
      write_item (self, scaled, pixels, item);
    }
  return TRUE;
}
