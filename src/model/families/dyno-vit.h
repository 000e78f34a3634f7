/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"
#include "dyno-tower.h"

G_BEGIN_DECLS

/* Returns the layers, without the width of the feed-forward layers and the names. */
DynoTower dyno_vit_read_tower (DynoConfig *config, double epsilon);
/* Returns the number of its tokens. */
gint64 dyno_vit_count_tokens (DynoConfig *config);
/* Adds it with its input of pictures, in the current scope. Returns patches per side of a picture, 0 if the
 * config is invalid. @config: the config of a DINOv2 that is a part of another model. @layers: the number
 * of layers before each of the states, rising; the last is all layers. @states: the states of all tokens,
 * normalised, [batch, tokens, width]. */
gint64 dyno_vit_add_backbone (
    DynoGraph *graph, DynoConfig *config, guint n_states, const gint64 *layers, const char **states);
/* Adds a ViT whose queries, keys and values are one weight, and that has no layer after the class token
 * but a classifier. @graph: an empty graph. @is_scaled: whether the results of attention and of the
 * feed-forward layers have learned scales. */
void dyno_vit_build_joined (DynoGraph *graph, DynoConfig *config, gboolean is_scaled);
/* Adds it with its input of pictures, as `encoder`. Returns the states of all tokens, [batch, tokens,
 * width]; NULL if the config is invalid. @config: the config of a ViT or DeiT that is a part of another
 * model. */
const char *dyno_vit_add_encoder (DynoGraph *graph, DynoConfig *config);

G_END_DECLS
