/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

gboolean dyno_ort_precisions_are_known (const char *precision);
char **dyno_ort_precisions_try (DynoBackend *backend, const char *device);
DynoDevice *dyno_ort_precisions_describe (DynoBackend *backend, DynoDevice *device);

G_END_DECLS
