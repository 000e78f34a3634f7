/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-head.h"
#include "dyno-json.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-tower.h"

/* Audio Spectrogram Transformer, Gong et al. 2021: a ViT with a distillation token that reads overlapping patches of a
 * spectrogram. */

/* The mean and the standard deviation of the features of AudioSet. */
#define MEAN      -4.2677393
#define DEVIATION 4.5689974

#define ROOT "audio_spectrogram_transformer"

typedef struct
{
  DynoTower tower;
  gint64 sides[2]; /* frequencies and frames */
  gint64 strides[2];
  gint64 patch_side;
  gint64 n_labels;
} Spectrogram;

static const DynoTowerNames names = DYNO_TOWER_VIT_NAMES (ROOT);

static const char *
add_embeddings (DynoGraph *graph, const Spectrogram *self)
{
  gint64 width = self->tower.width, n_patches = 1;
  const char *tokens[2], *picture, *value;

  for (guint i = 0; i < 2; i++)
    n_patches *= (self->sides[i] - self->patch_side) / self->strides[i] + 1;
  {
    const gint64 one[] = { 1, 1, width }, dims[] = { 1, n_patches + 2, width };

    dyno_graph_push_scope (graph, ROOT ".embeddings");

    /* Time comes first in the input, and is the width of the picture. */
    g_autofree char *dimensions =
        g_strdup_printf ("batch, %" PRId64 ", %" PRId64, self->sides[1], self->sides[0]);
    const gint64 channel = 1;
    const char *inner =
        dyno_graph_add_input (graph, "input_values", dyno_graph_get_real_type (graph), dimensions);

    inner = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", inner, NULL);
    picture =
        dyno_graph_add (graph, "Unsqueeze", NULL, inner, dyno_graph_add_ints (graph, 1, &channel), NULL);
    value = dyno_tower_cut_apart (graph, "patch_embeddings.projection", picture, width, self->patch_side,
                                  self->strides, TRUE);
    tokens[0] = dyno_graph_add_weight (graph, "cls_token", 0, 0.02, 3, one);
    tokens[1] = dyno_graph_add_weight (graph, "distillation_token", 0, 0.02, 3, one);
    for (guint i = 0; i < 2; i++)
      tokens[i] = dyno_tower_spread_token (graph, tokens[i], picture, width);
    value = dyno_graph_add (graph, "Concat", "axis=1", tokens[0], tokens[1], value, NULL);
    value = dyno_graph_add (graph, "Add", NULL, value,
                            dyno_graph_add_weight (graph, "position_embeddings", 0, 0.02, 3, dims), NULL);
    dyno_graph_pop_scope (graph);
  }
  return value;
}

static void
build_spectrogram (DynoGraph *graph, DynoConfig *config)
{
  Spectrogram self = {
    .tower = dyno_vit_read_tower (config, 1e-12),
    .sides = { dyno_config_get_int_or (config, "num_mel_bins", 128),
               dyno_config_get_int_or (config, "max_length", 1024) },
    .strides = { dyno_config_get_int_or (config, "frequency_stride", 10),
                 dyno_config_get_int_or (config, "time_stride", 10) },
    .patch_side = dyno_config_get_int_or (config, "patch_size", 16),
    .n_labels = dyno_head_count_labels (config),
  };

  self.tower.names = &names;
  self.tower.inner_width = dyno_config_get_int (config, "intermediate_size");
  dyno_tower_check (&self.tower, config);
  if (MIN (self.sides[0], self.sides[1]) < self.patch_side)
    dyno_config_fail (
        config,
        _ ("its patches (“patch_size”) are larger than its spectrograms (“num_mel_bins”, “max_length”)"));
  if (dyno_config_check (config, NULL))
    {
      const char *value = dyno_tower_add (&self.tower, graph, add_embeddings (graph, &self), NULL);

      value = dyno_layers_layer_norm (graph, ROOT ".layernorm", value, self.tower.epsilon);

      /* The mean of the first two tokens: [batch, width] */
      const char *tokens[2], *sum;

      dyno_graph_push_scope (graph, ROOT ".pooler");
      for (guint i = 0; i < 2; i++)
        tokens[i] = dyno_graph_add (graph, "Gather", "axis=1", value, dyno_graph_add_int (graph, i), NULL);
      sum = dyno_graph_add (graph, "Add", NULL, tokens[0], tokens[1], NULL);
      value = dyno_graph_add (graph, "Mul", NULL, sum, dyno_graph_add_real (graph, 0.5), NULL);
      dyno_graph_pop_scope (graph);

      if (self.n_labels > 0)
        value = dyno_layers_layer_norm (graph, "classifier.layernorm", value, self.tower.epsilon);
      dyno_head_add_classes (graph, "classifier.dense", value, self.n_labels);
    }
}

static void
build_features (DynoGraph *graph, DynoConfig *config)
{
  JsonObject *published = dyno_config_get_object (config, DYNO_LOG_MEL_CONFIG);
  double mean = dyno_json_member_get_double (published, "mean", MEAN);
  double deviation = dyno_json_member_get_double (published, "std", DEVIATION);
  DynoLogMel mel = { .rate = DYNO_SPEECH_RATE,
                     .n_mels = dyno_config_get_int_or (config, "num_mel_bins", 128),
                     .n_frames = dyno_config_get_int_or (config, "max_length", 1024),
                     .lowest = 20,
                     .floor = FLT_EPSILON,
                     .is_kaldi = TRUE };
  g_autofree char *dimensions = g_strdup_printf ("batch, %" PRId64 ", %" PRId64, mel.n_frames, mel.n_mels);
  const char *value;

  dyno_log_mel_read (&mel, config);
  if (!(deviation > 0))
    dyno_config_fail (config, _ ("its “%s” is %g, but must be above 0"), "std", deviation);
  if (!dyno_config_check (config, NULL))
    return;
  value = dyno_time_convolution_swap (graph, dyno_log_mel_add (&mel, graph));
  value = dyno_log_mel_scale (graph, value, -mean, 0.5 / deviation);
  dyno_graph_add_output (graph, "input_values",
                         dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph)), dimensions);
}

static const DynoNaming naming = { ROOT };

const DynoArchitecture dyno_spectrogram_architectures[] = {
  { "audio-spectrogram-transformer", &dyno_speech_family, "audio-classification", build_spectrogram, &naming,
    .build_features = build_features, .sound_rate = DYNO_SPEECH_RATE },
  { NULL },
};
