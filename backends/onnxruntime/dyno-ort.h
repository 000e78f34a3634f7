/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <glib.h>
#include <json-glib/json-glib.h>

#include "dyno-device.h"
#include "dyno-engine-library.h"

G_BEGIN_DECLS

/* dyno-ort-runtime */

struct OrtApi;
struct OrtEnv;

#define DYNO_TYPE_ORT_RUNTIME (dyno_ort_runtime_get_type ())

/**
 * DynoOrtRuntime:
 *
 * A file that may be the ONNX Runtime library. It adds the read-only property `providers` (string array).
 */
G_DECLARE_FINAL_TYPE (DynoOrtRuntime, dyno_ort_runtime, DYNO, ORT_RUNTIME, DynoEngineLibrary)

/* There is one object for every path, and it lives forever: a library once opened is never closed. Nothing is opened
 * yet. Returns the runtime of that file. */
DynoOrtRuntime *dyno_ort_runtime_get (const char *path);

const char *dyno_ort_runtime_get_path (DynoOrtRuntime *self);
/* Returns the version, even of one that is too old; NULL if unknown. */
const char *dyno_ort_runtime_get_version (DynoOrtRuntime *self);
/* Returns the execution providers with which it was built. */
const char *const *dyno_ort_runtime_get_providers (DynoOrtRuntime *self);
gboolean dyno_ort_runtime_is_usable (DynoOrtRuntime *self);
/* Returns why it is not usable, as a sentence; NULL if it is. */
const char *dyno_ort_runtime_get_problem (DynoOrtRuntime *self);
/* Opens the library and describes it, for a process that may not open it; see dyno_engine_library_inspect(). Returns
 * an object with `version`, `providers` and `problem`. The caller owns it. */
JsonNode *dyno_ort_runtime_describe (DynoOrtRuntime *self);
/* Returns the highest API version that both the library and the header of the build know. */
guint dyno_ort_runtime_get_api_version (DynoOrtRuntime *self);
/* Returns the library's functions; those up to dyno_ort_runtime_get_api_version() may be called. */
const struct OrtApi *dyno_ort_runtime_get_api (DynoOrtRuntime *self);
/* Returns the library's environment, one per process; NULL if there is none. @error: return location for
 * an error. */
struct OrtEnv *dyno_ort_runtime_get_env (DynoOrtRuntime *self, GError **error);

/* dyno-ort-library */

/* The environment variables that name the library, and the folder of plug-ins. */
#define DYNO_ORT_VARIABLE         "DYNO_ONNXRUNTIME"
#define DYNO_ORT_PLUGINS_VARIABLE "DYNO_ONNXRUNTIME_PLUGINS"

/* Returns the folder of libraries with execution providers that ONNX Runtime uses in addition to its own: the named one, else
 * `plugins` in the runtimes folder. */
char *dyno_ort_library_dup_plugin_folder (void);
/* Returns whether the named plug-in folder is a single library, beside which no other is looked for. */
gboolean dyno_ort_library_has_single_plugin (void);
/* Looks for libraries of ONNX Runtime: the named one, those in the runtimes folder, the system's, those in Python
 * environments. They are not opened. Returns a list of DynoOrtRuntime in order of preference. */
GListModel *dyno_ort_library_list_found (void);
/* Opens the named library, or the first usable one. Returns a usable runtime; NULL if there is none. @error: return
 * location for an error; its remedy is dyno_ort_library_get_remedy(). */
DynoOrtRuntime *dyno_ort_library_get_default (GError **error);
/* Finds the named library, or the first usable one with the provider, because there may be one for each vendor's
 * devices. It is opened when it is first used; from then on this process uses no other. Returns a usable runtime with
 * that provider; NULL if there is none. @error: return location for an error: DYNO_ERROR_UNSUPPORTED if there are
 * runtimes but none has the provider, else as of dyno_ort_library_get_default(). */
DynoOrtRuntime *dyno_ort_library_get_for (const char *provider, GError **error);
/* Returns the remedy if there is no usable library, as a sentence. */
const char *dyno_ort_library_get_remedy (void);

/* dyno-ort-message */

/* Returns the missing operator, if the message is about one; NULL otherwise. The caller owns it. */
char *dyno_ort_message_find_operator (const char *message);
/* Returns the operator that it knows, but does not support for the model's number types or operator version; NULL if
 * the message is about something else. The caller owns it. */
char *dyno_ort_message_find_unimplemented (const char *message);

/* dyno-ort-plugins */

struct OrtEpDevice;

/**
 * DynoOrtPlugin:
 * @provider: the provider's name in ONNX Runtime
 * @hardware: who made the device
 * @kind: the kind of the device
 * @device: the device itself
 *
 * A device from a plug-in library of ONNX Runtime.
 */
typedef struct
{
  char *provider;
  char *hardware;
  DynoDeviceKind kind;
  const struct OrtEpDevice *device;
} DynoOrtPlugin;

/* Finds plug-in libraries, without opening any: those of the plug-in folder, then those that are installed in the
 * runtimes folder, one of each name. Returns their paths, even if there is an error. The caller owns it. @error: return
 * location for the folder's error. */
GPtrArray *dyno_ort_plugins_find (GError **error);
/* Returns the path of the plug-in of that short name; NULL if there is none. The caller owns it. */
char *dyno_ort_plugins_dup_path (const char *name);
/* Returns the plug-in's short name, such as `qnn` for `libonnxruntime_providers_qnn.so`. */
char *dyno_ort_plugins_dup_name (const char *path);
/* Registers the library's provider, and its copies between memories, with the runtime; once is enough. Returns
 * whether it is registered now. @error: return location for an error, which names the library. */
gboolean dyno_ort_plugins_register (DynoOrtRuntime *runtime, const char *path, GError **error);
/* Registers the library and lists its devices. Blocks. Returns one device at least, or NULL. Elements are
 * DynoOrtPlugin. @error: return location for an error, which names the library. */
GPtrArray *dyno_ort_plugins_open (DynoOrtRuntime *runtime, const char *path, GError **error);

G_END_DECLS
