/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-ov-library.h"

G_BEGIN_DECLS

/* Returns whether OpenVINO could look for devices. @names: OpenVINO's names of the devices it finds,
 * `CPU`, `GPU.0`, and `AUTO` if there are any. */
gboolean dyno_ov_devices_list (DynoOvLibrary *library, char ***names, GError **error);
/* Returns whether OpenVINO could look for devices. @probe: gets the devices with their precisions, which
 * were tried. */
gboolean dyno_ov_devices_add (DynoOvLibrary *library, DynoBackend *backend, DynoProbe *probe, GError **error);

G_END_DECLS
