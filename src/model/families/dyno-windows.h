/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/* Attention within windows of a square picture. */

/* Pads windows at the edge with zeros. Returns [batch × windows, positions of a window, width].
 * @value: [batch, positions, width]. */
const char *dyno_windows_cut (DynoGraph *graph, const char *value, gint64 side, gint64 window);
/* Returns [batch, positions, width], without the padding of the windows. @value: [batch × windows,
 * positions of a window, width]. */
const char *dyno_windows_join (DynoGraph *graph, const char *value, gint64 side, gint64 window);

G_END_DECLS
