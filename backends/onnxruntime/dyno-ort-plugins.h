/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-device.h"
#include "dyno-ort-runtime.h"

G_BEGIN_DECLS

struct OrtEpDevice;

/**
 * DynoOrtPlugin:
 * @id: the provider's name, with a number where it has several devices
 * @provider: the provider's name in ONNX Runtime
 * @vendor: who made the provider
 * @hardware: who made the device
 * @kind: the kind of the device
 * @device: the device itself
 *
 * A device from a plug-in library of ONNX Runtime.
 */
typedef struct
{
  char *id;
  char *provider;
  char *vendor;
  char *hardware;
  DynoDeviceKind kind;
  const struct OrtEpDevice *device;
} DynoOrtPlugin;

/* Returns whether the folder of plug-ins contains any library, without opening a runtime. @error: return location for
 * the folder's error. */
gboolean dyno_ort_plugins_are_there (GError **error);
/* Registers the library's provider, and its copies between memories, with the runtime; once is enough. Returns
 * whether it is registered now. @error: return location for an error, which names the library. */
gboolean dyno_ort_plugins_register (DynoOrtRuntime *runtime, const char *path, GError **error);
/* Registers every library of the plug-in folder and lists their devices. Blocks. Returns the devices, even if there
 * is an error. Elements are DynoOrtPlugin. @error: return location for the folder's or the first library's error; the
 * other libraries are used nevertheless. */
GPtrArray *dyno_ort_plugins_list (DynoOrtRuntime *runtime, GError **error);

G_END_DECLS
