/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-decoder.h"
#include "dyno-fusion.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* Idefics3, Laurençon et al. 2024, and SmolVLM, Marafioti et al. 2025: squares of tokens of a SigLIP become one token
 * each, which is projected to the width of a language model. */

typedef struct
{
  DynoClipVision vision;
  DynoDecoder decoder;
  gint64 picture_token;
  gint64 square; /* side of a square, in tokens */
  gint64 side;   /* squares per side of a picture */
  gint64 n_tokens;
} Idefics;

static void
add_vision (const Idefics *self, DynoGraph *graph)
{
  dyno_fusion_give (graph, DYNO_FUSION_STATES, dyno_clip_vision_add (&self->vision, graph));
}

static void
add_projector (const Idefics *self, DynoGraph *graph)
{
  gint64 width = self->vision.tower.width;
  const gint64 squares[] = { 0, self->side, self->square, self->side, self->square * width };
  const gint64 rows[] = { 0, self->n_tokens, self->square * self->square * width };
  const char *value =
      dyno_fusion_take (graph, DYNO_FUSION_STATES, dyno_clip_vision_count_tokens (&self->vision), width);

  dyno_graph_push_scope (graph, "connector");
  value = dyno_layers_reshape (graph, value, 5, squares);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2,4]", value, NULL);
  value = dyno_layers_reshape (graph, value, 3, rows);
  value = dyno_layers_linear (graph, "modality_projection.proj", value, self->decoder.width, FALSE);
  dyno_graph_pop_scope (graph);
  dyno_fusion_give (graph, DYNO_FUSION_FEATURES, value);
}

static void
idefics_clear (Idefics *self)
{
  dyno_decoder_clear (&self->decoder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Idefics, idefics_clear)

/* Members that files omit from the config of the vision tower. */
#define USUAL_VISION                                                                                         \
  "{\"hidden_size\": 1152, \"intermediate_size\": 3072, \"num_hidden_layers\": 12, "                         \
  "\"num_attention_heads\": 16, \"patch_size\": 32}"

static gboolean
read_idefics (Idefics *self, DynoConfig *config)
{
  DynoConfig *vision = dyno_config_get_child (config, "vision_config");
  DynoConfig *text = dyno_config_get_child (config, "text_config");
  gint64 per_side;

  dyno_config_set_defaults (vision, USUAL_VISION);
  self->vision = dyno_clip_vision_read (vision, TRUE);
  self->picture_token = dyno_config_get_int_or (config, "image_token_id", 128257);
  self->square = dyno_config_get_int_or (config, "scale_factor", 2);
  per_side = self->vision.image_side / self->vision.patch_side;
  self->side = per_side / self->square;
  self->n_tokens = self->side * self->side;
  dyno_clip_vision_check (&self->vision, vision);
  if (self->side < 1 || self->side * self->square != per_side)
    dyno_config_fail (
        config,
        _ ("%" PRId64 " tokens per side of a picture are not a multiple of its “scale_factor”, %" PRId64),
        per_side, self->square);
  dyno_decoder_set_usual (text);
  dyno_decoder_read (&self->decoder, text);
  self->decoder.is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", FALSE);
  dyno_fusion_check (config, "image_token_id", self->picture_token, &self->decoder);
  return dyno_config_check (config, NULL);
}

DYNO_FUSION_DEFINE_STAGES (Idefics, read_idefics)

static const DynoNamePair pairs[] = { { "vision_model.", "model.vision_model." },
                                      { "connector.", "model.connector." },
                                      { "language_model.model.", "model.text_model." },
                                      { "language_model.lm_head.", "lm_head." },
                                      { NULL } };
static const DynoNaming naming = { NULL, pairs };

const DynoArchitecture dyno_idefics_architectures[] = {
  { "idefics3", &dyno_multimodal_family, "image-text-to-text", NULL, &naming, stages,
    .modalities = modalities, .takes_images = TRUE },
  { "smolvlm", &dyno_multimodal_family, "image-text-to-text", NULL, &naming, stages, .modalities = modalities,
    .takes_images = TRUE },
  { NULL },
};
