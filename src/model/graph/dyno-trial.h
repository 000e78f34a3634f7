/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-tensor.h"

G_BEGIN_DECLS

/* Returns the precisions with a trial model, the default first. */
const char *const *dyno_trial_list (void);
/* Writes a model of three or four nodes that computes in a precision, floating-point or 8-bit integers. An
 * engine that runs it correctly supports the precision. Returns the path of the ONNX file. The caller owns
 * it. */
char *dyno_trial_write (const char *precision, const char *folder, GError **error);
/* Writes a model of one node that is fused attention with a cache (GroupQueryAttention). An engine that
 * opens it has that operator in the precision. Returns the path of the ONNX file. The caller owns it. */
char *dyno_trial_write_attention (const char *precision, const char *folder, GError **error);
/* Returns the inputs of the model. Elements are DynoTensor. */
GPtrArray *dyno_trial_create_inputs (const char *precision);
/* Returns whether they are right. @outputs holds DynoTensor. Fails with DYNO_ERROR_WRONG_OUTPUT. */
gboolean dyno_trial_check_outputs (GPtrArray *outputs, GError **error);

G_END_DECLS
