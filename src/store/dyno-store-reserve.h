/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Keeps some room on the disk in the file `STORE.reserve`, so that runs can be deleted when the disk is
 * full. Where there is no room for it, there is no such file. */
void dyno_store_reserve_make (const char *store_path);
/* Gives the room back to the disk. Returns whether there was any. */
gboolean dyno_store_reserve_release (const char *store_path);

G_END_DECLS
