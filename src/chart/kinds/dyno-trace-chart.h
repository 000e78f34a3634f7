/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"

G_BEGIN_DECLS

/* A chart of one bare trace, for the live page; dyno_chart_refresh() after it grew. */
DynoChart *dyno_chart_new_for_trace (DynoTrace *trace, const char *title);

G_END_DECLS
