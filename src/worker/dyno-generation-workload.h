/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-workload.h"

G_BEGIN_DECLS

#define DYNO_TYPE_GENERATION_WORKLOAD (dyno_generation_workload_get_type ())

/**
 * DynoGenerationWorkload:
 *
 * A prompt in one step (prefill), then one token per step with a growing key-value cache (decode). A sample is a whole
 * generation: the sum of its timed steps. The tokens are seeded, not chosen from the logits, and preparing them is not
 * timed.
 */
G_DECLARE_FINAL_TYPE (
    DynoGenerationWorkload, dyno_generation_workload, DYNO, GENERATION_WORKLOAD, DynoWorkload)

/* Returns the workload, with the inputs of every step. @kase: the case to measure, with at least one token
 * to generate. @error: set if the sizes do not fit the model or the names of its cache are unknown. */
DynoWorkload *dyno_generation_workload_new (DynoCase *kase, DynoModel *model, GError **error);

G_END_DECLS
