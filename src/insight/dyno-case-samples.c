/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-case-samples.h"
#include "dyno-result-samples.h"

static void
add (DynoCaseSamples *self, DynoSample sample, guint block)
{
  g_array_append_val (self->groups, sample);
  g_array_append_val (self->blocks, block);
}

/* What one process gave: its steady latencies, or where those are not asked for or not known, the value itself, which
 * goes to @place. */
static void
add_process (
    DynoCaseSamples *self, DynoResult *result, const char *metric, guint number, double value, double *place)
{
  DynoSample steady =
      strcmp (metric, "latency_p50_ms") == 0 ? dyno_result_get_steady (result, number) : (DynoSample){ 0 };

  *place = value;
  if (isfinite (value))
    add (self, steady.n > 0 ? steady : (DynoSample){ place, 1 }, number);
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
