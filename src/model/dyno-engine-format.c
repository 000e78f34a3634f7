/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-file.h"
#include "dyno-model-description.h"

/* Formats are added before there are threads that look for them. */
static GPtrArray *formats;

DynoModelFormat
dyno_engine_format_add (const DynoEngineFormat *format)
{
  if (formats == NULL)
    formats = g_ptr_array_new ();
  g_ptr_array_add (formats, (gpointer)format);
  return dyno_engine_format_get_number (format);
}

DynoModelFormat
dyno_engine_format_get_number (const DynoEngineFormat *format)
{
  guint index = 0;

  g_return_val_if_fail (formats != NULL && g_ptr_array_find (formats, format, &index),
                        DYNO_MODEL_FORMAT_OF_ENGINE);
  return (DynoModelFormat)(DYNO_MODEL_FORMAT_OF_ENGINE + index);
}

const DynoEngineFormat *
dyno_engine_format_get (guint index)
{
  return formats != NULL && index < formats->len ? formats->pdata[index] : NULL;
}

const DynoEngineFormat *
dyno_engine_format_find (DynoModelFormat number)
{
  return number >= DYNO_MODEL_FORMAT_OF_ENGINE
             ? dyno_engine_format_get ((guint)(number - DYNO_MODEL_FORMAT_OF_ENGINE))
             : NULL;
}

const DynoEngineFormat *
dyno_engine_format_recognise (const char *path)
{
  const DynoEngineFormat *format;

  for (guint i = 0; (format = dyno_engine_format_get (i)) != NULL; i++)
    if (dyno_file_has_magic (path, format->magic_offset, format->magic))
      return format;
  return NULL;
}
