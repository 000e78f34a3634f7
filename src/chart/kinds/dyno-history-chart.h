/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"
#include "dyno-history.h"

G_BEGIN_DECLS

/* Returns a chart of its points in order of time with a panel for each case, the levels, and the changes. */
DynoChart *dyno_history_chart_new (DynoHistory *history);

G_END_DECLS
