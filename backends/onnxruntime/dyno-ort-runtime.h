/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-engine-library.h"

G_BEGIN_DECLS

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

G_END_DECLS
