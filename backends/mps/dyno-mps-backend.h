/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ort-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_MPS_BACKEND (dyno_mps_backend_get_type ())

/**
 * DynoMpsBackend:
 *
 * Apple's devices, through the provider of ONNX Runtime for CoreML.
 */
G_DECLARE_FINAL_TYPE (DynoMpsBackend, dyno_mps_backend, DYNO, MPS_BACKEND, DynoOrtBackend)

G_END_DECLS
