/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "dyno-device.h"

G_BEGIN_DECLS

/**
 * DynoProbeState:
 * @DYNO_PROBE_AVAILABLE: can measure here and now
 * @DYNO_PROBE_UNSUPPORTED: cannot; the reason says why, the remedy what to do
 * @DYNO_PROBE_DEFERRED: may be able to later (a driver still loading, a device asleep, an engine that broke down)
 */
typedef enum
{
  DYNO_PROBE_AVAILABLE,
  DYNO_PROBE_UNSUPPORTED,
  DYNO_PROBE_DEFERRED,
} DynoProbeState;

#define DYNO_TYPE_PROBE_STATE (dyno_probe_state_get_type ())
#define DYNO_TYPE_PROBE       (dyno_probe_get_type ())

GType dyno_probe_state_get_type (void);
const char *dyno_probe_state_to_string (DynoProbeState state);

/**
 * DynoProbe:
 *
 * What a backend found out about itself. Read-only properties: `state`, `reason` and `remedy` (nullable
 * sentences), `runtime` (nullable: the engine and its version), `devices` (a list of [class@Dyno.Device]),
 * `missing` (a list of those that cannot be had here, each with its reason).
 */
G_DECLARE_FINAL_TYPE (DynoProbe, dyno_probe, DYNO, PROBE, GObject)

DynoProbe *dyno_probe_new_available (const char *runtime);
DynoProbe *dyno_probe_new_unsupported (const char *reason, const char *remedy);
DynoProbe *dyno_probe_new_deferred (const char *reason, const char *remedy);
DynoProbe *dyno_probe_new_from_json (JsonObject *object, GError **error);
JsonNode *dyno_probe_to_json (DynoProbe *self);
void dyno_probe_take_device (DynoProbe *self, DynoDevice *device);
void dyno_probe_take_missing_device (DynoProbe *self, DynoDevice *device);
void dyno_probe_set_provisional (DynoProbe *self);

DynoProbeState dyno_probe_get_state (DynoProbe *self);
gboolean dyno_probe_is_provisional (DynoProbe *self);
const char *dyno_probe_get_reason (DynoProbe *self);
const char *dyno_probe_get_remedy (DynoProbe *self);
const char *dyno_probe_get_runtime (DynoProbe *self);
GListModel *dyno_probe_get_devices (DynoProbe *self);
DynoDevice *dyno_probe_find_device (DynoProbe *self, const char *id);
GListModel *dyno_probe_get_missing_devices (DynoProbe *self);
DynoDevice *dyno_probe_find_missing_device (DynoProbe *self, const char *id);

G_END_DECLS
