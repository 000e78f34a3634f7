/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_WEBNN_BACKEND (dyno_webnn_backend_get_type ())

/**
 * DynoWebnnBackend:
 *
 * What a page in a browser can run on, through ONNX Runtime Web: WebNN's devices `cpu`, `gpu` and `npu`, and beside
 * them `webgpu` and `wasm`.
 */
G_DECLARE_FINAL_TYPE (DynoWebnnBackend, dyno_webnn_backend, DYNO, WEBNN_BACKEND, DynoBackend)

G_END_DECLS
