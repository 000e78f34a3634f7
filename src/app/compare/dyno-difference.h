/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"

G_BEGIN_DECLS

#define DYNO_TYPE_DIFFERENCE (dyno_difference_get_type ())

/**
 * DynoDifference:
 *
 * A case of a comparison, as an item of a list.
 */
G_DECLARE_FINAL_TYPE (DynoDifference, dyno_difference, DYNO, DIFFERENCE, GObject)

/* Returns a list of DynoDifference, one per case. */
GListModel *dyno_difference_list (DynoComparison *comparison);

/* Returns its comparison. */
DynoComparison *dyno_difference_get_comparison (DynoDifference *self);
const DynoComparedCase *dyno_difference_get_case (DynoDifference *self);

G_END_DECLS
