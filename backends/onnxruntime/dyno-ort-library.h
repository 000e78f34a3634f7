/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-ort-runtime.h"

G_BEGIN_DECLS

/* A library that is named is used or is an error: never silently another one. @path: the library that the
 * user's settings name, NULL to search. */
void dyno_ort_library_set_path (const char *path);
/* The library that was named: by the environment variable `DYNO_ONNXRUNTIME`, else by
 * dyno_ort_library_set_path(). The variable passes it on to a process that measures. Returns its path, or
 * NULL if it is to be searched. */
char *dyno_ort_library_dup_path (void);
/* Where libraries of execution providers lie that ONNX Runtime uses beside its own. @path: the folder that
 * the user's settings name, NULL for `plugins` in the runtimes folder. */
void dyno_ort_library_set_plugin_folder (const char *path);
/* Returns the folder of plug-ins: what the environment variable `DYNO_ONNXRUNTIME_PLUGINS` names, else
 * dyno_ort_library_set_plugin_folder(), else `plugins` in the runtimes folder. */
char *dyno_ort_library_dup_plugin_folder (void);
/* Looks for libraries of ONNX Runtime: the one that was named, those in the runtimes folder, the system's,
 * those in Python environments. They are not opened. Returns a list of DynoOrtRuntime in order of
 * preference. */
GListModel *dyno_ort_library_list_found (void);
/* Opens the library that was named, or the first usable one. Returns a usable runtime; NULL if there is
 * none. @error: return location for an error; its remedy is dyno_ort_library_get_remedy(). */
DynoOrtRuntime *dyno_ort_library_get_default (GError **error);
/* Finds the library that was named, or the first usable one that has the provider: one for each vendor's
 * devices may lie beside another. It is opened when it is first used; from then on this process uses no
 * other. Returns a usable runtime with that provider; NULL if there is none. @error: return location for
 * an error: DYNO_ERROR_UNSUPPORTED if there are runtimes but none has the provider, else as of
 * dyno_ort_library_get_default(). */
DynoOrtRuntime *dyno_ort_library_get_for (const char *provider, GError **error);
/* Returns what to do when there is no usable library, as a sentence. */
const char *dyno_ort_library_get_remedy (void);

G_END_DECLS
