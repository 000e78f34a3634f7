/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"
#include "dyno-tower.h"

G_BEGIN_DECLS

DynoTower dyno_vit_read_tower (DynoConfig *config, double epsilon);
gint64 dyno_vit_count_tokens (DynoConfig *config);
gint64 dyno_vit_add_backbone (
    DynoGraph *graph, DynoConfig *config, guint n_states, const gint64 *layers, const char **states);
void dyno_vit_build_joined (DynoGraph *graph, DynoConfig *config, gboolean is_scaled);
const char *dyno_vit_add_encoder (DynoGraph *graph, DynoConfig *config);

G_END_DECLS
