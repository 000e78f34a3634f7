/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

#define DYNO_TYPE_ORT_BACKEND (dyno_ort_backend_get_type ())

/**
 * DynoOrtBackend:
 *
 * What all backends on ONNX Runtime share: they need the library, and open sessions of it. A backend below
 * it knows its devices.
 */
G_DECLARE_DERIVABLE_TYPE (DynoOrtBackend, dyno_ort_backend, DYNO, ORT_BACKEND, DynoBackend)

struct _DynoOrtBackendClass
{
  DynoBackendClass parent_class;

  void (*add_devices) (DynoOrtBackend *self, DynoProbe *probe);
  gboolean (*has_device) (DynoOrtBackend *self, const char *id);
};

G_END_DECLS
