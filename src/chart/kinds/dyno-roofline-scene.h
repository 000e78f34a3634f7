/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart-private.h"
#include "dyno-roofs.h"

G_BEGIN_DECLS

/**
 * DynoRooflineScene:
 *
 * The common part of the roofline charts: points with their roofs, axes for all of them, and the relevant
 * roofs.
 */
typedef struct _DynoRoofline DynoRooflineScene;

/* Returns a roofline without points. @with_all: whether to show all roofs, not only those relevant to the
 * points. */
DynoRooflineScene *dyno_roofline_scene_new (gboolean with_all);
void dyno_roofline_scene_free (DynoRooflineScene *self);
/* Makes room for the point, and for the memories that could have served it. @intensity: in FLOP/byte. */
void dyno_roofline_scene_add_point (
    DynoRooflineScene *self, const DynoRoofs *roofs, double intensity, double rate, gboolean minor);
/* Adds the roofs of the case. @kase: a case that has points in it. */
void dyno_roofline_scene_add_case (DynoRooflineScene *self, const DynoChartCase *kase);
/* Returns the factor that converts FLOP/s to the unit of the y axis. */
double dyno_roofline_scene_get_factor (DynoRooflineScene *self);
/* Gives the chart its axes, its roofs, and the choice between a few and all of them. */
void dyno_roofline_scene_fill (DynoRooflineScene *self, DynoChart *chart);
/* Returns which roofs are missing, and how to measure them or why that is impossible; NULL if none is
 * missing. */
char *dyno_roofline_scene_dup_note (DynoRooflineScene *self);

/* Returns how to read the picture, for a caption; empty if there are no roofs. The caller owns it. */
char *dyno_roofline_scene_describe_lines (DynoRooflineScene *self);
/* Returns which of its roofs varied while they were measured, as a line for a caption; empty for none. The
 * caller owns it. */
char *dyno_roofline_scene_describe_disturbance (DynoRooflineScene *self);
/* Returns the warning about points above their roofs; empty for none. The caller owns it. @n_above: the
 * number of points above their roofs. */
char *dyno_roofline_scene_describe_above (guint n_above);
/* Returns the verdict in words, such as `61 % of the fp32 AVX2 roof`. The caller owns it. */
char *dyno_roofline_scene_describe_verdict (const DynoRoofsVerdict *verdict);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRooflineScene, dyno_roofline_scene_free)

G_END_DECLS
