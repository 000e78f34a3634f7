/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/* CLIP's text encoder as a part of other models. */

gint64 dyno_clip_get_n_tokens (DynoConfig *config);
gint64 dyno_clip_get_text_width (DynoConfig *config);
/* Returns the width into which it projects the last token of a text, 0 if it does not. @config: a config
 * of a `clip_text_model`. */
gint64 dyno_clip_get_projected_width (DynoConfig *config);
/* Returns the outputs of all tokens, [batch, sequence, width]; NULL if the config or its parent has
 * failed. @config: a config of a `clip_text_model`, which fails if it is invalid. @ids: texts as tokens,
 * without padding, [batch, sequence]. */
const char *dyno_clip_add_text (DynoGraph *graph, DynoConfig *config, const char *ids);
/* Returns the outputs of the last tokens, [batch, width]; NULL if the config or its parent has failed.
 * @config: a config of a `clip_text_model`, which fails if it is invalid. @ids: texts as tokens, without
 * padding, [batch, sequence]. */
const char *dyno_clip_add_text_pooled (DynoGraph *graph, DynoConfig *config, const char *ids);
/* Returns the outputs of the layer before the last, [batch, sequence, width]; NULL if the config or its
 * parent has failed. @config: a config of a `clip_text_model`, which fails if it is invalid. @ids: texts
 * as tokens, without padding, [batch, sequence]. @projected: the projection of the last token, [batch,
 * width]; NULL for a model without one. */
const char *
dyno_clip_add_text_inside (DynoGraph *graph, DynoConfig *config, const char *ids, const char **projected);

G_END_DECLS
