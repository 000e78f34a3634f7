/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_PATH_ROW (dyno_path_row_get_type ())

/**
 * DynoPathRow:
 *
 * The path of a program, a library or a folder, kept in a setting; empty to find it automatically.
 * Construct-only properties: `key` (string: the settings key) and `folder` (boolean: whether it is the path
 * of a folder).
 */
G_DECLARE_FINAL_TYPE (DynoPathRow, dyno_path_row, DYNO, PATH_ROW, AdwActionRow)

G_END_DECLS
