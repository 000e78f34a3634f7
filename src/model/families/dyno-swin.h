/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/* Swin in other models, and with other names. */

gint64 dyno_swin_count_tokens (DynoConfig *config);
const char *dyno_swin_add_encoder (DynoGraph *graph, DynoConfig *config);
void dyno_swin_build_joined (DynoGraph *graph, DynoConfig *config);

G_END_DECLS
