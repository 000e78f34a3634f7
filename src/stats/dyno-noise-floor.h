/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double dyno_stats_noise_floor (const double *values, gsize n, gsize size);

G_END_DECLS
