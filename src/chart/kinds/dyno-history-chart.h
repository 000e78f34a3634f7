/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"
#include "dyno-history.h"

G_BEGIN_DECLS

/* One value of each case over the runs, with the levels between its changes. */
DynoChart *dyno_history_chart_new (DynoHistory *history);

G_END_DECLS
