/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "dyno-device.h"

G_BEGIN_DECLS

/**
 * DynoProbeState:
 * @DYNO_PROBE_AVAILABLE: can measure here and now
 * @DYNO_PROBE_UNSUPPORTED: cannot; the reason says why, the remedy how to change that
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
/* Returns the word for reports and the command line. */
const char *dyno_probe_state_to_string (DynoProbeState state);

/**
 * DynoProbe:
 *
 * The result of probing a backend. Read-only properties: `state`, `reason` and `remedy` (nullable sentences),
 * `runtime` (nullable: the engine and its version), `devices` (a list of DynoDevice), `missing` (a list of
 * unavailable devices, each with its reason).
 */
G_DECLARE_FINAL_TYPE (DynoProbe, dyno_probe, DYNO, PROBE, GObject)

/* Returns a probe of a backend that can measure; add its devices. @runtime: the engine and its version,
 * such as `ONNX Runtime 1.30.0`. */
DynoProbe *dyno_probe_new_available (const char *runtime);
/* Returns a probe of a backend that cannot measure here. @remedy may be NULL. */
DynoProbe *dyno_probe_new_unsupported (const char *reason, const char *remedy);
/* Returns a probe of a backend that may be able to measure later. @remedy may be NULL. */
DynoProbe *dyno_probe_new_deferred (const char *reason, const char *remedy);
/* Returns the probe; NULL on error. Fails with DYNO_ERROR_INVALID_DATA. */
DynoProbe *dyno_probe_new_from_json (JsonObject *object, GError **error);
/* Returns an object node: `state`; `reason`, `remedy` and `runtime` if there are any; `provisional` if the answer may
 * change though nothing else has; `devices`, each with `id`, `name`, `kind`, `precisions`, and `address`, `driver`,
 * `memory` (bytes), `models` and `unfused` if known; and `missing`, such devices with their `reason`, and `remedy` if
 * there is one. The caller owns it. */
JsonNode *dyno_probe_to_json (DynoProbe *self);
/* Adds a device. The first one is the default, unless the backend's class names another. Takes @device. */
void dyno_probe_take_device (DynoProbe *self, DynoDevice *device);
/* Adds a device that the backend supports but that is unavailable here. Takes @device. */
void dyno_probe_take_missing_device (DynoProbe *self, DynoDevice *device);
/* Marks the probe as incomplete, so that the next one may differ and this one is not kept. */
void dyno_probe_set_provisional (DynoProbe *self);

DynoProbeState dyno_probe_get_state (DynoProbe *self);
/* Returns whether the next probe may differ though nothing has changed; always TRUE for a deferred one. */
gboolean dyno_probe_is_provisional (DynoProbe *self);
const char *dyno_probe_get_reason (DynoProbe *self);
const char *dyno_probe_get_remedy (DynoProbe *self);
const char *dyno_probe_get_runtime (DynoProbe *self);
/* Returns a list of DynoDevice. */
GListModel *dyno_probe_get_devices (DynoProbe *self);
/* Returns the device; NULL if there is none. @id: a device's id; NULL or empty for the first. For the device that the
 * backend opens by default, see dyno_backend_find_device(). */
DynoDevice *dyno_probe_find_device (DynoProbe *self, const char *id);
/* Returns a list of DynoDevice that are unavailable here, each with its reason. */
GListModel *dyno_probe_get_missing_devices (DynoProbe *self);
/* Returns the device that is not available here, if the backend knows it; NULL otherwise. */
DynoDevice *dyno_probe_find_missing_device (DynoProbe *self, const char *id);

/* dyno-worker-question */

/* Asks a question in a separate process, because the answer would do harm in this one, such as opening a second
 * library of an engine. Blocks; any thread may call this. Returns the object that the process printed; NULL on error.
 * The caller owns it. @arguments: the question for `dyno-worker`. @variable may be NULL. @value may be NULL. @error:
 * return location for an error: DYNO_ERROR_NO_RUNTIME if the process crashed or gave no answer. */
JsonObject *dyno_worker_question_ask (
    const char *const *arguments, const char *variable, const char *value, guint seconds, GError **error);

G_END_DECLS
