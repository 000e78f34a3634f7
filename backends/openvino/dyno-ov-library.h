/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-engine-library.h"
#include "dyno-ov-api.h"
#include "dyno-tensor.h"

G_BEGIN_DECLS

#define DYNO_TYPE_OV_LIBRARY (dyno_ov_library_get_type ())

/**
 * DynoOvLibrary:
 *
 * A file that may be OpenVINO's C library.
 */
G_DECLARE_FINAL_TYPE (DynoOvLibrary, dyno_ov_library, DYNO, OV_LIBRARY, DynoEngineLibrary)

/* A named library is used, or it is an error: never silently another one. @path: the library in the user's settings,
 * NULL to search. */
void dyno_ov_library_set_path (const char *path);
/* The environment variable `DYNO_OPENVINO` takes precedence over dyno_ov_library_set_path(). The variable passes the
 * path on to a process that measures. Returns the path of the named library, or NULL to search. */
char *dyno_ov_library_dup_path (void);
/* Looks for libraries of OpenVINO: the named one, the system's, those in the runtimes folder, those in Python
 * environments. They are not opened. Returns a list of DynoOvLibrary in order of preference. */
GListModel *dyno_ov_library_list_found (void);
/* Opens the named library, or the first usable one. Returns a usable library; NULL if there is none. @error: return
 * location for an error; its remedy is dyno_ov_library_get_remedy(). */
DynoOvLibrary *dyno_ov_library_get_default (GError **error);
/* Returns the remedy if there is no usable library, as a sentence. */
const char *dyno_ov_library_get_remedy (void);

const char *dyno_ov_library_get_path (DynoOvLibrary *self);
/* Returns its version, `2026.4.1`; NULL if unknown. */
const char *dyno_ov_library_get_version (DynoOvLibrary *self);
gboolean dyno_ov_library_is_usable (DynoOvLibrary *self);
/* Returns why it is not usable, as a sentence; NULL if it is. */
const char *dyno_ov_library_get_problem (DynoOvLibrary *self);
/* Returns its functions. */
const OvApi *dyno_ov_library_get_api (DynoOvLibrary *self);
/* Returns the access to its devices, one per process; NULL if there is none. @error: return location for
 * an error. */
OvCore *dyno_ov_library_get_core (DynoOvLibrary *self, GError **error);
/* Returns whether it has one. */
gboolean dyno_ov_library_get_element (DynoOvLibrary *self, DynoDataType type, guint *element);
/* Returns the type, undefined if Dyno has no such type. */
DynoDataType dyno_ov_library_get_data_type (DynoOvLibrary *self, guint element);

G_END_DECLS
