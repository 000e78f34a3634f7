/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

/* Measures the ceilings of a device that can only be reached through a runtime: the fastest matrix product
 * in each of its precisions, and the bandwidth of the longest array that it reads and writes. Both use the
 * same sessions and clocks as cases, so they show how fast the device is through the runtime. If every step
 * copies its outputs back, the array would not measure the device: then there is no memory ceiling, and the
 * others say why. Returns the ceilings. Elements are DynoCeiling. The caller owns it. @seconds: about how
 * long it may take. */
GPtrArray *
dyno_device_roofs_measure (DynoBackend *backend, DynoDevice *device, double seconds, GError **error);

G_END_DECLS
