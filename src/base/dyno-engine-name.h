/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoEngineNamePart:
 * @device: the id of a device; NULL for all others
 * @name: its name for people
 *
 * The part of an engine that does the work on a device. Without an entry for all others the engine's own name of a device is
 * used.
 */
typedef struct
{
  const char *device;
  const char *name;
} DynoEngineNamePart;

/**
 * DynoEngineName:
 * @backend: the id of its backend
 * @engine: its name
 * @usual: the part if no device is given; NULL to name only the engine
 * @parts: up to one without a name
 *
 * The name of an engine for people.
 */
typedef struct
{
  const char *backend;
  const char *engine;
  const char *usual;
  DynoEngineNamePart parts[6];
} DynoEngineName;

/* For the class_init of a backend. @name: lives as long as the process. */
void dyno_engine_name_add (const DynoEngineName *name);
/* Files, options and keys have ids; this name is for people. An engine unknown to Dyno has its own name.
 * Returns the name: “ONNX Runtime (CPU)”, “OpenVINO (GPU)”. @backend_id: the id of a backend, or the name of
 * another measuring program. @device: the id of one of its devices; empty or NULL for the usual one. */
char *dyno_engine_name_dup (const char *backend_id, const char *device);
/* Returns `id:device`, as dyno_backend_lookup_spec() reads it; the id alone for the usual device. @device:
 * empty or NULL for the usual one. */
char *dyno_engine_name_dup_spec (const char *backend_id, const char *device);
/* Returns the name for all devices of the engine: “ONNX Runtime (CUDA)”, “OpenVINO”. */
char *dyno_engine_name_dup_backend (const char *backend_id, const char *name);
/* Returns the names of the engines, separated by commas. @specs: ids of backends, optionally followed by a
 * colon and a device. */
char *dyno_engine_name_dup_list (const char *const *specs);
/* Returns whether the name of the engine identifies the device; FALSE for one of several GPUs of an engine.
 * @backend_id: the id of a backend, or the name of another measuring program. @device: the id of one of its
 * devices; empty or NULL for the usual one. */
gboolean dyno_engine_name_tells_device (const char *backend_id, const char *device);

G_END_DECLS
