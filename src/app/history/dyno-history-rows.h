/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-history.h"

G_BEGIN_DECLS

/* Rows for the changes and baselines of a trend. They call actions of the history page, which shows them. */

/* Lists the changes, the latest first. */
void
dyno_history_rows_fill_changes (GtkListBox *list, const DynoHistory *history, const DynoHistoryTrend *trend);
/* Lists the baselines among the runs of the trend, and the baselines without a run. */
void dyno_history_rows_fill_baselines (GtkListBox *list,
                                       const DynoHistory *history,
                                       const DynoHistoryTrend *trend);

G_END_DECLS
