/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-run.h"

G_BEGIN_DECLS

/* Returns the engine and its version, such as “ONNX Runtime 1.23.2”; NULL if the backend did not report it.
 * @machine may be NULL. */
const char *dyno_run_engines_find (JsonObject *machine, const char *backend);
/* Returns the engines of the backends that the run used, in the order of its cases, such as “ONNX Runtime
 * 1.23.2 (CPU), OpenVINO 2025.3.0 (GPU)”; NULL if none is known. */
char *dyno_run_engines_dup (DynoRun *run);

G_END_DECLS
