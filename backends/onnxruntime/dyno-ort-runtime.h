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
 * A file that may be the ONNX Runtime library. It has one more read-only property, `providers` (string array).
 */
G_DECLARE_FINAL_TYPE (DynoOrtRuntime, dyno_ort_runtime, DYNO, ORT_RUNTIME, DynoEngineLibrary)

DynoOrtRuntime *dyno_ort_runtime_get (const char *path);

const char *dyno_ort_runtime_get_path (DynoOrtRuntime *self);
const char *dyno_ort_runtime_get_version (DynoOrtRuntime *self);
const char *const *dyno_ort_runtime_get_providers (DynoOrtRuntime *self);
gboolean dyno_ort_runtime_is_usable (DynoOrtRuntime *self);
const char *dyno_ort_runtime_get_problem (DynoOrtRuntime *self);
JsonNode *dyno_ort_runtime_describe (DynoOrtRuntime *self);
guint dyno_ort_runtime_get_api_version (DynoOrtRuntime *self);
const struct OrtApi *dyno_ort_runtime_get_api (DynoOrtRuntime *self);
struct OrtEnv *dyno_ort_runtime_get_env (DynoOrtRuntime *self, GError **error);

G_END_DECLS
