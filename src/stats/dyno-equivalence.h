/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-bootstrap.h"

G_BEGIN_DECLS

double dyno_stats_equivalence_p (const DynoBootstrap *ratio, double threshold_percent);
gsize dyno_stats_processes_needed (const DynoInterval *ratio, gsize n, double threshold_percent);

G_END_DECLS
