/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-run.h"

G_BEGIN_DECLS

/* Returns its engine and the version of that, such as “ONNX Runtime 1.23.2”; NULL where the backend did
 * not tell. @machine may be NULL. */
const char *dyno_run_engines_find (JsonObject *machine, const char *backend);
/* Returns the engines behind the backends that it used, in the order of its cases, such as “ONNX Runtime
 * 1.23.2 (CPU), OpenVINO 2025.3.0 (GPU)”; NULL where none is known. */
char *dyno_run_engines_dup (DynoRun *run);

G_END_DECLS
