/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-private.h"
#include "dyno-roofs.h"

G_BEGIN_DECLS

/**
 * DynoRooflineScene:
 *
 * What the two roofline charts share: points of which each has roofs, the axes that hold them all, and the roofs that
 * matter to them.
 */
typedef struct _DynoRoofline DynoRooflineScene;

DynoRooflineScene *dyno_roofline_scene_new (gboolean with_all);
void dyno_roofline_scene_free (DynoRooflineScene *self);
void dyno_roofline_scene_add_point (
    DynoRooflineScene *self, const DynoRoofs *roofs, double intensity, double rate, gboolean minor);
void dyno_roofline_scene_add_case (DynoRooflineScene *self, const DynoChartCase *kase);
double dyno_roofline_scene_get_factor (DynoRooflineScene *self);
void dyno_roofline_scene_fill (DynoRooflineScene *self, DynoChart *chart);
char *dyno_roofline_scene_dup_note (DynoRooflineScene *self);

char *dyno_roofline_scene_describe_lines (DynoRooflineScene *self);
char *dyno_roofline_scene_describe_disturbance (DynoRooflineScene *self);
char *dyno_roofline_scene_describe_above (guint n_above);
char *dyno_roofline_scene_describe_verdict (const DynoRoofsVerdict *verdict);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRooflineScene, dyno_roofline_scene_free)

G_END_DECLS
