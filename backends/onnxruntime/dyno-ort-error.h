/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-ort-api.h"
#include "dyno-ort-runtime.h"

G_BEGIN_DECLS

/* Turns a status into a sentence that names the model and, if ONNX Runtime names it, the operator. Returns
 * whether the call succeeded. Takes @status. @status may be NULL. */
gboolean
dyno_ort_error_check (DynoOrtRuntime *runtime, const char *model_path, OrtStatus *status, GError **error);
/* Turns a status into a sentence that names the provider. Returns whether the call succeeded. Takes
 * @status. @status may be NULL. */
gboolean dyno_ort_error_check_provider (DynoOrtRuntime *runtime,
                                        const char *provider,
                                        OrtStatus *status,
                                        GError **error);

G_END_DECLS
