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

void dyno_ceiling_theory_read_model (DynoProcessorModel *model, guint processor);
double dyno_ceiling_theory_derive (const DynoProcessorModel *model,
                                   const DynoComputeKernel *kernel,
                                   guint n_cores,
                                   char **derivation);

G_END_DECLS
