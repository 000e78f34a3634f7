/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ort-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_QNN_BACKEND (dyno_qnn_backend_get_type ())

/**
 * DynoQnnBackend:
 *
 * Qualcomm's devices, through the provider of ONNX Runtime for QNN.
 */
G_DECLARE_FINAL_TYPE (DynoQnnBackend, dyno_qnn_backend, DYNO, QNN_BACKEND, DynoOrtBackend)

G_END_DECLS
