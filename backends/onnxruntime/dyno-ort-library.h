/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-ort-runtime.h"

G_BEGIN_DECLS

void dyno_ort_library_set_path (const char *path);
char *dyno_ort_library_dup_path (void);
void dyno_ort_library_set_plugin_folder (const char *path);
char *dyno_ort_library_dup_plugin_folder (void);
GListModel *dyno_ort_library_list_found (void);
DynoOrtRuntime *dyno_ort_library_get_default (GError **error);
DynoOrtRuntime *dyno_ort_library_get_for (const char *provider, GError **error);
const char *dyno_ort_library_get_remedy (void);

G_END_DECLS
