/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-insight-private.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"

static void
add (DynoCaseSamples *self, DynoSample sample, guint block)
{
  g_array_append_val (self->groups, sample);
  g_array_append_val (self->blocks, block);
}

/* Adds the sample of one process: its steady latencies or a percentile of them, else the value itself.
 * Storage for a single value is at @place. */
static void
add_process (
    DynoCaseSamples *self, DynoResult *result, const char *metric, guint number, double value, double *place)
{
  double percent = dyno_result_get_percentile (metric);
  DynoSample steady = percent > 0 ? dyno_result_get_steady (result, number) : (DynoSample){ 0 };

  *place =
      steady.n > 0 && percent != 50 ? dyno_result_get_process_percentile (result, number, percent) : value;
  if (isfinite (*place))
    add (self, steady.n > 0 && percent == 50 ? steady : (DynoSample){ place, 1 }, number);
}

DynoCaseSamples *
dyno_case_samples_new (DynoResult *result, const char *metric)
{
  DynoCaseSamples *self = g_new0 (DynoCaseSamples, 1);
  GPtrArray *invocations = dyno_result_get_invocations (result);

  self->groups = g_array_new (FALSE, FALSE, sizeof (DynoSample));
  self->blocks = g_array_new (FALSE, FALSE, sizeof (guint));
  self->numbers = g_new (double, MAX (invocations->len, 1));
  for (guint i = 0; i < invocations->len; i++)
    {
      const DynoInvocation *invocation = invocations->pdata[i];

      add_process (self, result, metric, invocation->number, dyno_invocation_get_number (invocation, metric),
                   &self->numbers[i]);
    }
  if (invocations->len == 0)
    add_process (self, result, metric, 0, dyno_result_get_number (result, metric), self->numbers);
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
