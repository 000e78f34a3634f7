/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define DYNO_TYPE_MISSING_VIEW (dyno_missing_view_get_type ())

/**
 * DynoMissingView:
 *
 * A folded row that says which values of some cases were not measured, grouped by reason. Hidden when there are none.
 */
G_DECLARE_FINAL_TYPE (DynoMissingView, dyno_missing_view, DYNO, MISSING_VIEW, AdwBin)

void dyno_missing_view_set_results (DynoMissingView *self, GListModel *results);

G_END_DECLS
