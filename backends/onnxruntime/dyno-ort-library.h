/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-ort-runtime.h"

G_BEGIN_DECLS

/* A named library is used, or it is an error: never silently another one. @path: the library in the user's settings,
 * NULL to search. */
void dyno_ort_library_set_path (const char *path);
/* The environment variable `DYNO_ONNXRUNTIME` takes precedence over dyno_ort_library_set_path(). The variable passes
 * the path on to a process that measures. Returns the path of the named library, or NULL to search. */
char *dyno_ort_library_dup_path (void);
/* Sets the folder of libraries with execution providers that ONNX Runtime uses in addition to its own. @path: the
 * folder in the user's settings, NULL for `plugins` in the runtimes folder. */
void dyno_ort_library_set_plugin_folder (const char *path);
/* Returns the folder of plug-ins: that of the environment variable `DYNO_ONNXRUNTIME_PLUGINS`, else
 * dyno_ort_library_set_plugin_folder(), else `plugins` in the runtimes folder. */
char *dyno_ort_library_dup_plugin_folder (void);
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

G_END_DECLS
