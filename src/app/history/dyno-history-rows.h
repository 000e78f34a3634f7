/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-history.h"

G_BEGIN_DECLS

/* Rows of what is special in a trend, for a list on the page of a history, whose actions they call. */

/* Lists the changes, the last one first. */
void
dyno_history_rows_fill_changes (GtkListBox *list, const DynoHistory *history, const DynoHistoryTrend *trend);
/* Lists the baselines among the runs of the trend, and those whose run is gone. */
void dyno_history_rows_fill_baselines (GtkListBox *list,
                                       const DynoHistory *history,
                                       const DynoHistoryTrend *trend);

G_END_DECLS
