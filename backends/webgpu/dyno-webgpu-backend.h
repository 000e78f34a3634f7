/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ort-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_WEBGPU_BACKEND (dyno_webgpu_backend_get_type ())

/**
 * DynoWebgpuBackend:
 *
 * Graphics processors through the WebGPU provider of ONNX Runtime, which speaks Vulkan by way of Dawn.
 */
G_DECLARE_FINAL_TYPE (DynoWebgpuBackend, dyno_webgpu_backend, DYNO, WEBGPU_BACKEND, DynoOrtBackend)

G_END_DECLS
