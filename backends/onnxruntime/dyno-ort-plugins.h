/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-device.h"
#include "dyno-ort-runtime.h"

G_BEGIN_DECLS

struct OrtEpDevice;

/**
 * DynoOrtPlugin:
 * @id: the provider's name, with a number where it has several devices
 * @provider: what ONNX Runtime calls the provider
 * @vendor: who made the provider
 * @hardware: who made the device
 * @kind: what the device is
 * @device: the device itself
 *
 * A device that a plug-in library of ONNX Runtime brought along.
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

gboolean dyno_ort_plugins_are_there (GError **error);
gboolean dyno_ort_plugins_register (DynoOrtRuntime *runtime, const char *path, GError **error);
GPtrArray *dyno_ort_plugins_list (DynoOrtRuntime *runtime, GError **error);

G_END_DECLS
