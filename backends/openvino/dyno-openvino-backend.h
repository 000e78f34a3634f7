/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_OPENVINO_BACKEND (dyno_openvino_backend_get_type ())

/**
 * DynoOpenvinoBackend:
 *
 * What OpenVINO finds: the processor, Intel's graphics and neural processors, and AUTO, which chooses.
 */
G_DECLARE_FINAL_TYPE (DynoOpenvinoBackend, dyno_openvino_backend, DYNO, OPENVINO_BACKEND, DynoBackend)

G_END_DECLS
