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

/* Removes least recently used models to make room, except those in use. Returns the folder that holds the
 * model. The caller owns it. @key: identifies everything the model depends on, as a file name. @size:
 * about how many bytes it takes. @lock: a file descriptor; until it is closed, no process removes the
 * model. */
char *dyno_model_cache_get (
    const char *key, gint64 size, DynoModelCacheFill fill, gpointer data, int *lock, GError **error);
/* Call it before any thread prepares a model. @bytes: how much space all cached models may take together,
 * initially 8 GB. */
void dyno_model_cache_set_limit (gint64 bytes);

G_END_DECLS
