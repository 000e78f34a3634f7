/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Reserves disk space in the file `STORE.reserve`, so that runs can be deleted when the disk is full. Makes
 * no file if there is no space for it. */
void dyno_store_reserve_make (const char *store_path);
/* Frees the reserved disk space. Returns whether there was any. */
gboolean dyno_store_reserve_release (const char *store_path);

G_END_DECLS
