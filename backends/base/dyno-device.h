/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * DynoDeviceKind:
 * @DYNO_DEVICE_KIND_UNKNOWN: the engine does not report it
 * @DYNO_DEVICE_KIND_CPU: a processor
 * @DYNO_DEVICE_KIND_INTEGRATED_GPU: a graphics processor that shares the processor's memory
 * @DYNO_DEVICE_KIND_DISCRETE_GPU: a graphics processor with memory of its own
 * @DYNO_DEVICE_KIND_NPU: a processor for neural networks
 * @DYNO_DEVICE_KIND_SOFTWARE: a graphics processor emulated by the processor; its numbers are the processor's
 * @DYNO_DEVICE_KIND_EMULATED: another device that the processor emulates to show its answers; its times mean nothing
 * @DYNO_DEVICE_KIND_SERVER: a server on this machine, which does not report its device
 * @DYNO_DEVICE_KIND_REMOTE: a server on another machine, of which only the answers are visible
 */
typedef enum
{
  DYNO_DEVICE_KIND_UNKNOWN,
  DYNO_DEVICE_KIND_CPU,
  DYNO_DEVICE_KIND_INTEGRATED_GPU,
  DYNO_DEVICE_KIND_DISCRETE_GPU,
  DYNO_DEVICE_KIND_NPU,
  DYNO_DEVICE_KIND_SOFTWARE,
  DYNO_DEVICE_KIND_EMULATED,
  DYNO_DEVICE_KIND_SERVER,
  DYNO_DEVICE_KIND_REMOTE,
} DynoDeviceKind;

/* Returns the stable word in files. */
const char *dyno_device_kind_to_string (DynoDeviceKind kind);
/* Returns whether there is such a kind. */
gboolean dyno_device_kind_from_string (const char *text, DynoDeviceKind *kind);
/* Returns FALSE if the processor does its work. */
gboolean dyno_device_kind_is_hardware (DynoDeviceKind kind);
/* Returns the kind in people's language, NULL if it is unknown. */
const char *dyno_device_kind_get_label (DynoDeviceKind kind);

#define DYNO_TYPE_DEVICE (dyno_device_get_type ())

/**
 * DynoDevice:
 *
 * A device on which a backend can run. Read-only properties: `id` (stable: `cpu`, a UUID, a PCI address), `name`,
 * `driver` (nullable), `memory` (int64 bytes, 0 where unknown), `precisions` (string array), `kind-label` (nullable:
 * the kind in people's language), `address` (nullable: its address, `0000:65:00.0` for PCI), `models` (string array:
 * the models that a server holds), `unfused` (string array: the precisions in which it has no fused attention with a
 * cache), `reason` and `remedy` (nullable sentences, for a missing device).
 */
G_DECLARE_FINAL_TYPE (DynoDevice, dyno_device, DYNO, DEVICE, GObject)

/* Returns a new device. @id: a name that stays the same between runs of Dyno: `cpu`, a UUID, a PCI address. @driver
 * may be NULL. @memory: its own memory in bytes, 0 if it has none or it is unknown. @precisions: those that were tried
 * with success, NULL if none was tried. */
DynoDevice *dyno_device_new (
    const char *id, const char *name, const char *driver, gint64 memory, const char *const *precisions);
/* Returns the processor, under the name that the kernel gives to it. */
DynoDevice *dyno_device_new_processor (const char *id, const char *const *precisions);

void dyno_device_set_kind (DynoDevice *self, DynoDeviceKind kind);
/* @address may be NULL. */
void dyno_device_set_address (DynoDevice *self, const char *address);
void dyno_device_set_models (DynoDevice *self, const char *const *models);
/* @unfused: the precisions in which it has no fused attention with a cache. */
void dyno_device_set_unfused (DynoDevice *self, const char *const *unfused);
/* @remedy may be NULL. */
void dyno_device_set_missing (DynoDevice *self, const char *reason, const char *remedy);

const char *dyno_device_get_id (DynoDevice *self);
const char *dyno_device_get_name (DynoDevice *self);
const char *dyno_device_get_driver (DynoDevice *self);
gint64 dyno_device_get_memory (DynoDevice *self);
/* Returns the precisions in which it computes. */
const char *const *dyno_device_get_precisions (DynoDevice *self);
DynoDeviceKind dyno_device_get_kind (DynoDevice *self);
const char *dyno_device_get_address (DynoDevice *self);
/* Returns the models that a server holds, by its own names; empty for other devices. */
const char *const *dyno_device_get_models (DynoDevice *self);
/* Returns the precisions in which a trial found no fused attention with a cache; empty if there are none, or if that
 * was not tried. */
const char *const *dyno_device_get_unfused (DynoDevice *self);
/* Returns why it is unavailable here; NULL for an available device. */
const char *dyno_device_get_reason (DynoDevice *self);
/* Returns how to make a missing device available; NULL if it is available or nothing would help. */
const char *dyno_device_get_remedy (DynoDevice *self);

/* dyno-visible-device */

/* Hides all other devices from this process, so that the first one is the requested one, in whatever order
 * the driver counts. Must be called once, before the driver is used. Returns whether the process sees that
 * device. @variable: the environment variable that limits the visible devices of a process. */
gboolean dyno_visible_device_choose (const char *variable, const char *device, GError **error);

G_END_DECLS
