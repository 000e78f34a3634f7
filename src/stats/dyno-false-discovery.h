/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

void dyno_stats_control_false_discovery (const double *p, gsize n, double *adjusted);

G_END_DECLS
