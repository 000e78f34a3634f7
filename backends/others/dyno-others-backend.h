/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ort-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_OTHERS_BACKEND (dyno_others_backend_get_type ())

/**
 * DynoOthersBackend:
 *
 * Every execution provider of a found ONNX Runtime that no other backend is about, and those of plug-in libraries, as
 * its devices.
 */
G_DECLARE_FINAL_TYPE (DynoOthersBackend, dyno_others_backend, DYNO, OTHERS_BACKEND, DynoOrtBackend)

G_END_DECLS
