/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/* RoBERTa as a part of other models. */

const char *dyno_encoder_add_roberta (DynoGraph *graph, DynoConfig *config, const char *scope);

G_END_DECLS
