/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ort-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CUDA_BACKEND (dyno_cuda_backend_get_type ())

/**
 * DynoCudaBackend:
 *
 * NVIDIA's devices, through the providers of ONNX Runtime for CUDA and TensorRT.
 */
G_DECLARE_FINAL_TYPE (DynoCudaBackend, dyno_cuda_backend, DYNO, CUDA_BACKEND, DynoOrtBackend)

G_END_DECLS
