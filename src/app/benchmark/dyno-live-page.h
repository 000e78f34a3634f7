/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-runner.h"

G_BEGIN_DECLS

#define DYNO_TYPE_LIVE_PAGE (dyno_live_page_get_type ())

/**
 * DynoLivePage:
 *
 * A run while it is made: how far it is, the grid of cases filling up, the latency and the memory of the
 * current case (or of one chosen in the grid), and the results so far. Property `runner`
 * ([class@Dyno.Runner] or %NULL), read-write.
 *
 * Its buttons activate `benchmark.pause`, `benchmark.skip` and `benchmark.stop` of a widget around it.
 */
G_DECLARE_FINAL_TYPE (DynoLivePage, dyno_live_page, DYNO, LIVE_PAGE, AdwBin)

/* @runner may be NULL. */
void dyno_live_page_set_runner (DynoLivePage *self, DynoRunner *runner);
/* @stopping: whether the user has stopped the run, which takes a moment. */
void dyno_live_page_set_stopping (DynoLivePage *self, gboolean stopping);

G_END_DECLS
