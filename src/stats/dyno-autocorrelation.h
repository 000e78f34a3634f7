/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

double dyno_stats_effective_size (const double *values, gsize n);
gsize dyno_stats_block_length (const double *values, gsize n);

G_END_DECLS
