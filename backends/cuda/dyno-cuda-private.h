/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-device.h"

G_BEGIN_DECLS

/* dyno-cuda-stream */

/* The names of priorities, the least urgent first; NULL-terminated. */
extern const char *const dyno_cuda_stream_priorities[];
/* Returns a stream on the first device that the process sees, which lives as long as the process; NULL on error.
 * @priority: one of these names; “middle” is in the middle of the device's range. */
gpointer dyno_cuda_stream_new (const char *priority, GError **error);

/* dyno-nvml */

/* Asks NVIDIA's management library, opened at run time, for the devices. The slices of a divided board count instead
 * of the board. Returns the devices by their UUIDs, at least one; NULL on error. Elements are DynoDevice. @error:
 * return location for an error with the reason. */
GPtrArray *dyno_nvml_list_devices (GError **error);
/* Returns whether its matrix units compute in TF32, which requires compute capability 8.0. */
gboolean dyno_nvml_has_tf32 (const char *uuid);

G_END_DECLS
