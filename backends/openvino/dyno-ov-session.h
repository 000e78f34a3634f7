/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ov-library.h"
#include "dyno-session.h"

G_BEGIN_DECLS

/* What a model is opened on where no device is named. */
#define DYNO_OV_DEFAULT_DEVICE "CPU"

#define DYNO_TYPE_OV_SESSION (dyno_ov_session_get_type ())

/**
 * DynoOvSession:
 *
 * A model compiled by OpenVINO. Each slot of inputs is an inference request of its own, so that a step is
 * nothing but one call of `ov_infer_request_infer`; a step of several requests starts those of as many slots, then
 * waits for each.
 */
G_DECLARE_FINAL_TYPE (DynoOvSession, dyno_ov_session, DYNO, OV_SESSION, DynoSession)

/* Returns the model, compiled; NULL if there is none. @options: how to open it; `optimise` and
 * `plain_weights` mean nothing to OpenVINO. @error: return location for an error, which names the model. */
DynoSession *dyno_ov_session_new (DynoOvLibrary *library,
                                  const char *onnx_path,
                                  const DynoSessionOptions *options,
                                  GError **error);

G_END_DECLS
