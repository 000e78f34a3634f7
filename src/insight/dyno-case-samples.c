/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-case-samples.h"

/* The end of the latencies that counts: the measurement goes on until that is steady. */
static DynoSample
get_steady (DynoResult *result)
{
  DynoTrace *latency = dyno_result_get_trace (result, "latency");
  double n_steady = dyno_result_get_number (result, "latency_samples");
  gsize length = latency != NULL ? dyno_trace_get_length (latency) : 0;
  gsize n = n_steady >= 0 && n_steady < (double)length ? (gsize)n_steady : length;

  return (DynoSample){ length > 0 ? dyno_trace_get_values (latency) + length - n : NULL, n };
}

static void
add (DynoCaseSamples *self, DynoSample sample, guint block)
{
  g_array_append_val (self->groups, sample);
  g_array_append_val (self->blocks, block);
}

/**
 * dyno_case_samples_new:
 * @result: a result
 * @metric: the stable name of a value
 *
 * Returns: (transfer full): for the median latency, the steady latencies of each process; for all other values, that
 *   value of each process. Without groups where there is no number
 */
DynoCaseSamples *
dyno_case_samples_new (DynoResult *result, const char *metric)
{
  DynoCaseSamples *self = g_new0 (DynoCaseSamples, 1);
  double number = dyno_result_get_number (result, metric);
  DynoSample steady = strcmp (metric, "latency_p50_ms") == 0 ? get_steady (result) : (DynoSample){ 0 };

  self->groups = g_array_new (FALSE, FALSE, sizeof (DynoSample));
  self->blocks = g_array_new (FALSE, FALSE, sizeof (guint));
  if (steady.n > 0)
    {
      add (self, steady, 0);
      return self;
    }
  if (!isfinite (number))
    return self;
  self->numbers = g_new (double, 1);
  self->numbers[0] = number;
  add (self, (DynoSample){ self->numbers, 1 }, 0);
  return self;
}

void
dyno_case_samples_free (DynoCaseSamples *self)
{
  g_array_unref (self->groups);
  g_array_unref (self->blocks);
  g_free (self->numbers);
  g_free (self);
}
