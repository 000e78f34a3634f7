/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_TAB_STOP (dyno_tab_stop_get_type ())

/**
 * DynoTabStop:
 *
 * Holds a list and makes it one stop of the Tab key: the arrow keys go from row to row, Tab goes through the
 * widgets of the focused row and then leaves the list. Coming back focuses the last row again.
 */
G_DECLARE_FINAL_TYPE (DynoTabStop, dyno_tab_stop, DYNO, TAB_STOP, AdwBin)

G_END_DECLS
