/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-ort-runtime.h"
#include "dyno-ort-target.h"

G_BEGIN_DECLS

#define DYNO_TYPE_ORT_BACKEND (dyno_ort_backend_get_type ())

/**
 * DynoOrtBackend:
 *
 * What all backends on ONNX Runtime share: they need a library that has their provider, and open sessions of it. A
 * backend below it knows its devices, and what to tell its provider.
 */
G_DECLARE_DERIVABLE_TYPE (DynoOrtBackend, dyno_ort_backend, DYNO, ORT_BACKEND, DynoBackend)

/**
 * DynoOrtBackendClass:
 * @provider: what ONNX Runtime calls the execution provider
 * @covers: (nullable) (array zero-terminated=1): further providers that are this backend's matter
 * @remedy: (nullable): what to do when no runtime has the provider, to be translated
 * @find_runtime: the runtime to use on a device, or on any for %NULL; by default the first that has @provider
 * @probe_devices: (nullable): finds the devices of a runtime that has the provider; blocks, never fails
 * @has_device: whether there is a device of that id
 * @configure: says where a session is to run and what to tell the provider; by default @provider, told nothing
 */
struct _DynoOrtBackendClass
{
  DynoBackendClass parent_class;

  const char *provider;
  const char *const *covers;
  const char *remedy;

  DynoOrtRuntime *(*find_runtime) (DynoOrtBackend *self, const char *device, GError **error);
  DynoProbe *(*probe_devices) (DynoOrtBackend *self, DynoOrtRuntime *runtime);
  gboolean (*has_device) (DynoOrtBackend *self, const char *id);
  gboolean (*configure) (DynoOrtBackend *self,
                         DynoOrtRuntime *runtime,
                         const DynoSessionOptions *options,
                         DynoOrtTarget *target,
                         GError **error);
};

DynoProbe *dyno_ort_backend_new_probe (DynoOrtBackend *self, DynoOrtRuntime *runtime);
gboolean
dyno_ort_backend_try (DynoOrtBackend *self, DynoOrtRuntime *runtime, const char *device, GError **error);

G_END_DECLS
