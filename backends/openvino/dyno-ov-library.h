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

void dyno_ov_library_set_path (const char *path);
char *dyno_ov_library_dup_path (void);
GListModel *dyno_ov_library_list_found (void);
DynoOvLibrary *dyno_ov_library_get_default (GError **error);
const char *dyno_ov_library_get_remedy (void);

const char *dyno_ov_library_get_path (DynoOvLibrary *self);
const char *dyno_ov_library_get_version (DynoOvLibrary *self);
gboolean dyno_ov_library_is_usable (DynoOvLibrary *self);
const char *dyno_ov_library_get_problem (DynoOvLibrary *self);
const OvApi *dyno_ov_library_get_api (DynoOvLibrary *self);
OvCore *dyno_ov_library_get_core (DynoOvLibrary *self, GError **error);
gboolean dyno_ov_library_get_element (DynoOvLibrary *self, DynoDataType type, guint *element);
DynoDataType dyno_ov_library_get_data_type (DynoOvLibrary *self, guint element);

G_END_DECLS
