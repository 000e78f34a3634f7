/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-chart.h"
#include "dyno-layer.h"

G_BEGIN_DECLS

/* What the file of each kind of chart says to fill one. */

GPtrArray *dyno_chart_get_runs (DynoChart *self);
void dyno_chart_take_title (DynoChart *self, char *title);
void dyno_chart_take_caption (DynoChart *self, char *caption);
void dyno_chart_take_finding (DynoChart *self, char *finding);
void dyno_chart_set_empty_message (DynoChart *self, const char *message);
void dyno_chart_take_axes (DynoChart *self, DynoAxis *x_axis, DynoAxis *y_axis);
void dyno_chart_take_lower_axis (DynoChart *self, DynoAxis *y_axis);
void dyno_chart_set_labels_lines (DynoChart *self, gboolean labels_lines);
void dyno_chart_add_series (DynoChart *self, DynoSeries *series);
void dyno_chart_take_layer (DynoChart *self, DynoLayer *layer);
void dyno_chart_take_lower_layer (DynoChart *self, DynoLayer *layer);
void dyno_chart_add_aspect (DynoChart *self, const char *name);
void dyno_chart_add_row (DynoChart *self, ...) G_GNUC_NULL_TERMINATED;
void dyno_chart_take_row (DynoChart *self, char **cells);

G_END_DECLS
