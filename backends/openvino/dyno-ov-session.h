/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ov-library.h"
#include "dyno-session.h"

G_BEGIN_DECLS

/* The device on which a model is opened if none is named. */
#define DYNO_OV_DEFAULT_DEVICE "CPU"

#define DYNO_TYPE_OV_SESSION (dyno_ov_session_get_type ())

/**
 * DynoOvSession:
 *
 * A model compiled by OpenVINO. Each slot of inputs is a separate inference request, so that a step is only one call
 * of `ov_infer_request_infer`; a step of several requests starts those of as many slots, then waits for each.
 */
G_DECLARE_FINAL_TYPE (DynoOvSession, dyno_ov_session, DYNO, OV_SESSION, DynoSession)

/* Returns the model, compiled; NULL on error. @options: how to open it; OpenVINO ignores `optimise` and
 * `plain_weights`. @error: return location for an error, which names the model. */
DynoSession *dyno_ov_session_new (DynoOvLibrary *library,
                                  const char *onnx_path,
                                  const DynoSessionOptions *options,
                                  GError **error);

G_END_DECLS
