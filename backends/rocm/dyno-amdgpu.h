/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-device.h"

G_BEGIN_DECLS

/* Looks for boards that the kernel's driver for AMD's runs. Returns the devices in order of their
 * addresses, at least one; NULL if there is none. Elements are DynoDevice. @error: return location for an
 * error: why there is no device. */
GPtrArray *dyno_amdgpu_list_devices (GError **error);

G_END_DECLS
