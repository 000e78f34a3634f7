/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-private.h"
#include "dyno-roofs.h"

G_BEGIN_DECLS

/**
 * DynoRoofline:
 *
 * What the two roofline charts share: points of which each has roofs, the axes that hold them all, and the roofs that
 * matter to them.
 */
typedef struct _DynoRoofline DynoRoofline;

DynoRoofline *dyno_roofline_new (gboolean with_all);
void dyno_roofline_free (DynoRoofline *self);
void dyno_roofline_add_point (DynoRoofline *self, const DynoRoofs *roofs, double intensity, double rate);
void dyno_roofline_add_case (DynoRoofline *self, const DynoChartCase *kase);
double dyno_roofline_get_factor (DynoRoofline *self);
void dyno_roofline_fill (DynoRoofline *self, DynoChart *chart);
gboolean dyno_roofline_has_roofs (DynoRoofline *self);
char *dyno_roofline_dup_note (DynoRoofline *self);

char *dyno_roofline_describe_verdict (const DynoRoofsVerdict *verdict);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRoofline, dyno_roofline_free)

G_END_DECLS
