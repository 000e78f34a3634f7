/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

gint64 dyno_vit_count_tokens (DynoConfig *config);
void dyno_vit_build_joined (DynoGraph *graph, DynoConfig *config);
const char *dyno_vit_add_encoder (DynoGraph *graph, DynoConfig *config);

G_END_DECLS
