/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/* CLIP's text encoder as a part of other models. */

gint64 dyno_clip_get_n_tokens (DynoConfig *config);
gint64 dyno_clip_get_text_width (DynoConfig *config);
gint64 dyno_clip_get_projected_width (DynoConfig *config);
const char *dyno_clip_add_text (DynoGraph *graph, DynoConfig *config, const char *ids);
const char *dyno_clip_add_text_pooled (DynoGraph *graph, DynoConfig *config, const char *ids);
const char *
dyno_clip_add_text_inside (DynoGraph *graph, DynoConfig *config, const char *ids, const char **projected);

G_END_DECLS
