/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ceiling-run.h"

G_BEGIN_DECLS

/* About how long measuring takes when nobody asks for more or less. */
#define DYNO_CEILINGS_SECONDS 15.0

void dyno_ceilings_measure_async (guint n_threads,
                                  double seconds,
                                  DynoCeilingsProgress progress,
                                  gpointer progress_data,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);
void dyno_ceilings_measure_pinned_async (const char *pinning,
                                         guint n_threads,
                                         double seconds,
                                         DynoCeilingsProgress progress,
                                         gpointer progress_data,
                                         GCancellable *cancellable,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);
GPtrArray *dyno_ceilings_measure_finish (GAsyncResult *result, GError **error);
GPtrArray *dyno_ceilings_select (GPtrArray *ceilings, const char *device, const char *pinning);
DynoCeiling *dyno_ceilings_find (GPtrArray *ceilings, const char *id, guint n_threads);
gboolean dyno_ceilings_have_threads (GPtrArray *ceilings, guint n_threads);
GArray *dyno_ceilings_choose_threads (const char *pinning, guint n_threads, GError **error);

G_END_DECLS
