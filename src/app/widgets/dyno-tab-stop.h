/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_TAB_STOP (dyno_tab_stop_get_type ())

/**
 * DynoTabStop:
 *
 * Makes a list one stop for the Tab key: Tab enters it at the row that had the focus last and leaves it again; the arrow
 * keys go from row to row.
 */
G_DECLARE_FINAL_TYPE (DynoTabStop, dyno_tab_stop, DYNO, TAB_STOP, AdwBin)

G_END_DECLS
