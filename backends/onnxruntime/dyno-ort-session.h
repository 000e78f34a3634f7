/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ort-runtime.h"
#include "dyno-ort-target.h"
#include "dyno-session.h"

G_BEGIN_DECLS

#define DYNO_TYPE_ORT_SESSION (dyno_ort_session_get_type ())

/**
 * DynoOrtSession:
 *
 * A model loaded into ONNX Runtime. Each step is one call of its `Run` with prepared arrays. On a device with its own
 * memory, inputs are copied there when they are set and outputs back when they are requested, if the runtime allows
 * that; a step then only computes.
 */
G_DECLARE_FINAL_TYPE (DynoOrtSession, dyno_ort_session, DYNO, ORT_SESSION, DynoSession)

/* Returns the model, loaded; NULL on error. @target: where to run it, and where the provider writes a profile.
 * @error: return location for an error, which names the model. */
DynoSession *dyno_ort_session_new (DynoOrtRuntime *runtime,
                                   const char *onnx_path,
                                   DynoOrtTarget *target,
                                   const DynoSessionOptions *options,
                                   GError **error);

G_END_DECLS
