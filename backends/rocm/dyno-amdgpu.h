/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-device.h"

G_BEGIN_DECLS

/* Looks for boards of the kernel's AMD driver. Returns the devices in order of their addresses, at least one; NULL on
 * error. Elements are DynoDevice. @error: return location for an error with the reason. */
GPtrArray *dyno_amdgpu_list_devices (GError **error);

G_END_DECLS
