/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"
#include "dyno-sample.h"

G_BEGIN_DECLS

/**
 * DynoCaseSamples:
 * @groups: (element-type DynoSample): what each process gave
 * @blocks: (element-type guint): in which block of the run each of them ran
 *
 * What a case was measured to, process by process. The samples belong to the result.
 */
typedef struct
{
  GArray *groups;
  GArray *blocks;

  /*< private >*/
  double *numbers;
} DynoCaseSamples;

/* A percentile of a case needs enough samples in all of its processes together. That of one process may
 * have too few to be told, and is still one draw of what differs between processes: how far it is off
 * shows in how far they are apart. Returns for the median latency, the steady latencies of each process;
 * for its other percentiles, that of the steady latencies of each process; for all other values, that
 * value of each process. Without groups where there is no number. */
DynoCaseSamples *dyno_case_samples_new (DynoResult *result, const char *metric);
void dyno_case_samples_free (DynoCaseSamples *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCaseSamples, dyno_case_samples_free)

G_END_DECLS
