/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-runner.h"

G_BEGIN_DECLS

#define DYNO_TYPE_LIVE_PAGE (dyno_live_page_get_type ())

/**
 * DynoLivePage:
 *
 * The current run: its progress, the grid of cases, the latency and memory of the current case (or of one
 * selected in the grid), and the results so far. Property `runner` (DynoRunner or NULL),
 * read-write.
 *
 * Its buttons activate `benchmark.pause`, `benchmark.skip` and `benchmark.stop` of an ancestor.
 */
G_DECLARE_FINAL_TYPE (DynoLivePage, dyno_live_page, DYNO, LIVE_PAGE, AdwBin)

/* @runner may be NULL. */
void dyno_live_page_set_runner (DynoLivePage *self, DynoRunner *runner);
/* @stopping: whether the user has asked to stop the run, which takes a moment. */
void dyno_live_page_set_stopping (DynoLivePage *self, gboolean stopping);

G_END_DECLS
