/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

GArray *dyno_stats_divide (const double *values, gsize n, double significance, guint64 seed);

G_END_DECLS
