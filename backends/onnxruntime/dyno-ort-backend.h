/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-ort.h"
#include "dyno-ort-target.h"

G_BEGIN_DECLS

#define DYNO_TYPE_ORT_BACKEND (dyno_ort_backend_get_type ())

/**
 * DynoOrtBackend:
 *
 * The base of all backends on ONNX Runtime: they need a library with their provider, and open sessions of it. A
 * subclass finds its devices and sets the options of its provider.
 */
G_DECLARE_DERIVABLE_TYPE (DynoOrtBackend, dyno_ort_backend, DYNO, ORT_BACKEND, DynoBackend)

/**
 * DynoOrtBackendClass:
 * @provider: the execution provider's name in ONNX Runtime
 * @covers: (nullable) (array zero-terminated=1): further providers that belong to this backend
 * @plugin: (nullable): the short name of the plug-in that has its provider
 * @remedy: (nullable): the remedy if no runtime has the provider, to be translated
 * @driver_remedy: (nullable): the remedy if @list_devices finds none, to be translated
 * @start_remedy: (nullable): the remedy if the provider does not start, to be translated
 * @one_device: whether a process can use one device only, so that only the first is tried
 * @list_devices: (nullable): finds the devices, whichever runtime uses them: at least one, or fails; may block
 * @find_runtime: the runtime to use on a device, or on any for NULL; by default the first that has @provider, else
 *   the first that can use @plugin
 * @probe_devices: finds the devices of a runtime that has the provider; blocks, never fails; by default those of
 *   @list_devices on which it starts
 * @has_device: whether there is a device of that id; by default among those of @list_devices
 * @get_rounding: (nullable): the other precision in which a device can compute products of single precision, if any
 * @computes_in: (nullable): whether a device computes products in a precision that a trial found good, and not in a
 *   coarser one
 * @configure: sets the target of a session and the provider's options; by default @provider without options
 */
struct _DynoOrtBackendClass
{
  DynoBackendClass parent_class;

  const char *provider;
  const char *const *covers;
  const char *plugin;
  const char *remedy;
  const char *driver_remedy;
  const char *start_remedy;
  gboolean one_device;

  GPtrArray *(*list_devices) (DynoOrtBackend *self, GError **error);
  DynoOrtRuntime *(*find_runtime) (DynoOrtBackend *self, const char *device, GError **error);
  DynoProbe *(*probe_devices) (DynoOrtBackend *self, DynoOrtRuntime *runtime);
  gboolean (*has_device) (DynoOrtBackend *self, const char *id);
  const char *(*get_rounding) (DynoOrtBackend *self, DynoDevice *device);
  gboolean (*computes_in) (DynoOrtBackend *self, DynoDevice *device, const char *precision);
  gboolean (*configure) (DynoOrtBackend *self,
                         DynoOrtRuntime *runtime,
                         const DynoSessionOptions *options,
                         DynoOrtTarget *target,
                         GError **error);
};

/* Returns a probe that says it is available through that runtime; add its devices. */
DynoProbe *dyno_ort_backend_new_probe (DynoOrtBackend *self, DynoOrtRuntime *runtime);
/* Starts the provider on a device, without a model: only this shows whether drivers and libraries fit. Blocks.
 * Returns whether it started. @device may be NULL. @error: return location for an error, in the words of the
 * provider. */
gboolean
dyno_ort_backend_try (DynoOrtBackend *self, DynoOrtRuntime *runtime, const char *device, GError **error);
/* Starts the provider on a device. Loads models, so it blocks. Returns whether it started. @probe: gets the device
 * with its precisions, which were tried. @error: return location for an error, in the words of the provider. */
gboolean dyno_ort_backend_add_device (
    DynoOrtBackend *self, DynoOrtRuntime *runtime, DynoDevice *device, DynoProbe *probe, GError **error);
/* Returns the device; NULL if there is none. The caller owns it. @id: the id of a device, NULL for the
 * first. @position may be NULL. */
DynoDevice *
dyno_ort_backend_find_device (DynoOrtBackend *self, const char *id, guint *position, GError **error);
/* The `fingerprint` of backends that use plug-ins, which may be in the folder that is named for them. */
char *dyno_ort_backend_fingerprint_plugins (DynoBackend *backend);
/* Keeps the devices for later, because finding them takes time. Any thread may call this. @devices: the backend's
 * devices, in its own form. */
void dyno_ort_backend_keep_devices (DynoOrtBackend *self, GPtrArray *devices);
/* Returns the devices that were kept last; NULL if there are none. */
GPtrArray *dyno_ort_backend_dup_kept_devices (DynoOrtBackend *self);

G_END_DECLS
