/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/* RoBERTa as a part of other models. */

/* Adds the encoder as a part of another model, with inputs for a text. Returns the pooled first token,
 * [batch, width]; NULL if the config or its parent has failed. @config: a config of RoBERTa, which fails
 * if it is invalid. */
const char *dyno_encoder_add_roberta (DynoGraph *graph, DynoConfig *config, const char *scope);

G_END_DECLS
