/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-decoder.h"

G_BEGIN_DECLS

/* The values between the stages: from the vision tower to the projection into the width of the language model, to the
 * fusion with the tokens of a text, to the language model. */
#define DYNO_FUSION_STATES   "image_states"
#define DYNO_FUSION_FEATURES "image_features"
#define DYNO_FUSION_EMBEDS   "inputs_embeds"

/* Which tokens are those of a picture, for a language model that sees whole pictures or their rows and columns: [batch,
 * sequence] */
#define DYNO_FUSION_PLACES "image_places"

/* Further features of a picture, for the first layers of a language model. */
#define DYNO_FUSION_ADDED "added_features"

const char *dyno_fusion_take (DynoGraph *graph, const char *name, gint64 n_tokens, gint64 width);
void dyno_fusion_give (DynoGraph *graph, const char *name, const char *value);

const char *dyno_fusion_take_text (DynoGraph *graph, gint64 width);
void dyno_fusion_insert (
    DynoGraph *graph, const char *ids, const char *value, gint64 picture_token, const char *features);

void dyno_fusion_check_token (DynoConfig *config, gint64 picture_token, gint64 vocabulary);
void dyno_fusion_check (DynoConfig *config, gint64 picture_token, const DynoDecoder *decoder);
void dyno_fusion_add (const DynoDecoder *decoder, DynoGraph *graph, gint64 picture_token, gint64 n_features);
void dyno_fusion_add_decoder (const DynoDecoder *decoder, DynoGraph *graph);
char *dyno_fusion_name_added (gint64 layer);
const char *dyno_fusion_take_added (DynoGraph *graph, guint layer, gint64 width);
const char *dyno_fusion_add_positions (const DynoDecoder *decoder, DynoGraph *graph, const char *positions);

G_END_DECLS
