/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-compute-kernel.h"

G_BEGIN_DECLS

/**
 * DynoProcessorModel:
 * @vendor: as the processor reports it, such as `AuthenticAMD`
 * @family: with the extended family added
 * @model: with the extended model added
 * @hypervisor: whether a hypervisor is present, which may hide the real model
 * @max_clock: the highest frequency that cpufreq reports, in Hz, 0 if unknown
 */
typedef struct
{
  char vendor[13];
  guint family;
  guint model;
  gboolean hypervisor;
  double max_clock;
} DynoProcessorModel;

/* Reads the model from the processor, and its highest frequency from cpufreq. */
void dyno_ceiling_theory_read_model (DynoProcessorModel *model, guint processor);
/* frequency × units × lanes × 2 × cores: no core is faster, and most are slower when all work. Returns
 * operations per second, 0 if an input is unknown. @derivation: the inputs, or why some are missing, as a
 * sentence. */
double dyno_ceiling_theory_derive (const DynoProcessorModel *model,
                                   const DynoComputeKernel *kernel,
                                   guint n_cores,
                                   char **derivation);

G_END_DECLS
