/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <string.h>

#include "dyno-measurement.h"

DynoSamples *
dyno_samples_new (gsize capacity)
{
  DynoSamples *self = g_new0 (DynoSamples, 1);

  self->capacity = capacity;
  self->starts = g_new (gint64, MAX (capacity, 1));
  self->durations = g_new (gint64, MAX (capacity, 1));
  /* A value other than zero, so that no page remains the shared zero page. */
  memset (self->starts, 0x5a, capacity * sizeof (gint64));
  memset (self->durations, 0x5a, capacity * sizeof (gint64));
  return self;
}

void
dyno_samples_free (DynoSamples *self)
{
  if (self == NULL)
    return;
  g_free (self->starts);
  g_free (self->durations);
  g_free (self);
}

void
dyno_samples_truncate (DynoSamples *self, gsize n)
{
  g_return_if_fail (n <= dyno_samples_get_length (self));

  atomic_store_explicit (&self->length, n, memory_order_release);
}

gint64
dyno_samples_sum (const DynoSamples *self, gsize first, gsize end)
{
  gint64 sum = 0;

  for (gsize i = first; i < end; i++)
    sum += self->durations[i];
  return sum;
}

double *
dyno_samples_to_milliseconds (const DynoSamples *self, gsize first, gsize end, guint steps_per_sample)
{
  double *milliseconds = g_new (double, MAX (end - first, 1));

  for (gsize i = first; i < end; i++)
    milliseconds[i - first] = (double)self->durations[i] / (1e6 * steps_per_sample);
  return milliseconds;
}
