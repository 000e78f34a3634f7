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

DynoCaseSamples *dyno_case_samples_new (DynoResult *result, const char *metric);
void dyno_case_samples_free (DynoCaseSamples *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCaseSamples, dyno_case_samples_free)

G_END_DECLS
