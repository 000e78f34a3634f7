/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

gboolean dyno_chart_nodes_share_submission (GPtrArray *runs);
char *dyno_chart_nodes_dup_name (DynoRun *run);

G_END_DECLS
