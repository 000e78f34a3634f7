/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-decoder.h"

G_BEGIN_DECLS

/* The values between the stages: from the vision tower to the projection into the width of the language model, to the
 * fusion with the tokens of a text, to the language model. */
#define DYNO_FUSION_STATES   "image_states"
#define DYNO_FUSION_FEATURES "image_features"
#define DYNO_FUSION_EMBEDS   "inputs_embeds"

/* Marks the tokens of a picture, for a language model that uses whole pictures or their rows and columns:
 * [batch, sequence] */
#define DYNO_FUSION_PLACES "image_places"

/* Further features of a picture, for the first layers of a language model. */
#define DYNO_FUSION_ADDED "added_features"

/* Returns the input, [batch, tokens, width]. */
const char *dyno_fusion_take (DynoGraph *graph, const char *name, gint64 n_tokens, gint64 width);
/* @value: [batch, tokens, width]. */
void dyno_fusion_give (DynoGraph *graph, const char *name, const char *value);

/* Returns a text with its image, [batch, sequence, width]. */
const char *dyno_fusion_take_text (DynoGraph *graph, gint64 width);
/* Inserts the tokens of the image, and passes the result to the language model. @ids: the tokens of a text,
 * [batch, sequence]. @value: their embeddings, [batch, sequence, width]. @features: the tokens of the
 * image, [batch, tokens, width]. */
void dyno_fusion_insert (
    DynoGraph *graph, const char *ids, const char *value, gint64 picture_token, const char *features);

/* @config: the config of the whole model, which fails if its parts do not fit together. @name: the member
 * with the token, such as `image_token_index`. */
void dyno_fusion_check_token (DynoConfig *config, const char *name, gint64 token, gint64 vocabulary);
/* @config: the config of the whole model, which fails if its parts do not fit together. @name: the member
 * with the token, such as `image_token_index`. */
void dyno_fusion_check (DynoConfig *config, const char *name, gint64 token, const DynoDecoder *decoder);
/* Embeds the tokens of a text and inserts those of its image: the stage before the language model. @graph:
 * an empty graph. @n_features: tokens of an image; 0 for a text without one. */
void dyno_fusion_add (const DynoDecoder *decoder, DynoGraph *graph, gint64 picture_token, gint64 n_features);
/* Adds the language model after the fusion, with its cache. @graph: an empty graph. */
void dyno_fusion_add_decoder (const DynoDecoder *decoder, DynoGraph *graph);
/**
 * DYNO_FUSION_DEFINE_STAGES:
 * @Model: a type with the members `decoder`, `picture_token` and `n_tokens`, of a picture, for `g_auto`
 * @read: reads it from a config, and returns whether that is valid
 *
 * Defines the `stages` and the `modalities` of a model that sees: add_vision() and add_projector() of its own, the fusion
 * with a text, and the language model.
 */
#define DYNO_FUSION_DEFINE_STAGES(Model, read)                                                               \
  static void build_part (DynoGraph *graph, DynoConfig *config,                                              \
                          void (*add) (const Model *self, DynoGraph *graph))                                 \
  {                                                                                                          \
    g_auto (Model) self = { 0 };                                                                             \
                                                                                                             \
    if (read (&self, config))                                                                                \
      add (&self, graph);                                                                                    \
  }                                                                                                          \
  static void add_fusion (const Model *self, DynoGraph *graph)                                               \
  {                                                                                                          \
    dyno_fusion_add (&self->decoder, graph, self->picture_token, self->n_tokens);                            \
  }                                                                                                          \
  static void add_decoder (const Model *self, DynoGraph *graph)                                              \
  {                                                                                                          \
    dyno_fusion_add_decoder (&self->decoder, graph);                                                         \
  }                                                                                                          \
  static void build_vision (DynoGraph *graph, DynoConfig *config)                                            \
  {                                                                                                          \
    build_part (graph, config, add_vision);                                                                  \
  }                                                                                                          \
  static void build_projector (DynoGraph *graph, DynoConfig *config)                                         \
  {                                                                                                          \
    build_part (graph, config, add_projector);                                                               \
  }                                                                                                          \
  static void build_fusion (DynoGraph *graph, DynoConfig *config)                                            \
  {                                                                                                          \
    build_part (graph, config, add_fusion);                                                                  \
  }                                                                                                          \
  static void build_decoder (DynoGraph *graph, DynoConfig *config)                                           \
  {                                                                                                          \
    build_part (graph, config, add_decoder);                                                                 \
  }                                                                                                          \
  static void add_text (const Model *self, DynoGraph *graph)                                                 \
  {                                                                                                          \
    dyno_fusion_add (&self->decoder, graph, self->picture_token, 0);                                         \
  }                                                                                                          \
  static void build_text (DynoGraph *graph, DynoConfig *config)                                              \
  {                                                                                                          \
    build_part (graph, config, add_text);                                                                    \
  }                                                                                                          \
  static const DynoStage stages[] = { { "vision", build_vision, TRUE },                                      \
                                      { "projector", build_projector, TRUE },                                \
                                      { "fusion", build_fusion },                                            \
                                      { "decoder", build_decoder },                                          \
                                      { NULL } };                                                            \
  static const DynoStage text_stages[] = { { "fusion", build_text },                                         \
                                           { "decoder", build_decoder },                                     \
                                           { NULL } };                                                       \
  static const DynoStage image_stages[] = { { "vision", build_vision, TRUE },                                \
                                            { "projector", build_projector, TRUE },                          \
                                            { NULL } };                                                      \
  static const DynoModality modalities[] = { { "image", image_stages }, { "text", text_stages }, { NULL } };

/* Returns the name of the features of a picture that are added after it. The caller owns it. */
char *dyno_fusion_name_added (gint64 layer);
/* Returns the value that is added after it, [batch, sequence, width]. */
const char *dyno_fusion_take_added (DynoGraph *graph, guint layer, gint64 width);
/* A picture takes as many positions of a text as it has tokens per side. Its tokens have the position of
 * its beginning as their time, and rows and columns from there on. Returns time, row and column, [batch,
 * sequence, 3]. @positions: of each token in its text, [batch, sequence]. */
const char *dyno_fusion_add_positions (const DynoDecoder *decoder, DynoGraph *graph, const char *positions);

G_END_DECLS
