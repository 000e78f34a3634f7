/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ort-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_ROCM_BACKEND (dyno_rocm_backend_get_type ())

/**
 * DynoRocmBackend:
 *
 * AMD's devices, through the providers of ONNX Runtime for MIGraphX or ROCm.
 */
G_DECLARE_FINAL_TYPE (DynoRocmBackend, dyno_rocm_backend, DYNO, ROCM_BACKEND, DynoOrtBackend)

G_END_DECLS
