/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-ov-library.h"

G_BEGIN_DECLS

gboolean dyno_ov_devices_list (DynoOvLibrary *library, char ***names, GError **error);
gboolean dyno_ov_devices_add (DynoOvLibrary *library, DynoBackend *backend, DynoProbe *probe, GError **error);

G_END_DECLS
