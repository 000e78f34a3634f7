/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-history.h"

G_BEGIN_DECLS

#define DYNO_TYPE_HISTORY_RUNS (dyno_history_runs_get_type ())

/**
 * DynoHistoryRuns:
 *
 * The runs of a trend, newest first, some of which can be chosen for a comparison. It uses the actions of the
 * page around it: `history.open-run`, `history.compare`, `history.name-baseline` and
 * `history.remove-baseline`.
 */
G_DECLARE_FINAL_TYPE (DynoHistoryRuns, dyno_history_runs, DYNO, HISTORY_RUNS, AdwBin)

/* Shows the runs of a trend. Chosen runs stay chosen if they are part of it. */
void dyno_history_runs_set_trend (DynoHistoryRuns *self, DynoHistory *history, const DynoHistoryTrend *trend);

G_END_DECLS
