/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

/* Runs a tiny model in every precision of dyno_trial_list(). One counts if the answer is right and, as far
 * as the engine's trace shows, the device itself computed it and in that precision. Loads models, so it
 * blocks; it belongs to probing, which is done in a process of its own and kept. Returns what the device
 * computes in, the usual precision first. The caller owns it. */
char **dyno_precision_trial_run (DynoBackend *backend, const char *device);
/* An engine that has its operators of its own in a precision need not have those of ONNX Runtime in it.
 * Returns those of the precisions in which it cannot open fused attention with a cache. The caller owns
 * it. @precisions: what it computes in, as from dyno_precision_trial_run(). */
char **
dyno_precision_trial_run_attention (DynoBackend *backend, const char *device, const char *const *precisions);

G_END_DECLS
