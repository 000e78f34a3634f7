/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

#define DYNO_TYPE_DEVICE (dyno_device_get_type ())

/**
 * DynoDevice:
 *
 * A device a backend can run on. Read-only properties: `id` (stable: `cpu`, a UUID, a PCI address), `name`,
 * `driver` (nullable), `memory` (int64 bytes, 0 where unknown), `precisions` (string array).
 */
G_DECLARE_FINAL_TYPE (DynoDevice, dyno_device, DYNO, DEVICE, GObject)

DynoDevice *dyno_device_new (
    const char *id, const char *name, const char *driver, gint64 memory, const char *const *precisions);

const char *dyno_device_get_id (DynoDevice *self);
const char *dyno_device_get_name (DynoDevice *self);
const char *dyno_device_get_driver (DynoDevice *self);
gint64 dyno_device_get_memory (DynoDevice *self);
const char *const *dyno_device_get_precisions (DynoDevice *self);

G_END_DECLS
