/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-load.h"

gboolean
dyno_request_is_answered (const DynoRequest *self)
{
  return self->finished_ns > 0 && !self->has_failed;
}

double
dyno_request_get_latency (const DynoRequest *self)
{
  return (double)(self->finished_ns - self->intended_ns) / 1e6;
}

double
dyno_request_get_first_token (const DynoRequest *self)
{
  return self->first_ns > 0 ? (double)(self->first_ns - self->intended_ns) / 1e6 : NAN;
}

double
dyno_request_get_inter_token (const DynoRequest *self)
{
  if (self->first_ns == 0 || self->n_tokens < 2)
    return NAN;
  return (double)(self->finished_ns - self->first_ns) / 1e6 / (self->n_tokens - 1);
}

DynoRequests *
dyno_requests_new (gsize capacity)
{
  DynoRequests *self = g_new0 (DynoRequests, 1);

  self->capacity = capacity;
  self->data = g_new (DynoRequest, MAX (capacity, 1));
  /* Starts with a value other than zero, so that no page stays the shared zero page. */
  memset (self->data, 0x5a, capacity * sizeof (DynoRequest));
  for (gsize i = 0; i < capacity; i++)
    self->data[i] = (DynoRequest){ 0 };
  return self;
}

void
dyno_requests_free (DynoRequests *self)
{
  if (self == NULL)
    return;
  g_free (self->data);
  g_free (self);
}

static int
compare_intended (const void *a, const void *b)
{
  gint64 before = ((const DynoRequest *)a)->intended_ns;
  gint64 after = ((const DynoRequest *)b)->intended_ns;

  return (before > after) - (before < after);
}

void
dyno_requests_sort (DynoRequests *self)
{
  qsort (self->data, self->length, sizeof (DynoRequest), compare_intended);
}

double
dyno_requests_count_outstanding (const DynoRequests *self, gint64 from_ns, gint64 to_ns)
{
  double sum = 0;

  for (gsize i = 0; i < self->length && self->data[i].intended_ns < to_ns; i++)
    {
      gint64 end = self->data[i].finished_ns > 0 ? MIN (self->data[i].finished_ns, to_ns) : to_ns;

      sum += (double)MAX (end - MAX (self->data[i].intended_ns, from_ns), 0);
    }
  return to_ns > from_ns ? sum / (double)(to_ns - from_ns) : 0;
}

gsize
dyno_requests_count_at (const DynoRequests *self, gint64 time_ns)
{
  gsize n = 0;

  for (gsize i = 0; i < self->length && self->data[i].intended_ns < time_ns; i++)
    n += self->data[i].finished_ns == 0 || self->data[i].finished_ns > time_ns;
  return n;
}

gsize
dyno_requests_count_whole (const DynoRequests *self)
{
  gint64 last = 0;
  gsize n = 0;

  for (gsize i = 0; i < self->length; i++)
    if (dyno_request_is_answered (&self->data[i]))
      last = MAX (last, self->data[i].finished_ns);
  while (n < self->length && self->data[n].finished_ns > 0 && self->data[n].finished_ns <= last)
    n++;
  return n;
}
