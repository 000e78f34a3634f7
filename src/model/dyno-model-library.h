/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-model.h"

G_BEGIN_DECLS

char **dyno_model_library_list_ids (void);
DynoModel *dyno_model_library_load (const char *id, GError **error);
char *dyno_model_library_dup_name (const char *id);
GListModel *dyno_model_library_get_default (void);
GBytes *dyno_model_library_lookup (const char *id, GError **error);

G_END_DECLS
