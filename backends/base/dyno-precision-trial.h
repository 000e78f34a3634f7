/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

/* Runs a tiny model in every precision of dyno_trial_list(). A precision counts if the answer is right and, as far as
 * the engine's trace shows, the device itself computed it in that precision. Loads models, so it blocks; probing does
 * this in a separate process and keeps the answer. Returns the precisions of the device, the usual one first. The
 * caller owns it. */
char **dyno_precision_trial_run (DynoBackend *backend, const char *device);
/* An engine that has its own operators in a precision may lack those of ONNX Runtime in it. Returns the precisions in
 * which it cannot open fused attention with a cache. The caller owns it. @precisions: the precisions from
 * dyno_precision_trial_run(). */
char **
dyno_precision_trial_run_attention (DynoBackend *backend, const char *device, const char *const *precisions);

G_END_DECLS
