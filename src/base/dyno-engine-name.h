/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Files, options and keys have ids; this is for people. An engine that Dyno does not know is called as it
 * calls itself. Returns the engine in words: “ONNX Runtime (CPU)”, “OpenVINO (GPU)”. @backend_id: the id
 * of a backend, or the name of the program that another tool measured. @device: the id of a device of it;
 * empty or NULL for the usual one. */
char *dyno_engine_name_dup (const char *backend_id, const char *device);
/* Returns the engine with all its devices: “ONNX Runtime (CUDA)”, “OpenVINO”. */
char *dyno_engine_name_dup_backend (const char *backend_id, const char *name);
/* Returns the engines in words, with commas between them. @specs: ids of backends, with a device behind a
 * colon or without. */
char *dyno_engine_name_dup_list (const char *const *specs);
/* Returns whether the name of the engine says which device that is; FALSE for one of several GPUs of an
 * engine. @backend_id: the id of a backend, or the name of the program that another tool measured.
 * @device: the id of a device of it; empty or NULL for the usual one. */
gboolean dyno_engine_name_tells_device (const char *backend_id, const char *device);

G_END_DECLS
