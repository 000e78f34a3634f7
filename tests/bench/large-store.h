/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Cases of each run in a large store. */
#define LARGE_STORE_CASES 8

/* The id of a run of so many cases. */
#define LARGE_STORE_LONG_RUN "long-%u"

void large_store_fill (const char *path, guint n_runs);
void large_store_fill_run (const char *path, guint n_cases);

G_END_DECLS
