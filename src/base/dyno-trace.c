/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-error.h"
#include "dyno-trace.h"

struct _DynoTrace
{
  GObject parent_instance;

  char *name;
  char *unit;
  gint64 origin_ns;
  guint invocation;
  GArray *times;
  GArray *values;
};

G_DEFINE_FINAL_TYPE (DynoTrace, dyno_trace, G_TYPE_OBJECT)

static void
dyno_trace_finalize (GObject *object)
{
  DynoTrace *self = DYNO_TRACE (object);

  g_free (self->name);
  g_free (self->unit);
  g_array_unref (self->times);
  g_array_unref (self->values);

  G_OBJECT_CLASS (dyno_trace_parent_class)->finalize (object);
}

static void
dyno_trace_class_init (DynoTraceClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_trace_finalize;
}

static void
dyno_trace_init (DynoTrace *self)
{
  self->times = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->values = g_array_new (FALSE, FALSE, sizeof (double));
}

DynoTrace *
dyno_trace_new (const char *name, const char *unit, gint64 origin_ns)
{
  DynoTrace *self;

  g_return_val_if_fail (name != NULL, NULL);
  g_return_val_if_fail (unit != NULL, NULL);

  self = g_object_new (DYNO_TYPE_TRACE, NULL);
  self->name = g_strdup (name);
  self->unit = g_strdup (unit);
  self->origin_ns = origin_ns;
  return self;
}

DynoTrace *
dyno_trace_new_from_bytes (
    const char *name, const char *unit, gint64 origin_ns, GBytes *bytes, GError **error)
{
  g_autoptr (DynoTrace) self = dyno_trace_new (name, unit, origin_ns);
  gsize size = 0;
  const guint8 *data = g_bytes_get_data (bytes, &size);
  gsize n_points = size / (sizeof (gint64) + sizeof (double));

  if (size % (sizeof (gint64) + sizeof (double)) != 0)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
                   "The series “%s” is damaged: %" G_GSIZE_FORMAT " bytes are not a whole number of points.",
                   name, size);
      return NULL;
    }
  if (n_points > 0)
    {
      g_array_append_vals (self->times, data, n_points);
      g_array_append_vals (self->values, data + n_points * sizeof (gint64), n_points);
    }
  for (gsize i = 0; G_BYTE_ORDER == G_BIG_ENDIAN && i < n_points; i++)
    {
      guint64 *words = (guint64 *)self->values->data;

      g_array_index (self->times, gint64, i) = GINT64_FROM_LE (g_array_index (self->times, gint64, i));
      words[i] = GUINT64_FROM_LE (words[i]);
    }
  return g_steal_pointer (&self);
}

void
dyno_trace_reserve (DynoTrace *self, gsize n_points)
{
  guint length;

  g_return_if_fail (DYNO_IS_TRACE (self));

  length = self->times->len;
  g_array_set_size (self->times, length + n_points);
  g_array_set_size (self->values, length + n_points);
  g_array_set_size (self->times, length);
  g_array_set_size (self->values, length);
}

void
dyno_trace_add (DynoTrace *self, gint64 time_ns, double value)
{
  g_return_if_fail (DYNO_IS_TRACE (self));

  g_array_append_val (self->times, time_ns);
  g_array_append_val (self->values, value);
}

const char *
dyno_trace_get_name (DynoTrace *self)
{
  g_return_val_if_fail (DYNO_IS_TRACE (self), NULL);
  return self->name;
}

const char *
dyno_trace_get_unit (DynoTrace *self)
{
  g_return_val_if_fail (DYNO_IS_TRACE (self), NULL);
  return self->unit;
}

gint64
dyno_trace_get_origin (DynoTrace *self)
{
  g_return_val_if_fail (DYNO_IS_TRACE (self), 0);
  return self->origin_ns;
}

guint
dyno_trace_get_invocation (DynoTrace *self)
{
  g_return_val_if_fail (DYNO_IS_TRACE (self), 0);
  return self->invocation;
}

void
dyno_trace_set_invocation (DynoTrace *self, guint invocation)
{
  g_return_if_fail (DYNO_IS_TRACE (self));
  self->invocation = invocation;
}

gsize
dyno_trace_get_length (DynoTrace *self)
{
  g_return_val_if_fail (DYNO_IS_TRACE (self), 0);
  return self->times->len;
}

const gint64 *
dyno_trace_get_times (DynoTrace *self)
{
  g_return_val_if_fail (DYNO_IS_TRACE (self), NULL);
  return (const gint64 *)self->times->data;
}

const double *
dyno_trace_get_values (DynoTrace *self)
{
  g_return_val_if_fail (DYNO_IS_TRACE (self), NULL);
  return (const double *)self->values->data;
}

GBytes *
dyno_trace_to_bytes (DynoTrace *self)
{
  gsize n_points;
  guint64 *words;

  g_return_val_if_fail (DYNO_IS_TRACE (self), NULL);

  n_points = self->times->len;
  words = g_new (guint64, MAX (2 * n_points, 1));
  if (n_points > 0)
    {
      memcpy (words, self->times->data, n_points * sizeof (gint64));
      memcpy (words + n_points, self->values->data, n_points * sizeof (double));
    }
  for (gsize i = 0; G_BYTE_ORDER == G_BIG_ENDIAN && i < 2 * n_points; i++)
    words[i] = GUINT64_TO_LE (words[i]);
  return g_bytes_new_take (words, 2 * n_points * sizeof (guint64));
}
