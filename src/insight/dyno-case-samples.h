/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"
#include "dyno-sample.h"

G_BEGIN_DECLS

/**
 * DynoCaseSamples:
 * @groups: (element-type DynoSample): the sample of each process
 * @blocks: (element-type guint): the block of the run in which each process ran
 *
 * The samples of a case, process by process. They belong to the result.
 */
typedef struct
{
  GArray *groups;
  GArray *blocks;

  /*< private >*/
  double *numbers;
} DynoCaseSamples;

/* A percentile of a case needs enough samples in all of its processes together. One process may have too
 * few to report a percentile, but its percentile is still one draw of the variation between processes: its
 * error shows in their spread. Returns for the median latency, the steady latencies of each process; for
 * its other percentiles, that of the steady latencies of each process; for all other values, that value of
 * each process. Without groups where there is no number. */
DynoCaseSamples *dyno_case_samples_new (DynoResult *result, const char *metric);
void dyno_case_samples_free (DynoCaseSamples *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCaseSamples, dyno_case_samples_free)

G_END_DECLS
