/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-graph.h"

G_BEGIN_DECLS

/* Attention within windows of a square picture. */

const char *dyno_windows_cut (DynoGraph *graph, const char *value, gint64 side, gint64 window);
const char *dyno_windows_join (DynoGraph *graph, const char *value, gint64 side, gint64 window);

G_END_DECLS
