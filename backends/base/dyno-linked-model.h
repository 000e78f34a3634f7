/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

char *dyno_linked_model_gather (const char *path, GPtrArray *external_files, char **folder, GError **error);

G_END_DECLS
