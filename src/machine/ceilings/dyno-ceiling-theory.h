/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-compute-kernel.h"

G_BEGIN_DECLS

/**
 * DynoProcessorModel:
 * @vendor: as the processor says it, such as `AuthenticAMD`
 * @family: with the extended family added
 * @model: with the extended model added
 * @hypervisor: whether a hypervisor is seen, which may hide the real model
 * @max_clock: the highest frequency that cpufreq names, in Hz, 0 when not known
 */
typedef struct
{
  char vendor[13];
  guint family;
  guint model;
  gboolean hypervisor;
  double max_clock;
} DynoProcessorModel;

/* Asks the processor what it is, and cpufreq how fast it may run. */
void dyno_ceiling_theory_read_model (DynoProcessorModel *model, guint processor);
/* frequency × units × lanes × 2 × cores: no core does better, most do worse when all work. Returns
 * operations per second, 0 where not every input is known. @derivation: the inputs, or why there are not
 * enough of them, as a sentence. */
double dyno_ceiling_theory_derive (const DynoProcessorModel *model,
                                   const DynoComputeKernel *kernel,
                                   guint n_cores,
                                   char **derivation);

G_END_DECLS
