/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-backend.h"
#include "dyno-ort-api.h"
#include "dyno-ort-target.h"
#include "dyno-ort.h"
#include "dyno-session.h"
#include "dyno-tensor.h"

G_BEGIN_DECLS

/* dyno-ort-error */

/* Turns a status into a sentence that names the model and, if ONNX Runtime names it, the operator. Returns
 * whether the call succeeded. Takes @status. @status may be NULL. */
gboolean
dyno_ort_error_check (DynoOrtRuntime *runtime, const char *model_path, OrtStatus *status, GError **error);
/* Turns a status into a sentence that names the provider. Returns whether the call succeeded. Takes
 * @status. @status may be NULL. */
gboolean dyno_ort_error_check_provider (DynoOrtRuntime *runtime,
                                        const char *provider,
                                        OrtStatus *status,
                                        GError **error);

/* Turns the words of a library that does not start into a sentence. @library: its path */
void dyno_ort_error_set_start (const char *library, const char *words, GError **error);

/* dyno-ort-plugin-file */

#define DYNO_ORT_PLUGIN_FACTORY "CreateEpFactories"

/* Returns whether the library exports the function that makes it a plug-in. Nothing of it is run. */
gboolean dyno_ort_plugin_file_has_factory (const char *path);
/* Opens the library, and before it the libraries beside it that it needs and the dynamic loader does not find; so a
 * later opening works as well. Returns whether it is open. */
gboolean dyno_ort_plugin_file_open (const char *path);

/* dyno-ort-precisions */

/* Returns the same device with its precisions, which were tried. The caller owns it. */
DynoDevice *dyno_ort_precisions_describe (DynoBackend *backend, DynoDevice *device);

/* dyno-ort-provider */

struct OrtSessionOptions;

/* Returns the provider's library, which must be beside the runtime; NULL if it is part of the runtime. */
char *dyno_ort_provider_dup_library (DynoOrtRuntime *runtime, const char *provider);
/* Returns whether a run whose outputs were waited for may return before the device has computed them. */
gboolean dyno_ort_provider_returns_early (const char *provider);
/* Gives the provider the first choice of a session's nodes. The processor takes the rest; the trace shows
 * where each node ran. Returns whether the provider could be started. @error: return location for an
 * error. */
gboolean dyno_ort_provider_append (DynoOrtRuntime *runtime,
                                   const DynoOrtTarget *target,
                                   struct OrtSessionOptions *options,
                                   GError **error);
/* Starts the provider without a session. Returns whether it started. */
gboolean dyno_ort_provider_try (DynoOrtRuntime *runtime, const DynoOrtTarget *target, GError **error);

/* dyno-ort-session */

#define DYNO_TYPE_ORT_SESSION (dyno_ort_session_get_type ())

/**
 * DynoOrtSession:
 *
 * A model loaded into ONNX Runtime. Each step is one call of its `Run` with prepared arrays. On a device with its own
 * memory, inputs are copied there when they are set and outputs back when they are requested, if the runtime allows
 * that; a step then only computes.
 */
G_DECLARE_FINAL_TYPE (DynoOrtSession, dyno_ort_session, DYNO, ORT_SESSION, DynoSession)

/* Returns the model, loaded; NULL on error. @target: where to run it, and where the provider writes a profile.
 * @error: return location for an error, which names the model. */
DynoSession *dyno_ort_session_new (DynoOrtRuntime *runtime,
                                   const char *onnx_path,
                                   DynoOrtTarget *target,
                                   const DynoSessionOptions *options,
                                   GError **error);

/* dyno-ort-transfer */

/**
 * DynoOrtTransfer:
 *
 * The transfers between a session's host memory and its device's, so that a step only computes.
 */
typedef struct _DynoOrtTransfer DynoOrtTransfer;

/* Returns NULL if everything is in host memory, or if the runtime can copy only within a run.
 * @returns_early: whether its provider does not wait for the device. */
DynoOrtTransfer *dyno_ort_transfer_new (
    DynoOrtRuntime *runtime, OrtSession *session, gsize n_inputs, gsize n_outputs, gboolean returns_early);
void dyno_ort_transfer_free (DynoOrtTransfer *self);

/* Returns the error; NULL if there is none. The caller owns it. @value: a tensor in host memory, replaced
 * by its copy where the input is wanted. */
OrtStatus *dyno_ort_transfer_upload (DynoOrtTransfer *self, gsize input, OrtValue **value);
/* Returns the error; NULL if there is none. The caller owns it. */
OrtStatus *dyno_ort_transfer_download (DynoOrtTransfer *self, const OrtValue *value, OrtValue *copy_of_it);
/* Returns only when the device has all that was uploaded. Returns the error; NULL if there is none. */
OrtStatus *dyno_ort_transfer_finish (DynoOrtTransfer *self);
/* Returns only when the device has computed the outputs. If the provider itself returns earlier, one
 * number is fetched from the device, which works in order. Returns the error; NULL if there is none. The
 * caller owns it. */
OrtStatus *dyno_ort_transfer_wait (DynoOrtTransfer *self, OrtIoBinding *binding);
/* Returns the memory in which the session computes it. */
const OrtMemoryInfo *dyno_ort_transfer_get_output_memory (DynoOrtTransfer *self, gsize output);
/* Returns the allocator of the device's memory. */
OrtAllocator *dyno_ort_transfer_get_allocator (DynoOrtTransfer *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOrtTransfer, dyno_ort_transfer_free)

G_END_DECLS
