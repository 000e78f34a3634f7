/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store.h"

G_BEGIN_DECLS

/* Synthetic runs for tests of the views of runs. Two sizes of two models; the medians are 1, 2, 4 and 8 ms times
 * @scale, with an interval of ±1 %. The last case has failed. */

DynoRun *run_fixture_make (const char *title, gint64 started_at, double scale);
void run_fixture_keep (DynoStore *store, DynoRun *run);
DynoRun *run_fixture_add (DynoStore *store, const char *title, gint64 started_at, double scale);

G_END_DECLS
