/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-decoder.h"
#include "dyno-fusion.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

/* PaliGemma, Beyer et al. 2024, and PaliGemma 2, Steiner et al. 2024: the tokens of a SigLIP are projected to the
 * width of a language model, in which those of a picture and of the text after it attend to each other in both
 * directions. Gemma 3 with pictures, Gemma Team 2025: they are averaged in squares, normalised and projected to the
 * width of a language model, in which those of a picture attend to each other in both directions. */

typedef struct
{
  DynoClipVision vision;
  DynoDecoder decoder;
  gint64 picture_token;
  gint64 n_tokens; /* per picture, in the text */
  gint64 side;     /* in tokens, of a picture in the text */
  gint64 square;   /* side of the averaged squares of vision tokens; 0 for PaliGemma, which has none */
} Gemma3;

static void
add_vision (const Gemma3 *self, DynoGraph *graph)
{
  const char *value;

  dyno_graph_push_scope (graph, "vision_tower");
  value = dyno_clip_vision_add (&self->vision, graph);
  dyno_graph_pop_scope (graph);
  dyno_fusion_give (graph, DYNO_FUSION_STATES, value);
}

static void
add_projector (const Gemma3 *self, DynoGraph *graph)
{
  gint64 width = self->vision.tower.width;
  const gint64 dims[] = { width, self->decoder.width };
  const gint64 squares[] = { 0, self->side, self->square, self->side, self->square, width };
  const gint64 rows[] = { 0, self->n_tokens, width };
  const char *value =
      dyno_fusion_take (graph, DYNO_FUSION_STATES, dyno_clip_vision_count_tokens (&self->vision), width);
  const char *weight;

  dyno_graph_push_scope (graph, "multi_modal_projector");
  if (self->square == 0)
    value = dyno_layers_linear (graph, "linear", value, self->decoder.width, TRUE);
  else
    {
      /* The mean of each square of tokens: [batch, tokens, width] */
      value = dyno_layers_reshape (graph, value, 6, squares);
      value = dyno_graph_add (graph, "ReduceMean", "axes=[2,4] keepdims=1", value, NULL);
      value = dyno_layers_reshape (graph, value, 3, rows);

      value = dyno_layers_rms_norm_zero (graph, "mm_soft_emb_norm", value, self->vision.tower.epsilon);
      weight =
          dyno_graph_add_weight (graph, "mm_input_projection_weight", 0, 1 / sqrt ((double)width), 2, dims);
      value = dyno_product_add (graph, value, weight, FALSE);
    }
  dyno_graph_pop_scope (graph);
  dyno_fusion_give (graph, DYNO_FUSION_FEATURES, value);
}

static void
fail_number (DynoConfig *config, gint64 number, const char *name)
{
  g_autofree char *text = g_strdup_printf ("%" PRId64, number);

  dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), text, name);
}

static void
gemma3_clear (Gemma3 *self)
{
  dyno_decoder_clear (&self->decoder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Gemma3, gemma3_clear)

static const DynoConfigFixed fixed_vision[] = {
  { "model_type", "\"siglip_vision_model\"" },
  { "vision_use_head", "false" },
};

/* Members that files omit from the config of PaliGemma's vision tower. */
#define USUAL_VISION                                                                                         \
  "{\"hidden_size\": 1152, \"intermediate_size\": 4096, \"num_hidden_layers\": 27, "                         \
  "\"num_attention_heads\": 16, \"patch_size\": 14}"

static const DynoConfigFixed fixed_text[] = { { "model_type", "\"gemma\"" } };

static gboolean
read_gemma3 (Gemma3 *self, DynoConfig *config)
{
  DynoConfig *vision = dyno_config_get_child (config, "vision_config");
  DynoConfig *text = dyno_config_get_child (config, "text_config");
  gboolean is_pali = g_str_equal (dyno_config_get_string_or (config, "model_type", ""), "paligemma");
  gint64 token = dyno_config_get_int_or (config, "image_token_index", is_pali ? 256000 : 262144);

  if (is_pali)
    dyno_config_set_defaults (vision, USUAL_VISION);
  self->vision = dyno_clip_vision_read (vision, TRUE);
  dyno_config_check_fixed (vision, fixed_vision, G_N_ELEMENTS (fixed_vision));
  self->picture_token = dyno_config_get_int_or (config, "image_token_id", token);
  dyno_clip_vision_check (&self->vision, vision);
  dyno_decoder_set_usual (text);
  dyno_decoder_read (&self->decoder, text);
  self->decoder.sees_whole_pictures = TRUE;
  dyno_fusion_check (config, "image_token_index", self->picture_token, &self->decoder);
  if (is_pali)
    {
      if (!g_str_equal (dyno_config_get_string_or (text, "model_type", ""), "gemma2"))
        dyno_config_check_fixed (text, fixed_text, G_N_ELEMENTS (fixed_text));
      self->n_tokens = dyno_clip_vision_count_tokens (&self->vision);
      self->decoder.sees_whole_prompts = TRUE;
      if (dyno_config_get_int_or (config, "projection_dim", self->decoder.width) != self->decoder.width)
        dyno_config_fail (config, _ ("its “%s” is not the width of its language model"), "projection_dim");
    }
  else
    {
      /* Pictures and their tokens are squares, and a window does not cut them. */
      gint64 per_side = self->vision.image_side / self->vision.patch_side;

      self->n_tokens = dyno_config_get_int_or (config, "mm_tokens_per_image", 256);
      self->side = (gint64)sqrt ((double)self->n_tokens);
      self->square = per_side / self->side;
      if (self->side * self->side != self->n_tokens || self->square < 1 ||
          self->square * self->side != per_side)
        fail_number (config, self->n_tokens, "mm_tokens_per_image");
      self->decoder.n_picture_tokens = self->n_tokens;
      if (self->decoder.window > 0 && self->decoder.window < self->n_tokens)
        fail_number (config, self->decoder.window, "sliding_window");
    }
  return dyno_config_check (config, NULL);
}

DYNO_FUSION_DEFINE_STAGES (Gemma3, read_gemma3)

/* Newer files omit the name of the tower's only part. */
static const DynoNamePair pairs[] = { { "vision_tower.vision_model.", "vision_tower." }, { NULL } };
static const DynoNaming naming = { NULL, pairs };

const DynoArchitecture dyno_gemma3_architectures[] = {
  { "gemma3", &dyno_multimodal_family, "image-text-to-text", NULL, &naming, stages, .modalities = modalities,
    .takes_images = TRUE },
  { "paligemma", &dyno_multimodal_family, "image-text-to-text", NULL, &naming, stages,
    .modalities = modalities, .takes_images = TRUE },
  { NULL },
};
