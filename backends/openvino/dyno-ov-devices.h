/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-ov-library.h"

G_BEGIN_DECLS

char *dyno_ov_devices_dup_property (DynoOvLibrary *library, const char *device, const char *key);
gboolean dyno_ov_devices_list (DynoOvLibrary *library, char ***names, GError **error);
gboolean dyno_ov_devices_add (DynoOvLibrary *library, DynoBackend *backend, DynoProbe *probe, GError **error);

G_END_DECLS
