/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ort-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CPU_BACKEND (dyno_cpu_backend_get_type ())

/**
 * DynoCpuBackend:
 *
 * The processor, through ONNX Runtime's own kernels.
 */
G_DECLARE_FINAL_TYPE (DynoCpuBackend, dyno_cpu_backend, DYNO, CPU_BACKEND, DynoOrtBackend)

G_END_DECLS
