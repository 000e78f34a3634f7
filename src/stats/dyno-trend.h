/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double dyno_stats_trend_probability (const double *values, gsize n);

G_END_DECLS
