/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_HISTORY_PAGE (dyno_history_page_get_type ())

/**
 * DynoHistoryPage:
 *
 * The history of one value of one case over all runs of a machine: a chart with the changes, the changes in
 * words, the baselines and the runs. It follows the store while it is visible.
 *
 * Actions: `history.open-run`, `history.name-baseline` (the id of a run), `history.compare` (ids of runs, the
 * one to compare with first), `history.remove-baseline` (its name), `history.refresh`. Signal `run-activated
 * (char *id)`: the user asks for a run.
 */
G_DECLARE_FINAL_TYPE (DynoHistoryPage, dyno_history_page, DYNO, HISTORY_PAGE, AdwBin)

/* @store may be NULL. */
void dyno_history_page_set_store (DynoHistoryPage *self, DynoStore *store, gboolean failed);
/* Shows the history of a case. @machine (nullable): the snapshot of its machine, JSON. */
void dyno_history_page_show_case (DynoHistoryPage *self, const char *machine, DynoResult *result);
/* Reads the store again, now or when the page is next shown. */
void dyno_history_page_refresh (DynoHistoryPage *self);

G_END_DECLS
