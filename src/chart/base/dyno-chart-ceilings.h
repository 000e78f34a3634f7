/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"
#include "dyno-store.h"

G_BEGIN_DECLS

/* Gives a chart the stored ceilings of its runs' machines; charts without roofs need none. */

/* Returns whether the store could be read. */
gboolean dyno_chart_load_ceilings (DynoChart *chart, DynoStore *store, GError **error);
/* Reads on a thread; the chart is built again in dyno_chart_load_ceilings_finish(). @cancellable may be
 * NULL. */
void dyno_chart_load_ceilings_async (DynoChart *chart,
                                     DynoStore *store,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
gboolean dyno_chart_load_ceilings_finish (DynoChart *chart, GAsyncResult *result, GError **error);

G_END_DECLS
