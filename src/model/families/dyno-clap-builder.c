/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

/* CLAP, Wu et al. 2022: a text and a sound in one space. A Swin reads the spectrogram, folded into a square. */

#define EPSILON 1e-5

/* Ten seconds of audio, as the published feature extractors cut it. */
#define N_FRAMES 1001
#define FRAMES   "frames=" G_STRINGIFY (N_FRAMES)

#define RATE 48000

#define SCOPE "audio_model.audio_encoder"

typedef struct
{
  DynoSwin swin;
  gint64 n_mels;
  gint64 width; /* of the common space */
  double scale;
  const char *activation; /* of both projections: those that the parts name are not read */
} Clap;

static void
clap_clear (Clap *self)
{
  g_clear_pointer (&self->swin.depths, g_array_unref);
  g_clear_pointer (&self->swin.heads, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Clap, clap_clear)

static const DynoConfigFixed fixed[] = {
  { "enable_fusion", "false" },
  { "flatten_patch_embeds", "true" },
  { "enable_patch_layer_norm", "true" },
  { "patch_embed_input_channels", "1" },
};

static void
read_clap (Clap *self, DynoConfig *config)
{
  DynoConfig *audio = dyno_config_get_child (config, "audio_config");
  gint64 side = dyno_config_get_int_or (audio, "spec_size", 256);

  dyno_config_set_defaults (
      audio, "{\"depths\": [2, 2, 6, 2], \"num_attention_heads\": [4, 8, 16, 32], \"patch_stride\": [4, 4]}");
  *self = (Clap){
    .swin = { .depths = dyno_config_get_ints (audio, "depths"),
              .heads = dyno_config_get_ints (audio, "num_attention_heads"),
              .width = dyno_config_get_int_or (audio, "patch_embeds_hidden_size", 96),
              .image_sides = { side, side },
              .patch_side = dyno_config_get_int_or (audio, "patch_size", 4),
              .window = dyno_config_get_int_or (audio, "window_size", 8),
              .has_input_bias = dyno_config_get_boolean_or (audio, "qkv_bias", TRUE),
              .layers = SCOPE ".layers",
              .inner_share = dyno_config_get_double_or (audio, "mlp_ratio", 4),
              .epsilon = dyno_config_get_double_or (audio, "layer_norm_eps", EPSILON),
              .activation = dyno_config_get_string_or (audio, "hidden_act", "gelu") },
    .n_mels = dyno_config_get_int_or (audio, "num_mel_bins", 64),
    .width = dyno_config_get_int_or (config, "projection_dim", 512),
    .scale = dyno_config_get_double_or (config, "logit_scale_init_value", 1 / 0.07),
    .activation = dyno_config_get_string_or (config, "projection_hidden_act", "relu"),
  };
  dyno_config_check_activation (config, "projection_hidden_act", self->activation);

  g_autoptr (GArray) strides =
      dyno_config_get_ints_for_each (audio, "patch_stride", 2, self->swin.patch_side);
  gint64 width = self->swin.width;
  dyno_config_check_fixed (audio, fixed, G_N_ELEMENTS (fixed));
  dyno_swin_check (&self->swin, audio);
  for (guint i = 0; i < strides->len; i++)
    if (g_array_index (strides, gint64, i) != self->swin.patch_side)
      dyno_config_fail (audio, _ ("its “%s” are not its “%s”, and Dyno can build nothing else"),
                        "patch_stride", "patch_size");
  for (guint i = 1; i < self->swin.depths->len && width < G_MAXINT32; i++)
    width *= 2;
  if (dyno_config_get_int_or (audio, "hidden_size", 768) != width)
    dyno_config_fail (audio, _ ("its “%s” and “%s” do not go together"), "hidden_size",
                      "patch_embeds_hidden_size");
  if (side % self->n_mels != 0 || side % (side / self->n_mels) != 0)
    dyno_config_fail (audio, _ ("its “%s” and “%s” do not go together"), "spec_size", "num_mel_bins");
}

static const char *
project (const Clap *self, DynoGraph *graph, const char *scope, const char *value)
{
  dyno_graph_push_scope (graph, "%s", scope);
  value = dyno_layers_linear (graph, "linear1", value, self->width, TRUE);
  value = dyno_layers_activation (graph, self->activation, value);
  value = dyno_layers_linear (graph, "linear2", value, self->width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

static char *
dup_dimensions (const Clap *self)
{
  return g_strdup_printf ("batch, %" PRId64, self->width);
}

static void
build_text (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *part = dyno_config_get_child (config, "text_config");
  g_auto (Clap) self = { 0 };
  g_autofree char *dimensions = NULL;
  const char *value;

  read_clap (&self, config);
  dimensions = dup_dimensions (&self);
  value = dyno_encoder_add_roberta (graph, part, "text_model");
  if (value != NULL)
    dyno_graph_add_output (graph, "text_features", project (&self, graph, "text_projection", value),
                           dimensions);
}

/* Decibels, of extractors that cut sound and do not fuse parts of it. */
static void
build_features (DynoGraph *graph, DynoConfig *config)
{
  DynoLogMel mel = { .rate = RATE,
                     .n_fft = 1024,
                     .hop = 480,
                     .n_frames = N_FRAMES,
                     .lowest = 50,
                     .highest = 14000,
                     .floor = 1e-10,
                     .keeps_last = TRUE };
  g_autofree char *dimensions = NULL;
  g_auto (Clap) self = { 0 };
  const gint64 channel = 1;
  const char *value;

  read_clap (&self, config);
  mel.n_mels = self.n_mels;
  dyno_log_mel_read (&mel, config);
  if (!dyno_config_check (config, NULL))
    return;
  dimensions = g_strdup_printf ("batch, 1, %" PRId64 ", %" PRId64, mel.n_frames, mel.n_mels);
  value = dyno_time_convolution_swap (graph, dyno_log_mel_add (&mel, graph));
  value = dyno_log_mel_scale (graph, value, 0, 10 / G_LN10);
  value = dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 1, &channel), NULL);
  dyno_graph_add_output (graph, "input_features",
                         dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph)), dimensions);
}

static void
build_audio (DynoGraph *graph, DynoConfig *config)
{
  g_auto (Clap) self = { 0 };
  g_autofree char *dimensions = NULL;
  g_autofree char *taken = NULL;
  const gint64 flat[] = { 0, -1 };
  const char *items, *value;

  read_clap (&self, config);
  if (!dyno_config_check (config, NULL))
    return;
  dimensions = dup_dimensions (&self);
  taken = g_strdup_printf ("batch, 1, " FRAMES ", %" PRId64, self.n_mels);
  items = dyno_graph_add_input (graph, "input_features", dyno_graph_get_real_type (graph), taken);
  dyno_graph_push_scope (graph, SCOPE);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,3,2,1]", items, NULL);
  value = dyno_convolution_normalize (graph, "batch_norm", value, 1, EPSILON);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,3,2,1]", value, NULL);

  /* The spectrogram is stretched in time, and cut into as many parts as form a square when stacked. */
  gint64 side = self.swin.image_sides[0], n_parts = side / self.n_mels;
  const gint64 sizes[] = { 1, side * n_parts, self.n_mels };
  const gint64 parts[] = { 0, n_parts, side, self.n_mels }, square[] = { 0, 1, side, side };
  const char *shape = dyno_graph_add (graph, "Shape", "start=0 end=1", value, NULL);
  shape = dyno_graph_add (graph, "Concat", "axis=0", shape, dyno_graph_add_ints (graph, 3, sizes), NULL);
  value = dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
  value = dyno_graph_add (graph, "Resize",
                          "mode=cubic coordinate_transformation_mode=align_corners cubic_coeff_a=-0.75",
                          value, "", "", shape, NULL);
  value = dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph));
  value = dyno_layers_reshape (graph, value, 4, parts);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2]", value, NULL);
  value = dyno_layers_reshape (graph, value, 4, square);

  const DynoConvolution patches = { self.swin.width,  self.swin.patch_side, self.swin.patch_side, 1, 1,
                                    .has_bias = TRUE, .is_cropped = TRUE };

  value = dyno_layers_to_tokens (graph, dyno_convolution_add (&patches, graph, "patch_embed.proj", value));
  value = dyno_layers_layer_norm (graph, "patch_embed.norm", value, EPSILON);
  dyno_graph_pop_scope (graph);
  value = dyno_swin_add (&self.swin, graph, items, value);
  dyno_graph_push_scope (graph, SCOPE);
  value = dyno_layers_layer_norm (graph, "norm", value, EPSILON);
  value = dyno_graph_add (graph, "ReduceMean", "axes=[1] keepdims=1", value, NULL);
  value = dyno_layers_reshape (graph, value, 2, flat);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "audio_features", project (&self, graph, "audio_projection", value),
                         dimensions);
}

static void
add_logits (
    const Clap *self, DynoGraph *graph, const char *name, const char *scale, const char *a, const char *b)
{
  const char *factor = dyno_graph_add_weight (graph, scale, log (self->scale), 0.02, 0, NULL);
  const char *value;

  dyno_graph_push_scope (graph, "similarity");
  value = dyno_graph_add (graph, "Transpose", "perm=[1,0]", b, NULL);
  value = dyno_graph_add (graph, "MatMul", NULL, a, value, NULL);
  value = dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add (graph, "Exp", NULL, factor, NULL), NULL);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, name, value, "batch, batch");
}

/* The similarity of each sound to each text, and of each text to each sound. */
static void
build_similarity (DynoGraph *graph, DynoConfig *config)
{
  g_auto (Clap) self = { 0 };
  g_autofree char *dimensions = NULL;
  const char *text, *audio;

  read_clap (&self, config);
  if (!(self.scale > 0))
    dyno_config_fail (config, _ ("its “%s” is %g, but must be above 0"), "logit_scale_init_value",
                      self.scale);
  if (!dyno_config_check (config, NULL))
    return;
  dimensions = dup_dimensions (&self);
  text = dyno_graph_add_input (graph, "text_features", dyno_graph_get_real_type (graph), dimensions);
  audio = dyno_graph_add_input (graph, "audio_features", dyno_graph_get_real_type (graph), dimensions);
  text = dyno_layers_unit (graph, text);
  audio = dyno_layers_unit (graph, audio);
  add_logits (&self, graph, "logits_per_audio", "logit_scale_a", audio, text);
  add_logits (&self, graph, "logits_per_text", "logit_scale_t", text, audio);
  dyno_graph_add_output (graph, "text_embeds", text, dimensions);
  dyno_graph_add_output (graph, "audio_embeds", audio, dimensions);
}

static const DynoStage stages[] = {
  { "text", build_text },
  { "audio", build_audio },
  { "similarity", build_similarity },
  { NULL },
};

static const DynoStage text_stages[] = { { "text", build_text }, { NULL } };
static const DynoStage audio_stages[] = { { "audio", build_audio }, { NULL } };
static const DynoModality modalities[] = { { "audio", audio_stages }, { "text", text_stages }, { NULL } };

const DynoArchitecture dyno_clap_architectures[] = {
  { "clap", &dyno_speech_family, "zero-shot-audio-classification", NULL, NULL, stages,
    .modalities = modalities, .build_features = build_features, .sound_rate = RATE },
  { NULL },
};
