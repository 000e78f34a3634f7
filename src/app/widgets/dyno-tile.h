/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_TILE (dyno_tile_get_type ())

/**
 * DynoTile:
 *
 * One number of a run that people look for first. Properties, read-write: `title`, `value` and `subtitle`
 * (strings).
 *
 * # Accessibility
 *
 * It has the role `GROUP`; its label says title, value and subtitle.
 */
G_DECLARE_FINAL_TYPE (DynoTile, dyno_tile, DYNO, TILE, AdwBin)

GtkWidget *dyno_tile_new (void);
void dyno_tile_set_value (DynoTile *self, const char *value, const char *subtitle);

G_END_DECLS
