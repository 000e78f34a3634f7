/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Cases of each run in a large store. */
#define LARGE_STORE_CASES 8

/* The id of a run of so many cases. */
#define LARGE_STORE_LONG_RUN "long-%u"

/* How many runs a large store has: 10 000, unless `DYNO_BENCH_RUNS` says otherwise. */
guint large_store_count_runs (void);
void large_store_fill (const char *path, guint n_runs);
void large_store_fill_run (const char *path, guint n_cases);

G_END_DECLS
