/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

/* Returns the same device with its precisions, which were tried. The caller owns it. */
DynoDevice *dyno_ort_precisions_describe (DynoBackend *backend, DynoDevice *device);

G_END_DECLS
