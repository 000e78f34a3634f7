/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoModelCacheFill:
 * @folder: an empty folder
 * @data: data of the caller
 * @error: return location
 *
 * Writes a model into a folder.
 */
typedef gboolean (*DynoModelCacheFill) (const char *folder, gpointer data, GError **error);

char *dyno_model_cache_get (
    const char *key, gint64 size, DynoModelCacheFill fill, gpointer data, int *lock, GError **error);
void dyno_model_cache_set_limit (gint64 bytes);

G_END_DECLS
