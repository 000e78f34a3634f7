/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

char **dyno_model_library_list_ids (void);
GListModel *dyno_model_library_get_default (void);
GBytes *dyno_model_library_lookup (const char *id, GError **error);

G_END_DECLS
