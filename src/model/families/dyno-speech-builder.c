/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

#define SMALL_DEVIATION 0.02

/* Farther than any model reaches, and few enough rows to take little memory. */
#define MAX_DISTANCE 100000

const char *
dyno_speech_add_spectrogram (const DynoStack *encoder, DynoGraph *graph, gint64 n_mels, gint64 n_positions)
{
  gint64 width = encoder->width;
  const DynoTimeConvolution first = { width, 3, 1, 1, { 1, 1 }, TRUE },
                            second = { width, 3, 2, 1, { 1, 1 }, TRUE };
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, n_mels, 2 * n_positions);
  const char *value =
      dyno_graph_add_input (graph, "input_features", dyno_graph_get_real_type (graph), dimensions);

  dyno_graph_push_scope (graph, "%s", encoder->scope);
  value = dyno_layers_activation (graph, "gelu", dyno_time_convolution_add (&first, graph, "conv1", value));
  value = dyno_layers_activation (graph, "gelu", dyno_time_convolution_add (&second, graph, "conv2", value));
  value = dyno_time_convolution_swap (graph, value);
  value = dyno_graph_add (
      graph, "Add", NULL, value,
      dyno_graph_add_sinusoids (graph, "embed_positions.weight", n_positions, width, (double)(width / 2 - 1)),
      NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Decimal logarithms, none more than 8 below the largest of its item, in about ±1. */
void
dyno_speech_add_features (DynoGraph *graph, DynoConfig *config, DynoConfig *audio)
{
  DynoLogMel mel = { .rate = DYNO_SPEECH_RATE,
                     .n_fft = 400,
                     .hop = 160,
                     .n_mels = dyno_config_get_int (audio, "num_mel_bins"),
                     .n_frames = 2 * dyno_config_get_int (audio, "max_source_positions"),
                     .highest = 8000,
                     .floor = 1e-10 };
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, mel.n_mels, mel.n_frames);
  const char *value, *least;

  dyno_log_mel_read (&mel, config);
  if (!dyno_config_check (config, NULL))
    return;
  value = dyno_log_mel_scale (graph, dyno_log_mel_add (&mel, graph), 0, 1 / G_LN10);
  least = dyno_graph_add (graph, "ReduceMax", "axes=[1,2] keepdims=1", value, NULL);
  least = dyno_graph_add (graph, "Sub", NULL, least, dyno_graph_add_float (graph, 8), NULL);
  value = dyno_graph_add (graph, "Max", NULL, value, least, NULL);
  value = dyno_log_mel_scale (graph, value, 4, 0.25);
  dyno_graph_add_output (graph, "input_features",
                         dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph)), dimensions);
}

static void
build_whisper_features (DynoGraph *graph, DynoConfig *config)
{
  dyno_speech_add_features (graph, config, config);
}

static DynoSeq2seq
read_whisper (DynoConfig *config)
{
  gboolean is_scaled = dyno_config_get_boolean_or (config, "scale_embedding", FALSE);
  DynoSeq2seq self = {
    .encoder = dyno_seq2seq_read_stack (config, "model.encoder", "encoder"),
    .decoder = dyno_seq2seq_read_stack (config, "model.decoder", "decoder"),
    .shared = "model.decoder.embed_tokens",
    .head = "proj_out",
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .n_positions = dyno_config_get_int (config, "max_target_positions"),
    .positions = DYNO_SEQ2SEQ_TABLE,
    .is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE),
  };

  self.embedding_scale = is_scaled ? sqrt ((double)self.decoder.width) : 1;
  self.encoder.has_no_key_bias = TRUE;
  self.decoder.has_no_key_bias = TRUE;
  dyno_seq2seq_set_pre_norm (&self.encoder);
  dyno_seq2seq_set_pre_norm (&self.decoder);
  return self;
}

static void
check_whisper (const DynoSeq2seq *self, DynoConfig *config)
{
  dyno_seq2seq_check (self, config);
  if (self->encoder.width < 4 || self->encoder.width % 2 != 0)
    dyno_config_fail (config, _ ("its “%s” is %" PRId64 ", but must be even and at least 4"), "d_model",
                      self->encoder.width);
}

static void
build_whisper_encoder (DynoGraph *graph, DynoConfig *config)
{
  static const DynoStackSources sources = { NULL };
  DynoSeq2seq self = read_whisper (config);
  gint64 n_mels = dyno_config_get_int (config, "num_mel_bins");
  gint64 n_positions = dyno_config_get_int (config, "max_source_positions");
  g_autofree char *source = g_strdup_printf ("%" G_GINT64_FORMAT, n_positions);
  const char *value;

  check_whisper (&self, config);
  if (!dyno_config_check (config, NULL))
    return;
  value = dyno_speech_add_spectrogram (&self.encoder, graph, n_mels, n_positions);
  value = dyno_stack_add (&self.encoder, graph, value, &sources);
  dyno_seq2seq_add_states (&self, graph, value, source);
}

static void
build_whisper_decoder (DynoGraph *graph, DynoConfig *config)
{
  DynoSeq2seq self = read_whisper (config);
  g_autofree char *source =
      g_strdup_printf ("%" G_GINT64_FORMAT, dyno_config_get_int (config, "max_source_positions"));

  check_whisper (&self, config);
  if (dyno_config_check (config, NULL))
    dyno_seq2seq_add_decoder (&self, graph, source, FALSE);
}

static const DynoStage whisper_stages[] = {
  { "encoder", build_whisper_encoder, TRUE },
  { "decoder", build_whisper_decoder },
  { NULL },
};

/* wav2vec 2.0, Baevski et al. 2020, and HuBERT, Hsu et al. 2021: convolutions of audio samples, followed by an
 * encoder. */
typedef struct
{
  DynoStack stack;
  GArray *channels;
  GArray *kernels;
  GArray *strides;
  const char *
      norm; /* after the convolutions: “group”, of each channel and only after the first; or “layer”, after all */
  const char *activation;
  gboolean has_bias;
  gboolean has_projection_norm;
  gint64 position_kernel;
  gint64 position_groups;
  gint64 n_buckets; /* rows of the table of distances, 0 for none */
  gint64 max_distance;
  DynoHead head;
} Wave;

static const char *
add_feature_layer (const Wave *self, DynoGraph *graph, guint i, const char *value)
{
  const DynoTimeConvolution convolution = { dyno_config_get_item (self->channels, i),
                                            dyno_config_get_item (self->kernels, i),
                                            dyno_config_get_item (self->strides, i),
                                            1,
                                            { 0 },
                                            self->has_bias };
  const char *scale, *bias;

  value = dyno_time_convolution_add (&convolution, graph, "conv", value);
  if (g_str_equal (self->norm, "layer"))
    {
      value = dyno_layers_layer_norm (graph, "layer_norm", dyno_time_convolution_swap (graph, value), 1e-5);
      value = dyno_time_convolution_swap (graph, value);
    }
  else if (i == 0)
    {
      /* Normalises each channel over time. */
      gint64 channels = dyno_graph_get_shape (graph, value)->dims[1];

      dyno_graph_push_scope (graph, "layer_norm");
      scale = dyno_graph_add_weight (graph, "weight", 1, SMALL_DEVIATION, 1, &channels);
      bias = dyno_graph_add_weight (graph, "bias", 0, SMALL_DEVIATION, 1, &channels);
      value = dyno_graph_add (graph, "InstanceNormalization", "epsilon=1e-5", value, scale, bias, NULL);
      dyno_graph_pop_scope (graph);
    }
  return dyno_layers_activation (graph, self->activation, value);
}

static const char *
add_features (const Wave *self, DynoGraph *graph)
{
  const gint64 channel = 1;
  const char *value =
      dyno_graph_add_input (graph, "input_values", dyno_graph_get_real_type (graph), "batch, samples");

  dyno_graph_push_scope (graph, "feature_extractor");
  value = dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 1, &channel), NULL);
  for (guint i = 0; i < self->channels->len; i++)
    {
      dyno_graph_push_scope (graph, "conv_layers.%u", i);
      value = add_feature_layer (self, graph, i, value);
      dyno_graph_pop_scope (graph);
    }
  value = dyno_time_convolution_swap (graph, value);
  dyno_graph_pop_scope (graph);
  dyno_graph_push_scope (graph, "feature_projection");
  if (self->has_projection_norm)
    value = dyno_layers_layer_norm (graph, "layer_norm", value, self->stack.epsilon);
  value = dyno_layers_linear (graph, "projection", value, self->stack.width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

/* A wide convolution serves as position embedding. An even kernel has no centre, so its extra last output is
 * removed. */
static const char *
add_positions (const Wave *self, DynoGraph *graph, const char *value)
{
  gint64 width = self->stack.width, kernel = self->position_kernel, groups = self->position_groups;
  const DynoTimeConvolution convolution = {
    width, kernel, 1, groups, { kernel / 2, (kernel - 1) / 2 }, TRUE
  };
  const gint64 dims[] = { width, width / groups, kernel }, one[] = { 1, 1, kernel };
  double length = sqrt ((double)width / (double)kernel);
  const char *places = dyno_time_convolution_swap (graph, value);
  const char *lengths, *direction, *norm;

  dyno_graph_push_scope (graph, "pos_conv_embed");
  dyno_graph_push_scope (graph, "conv");

  /* Weight normalisation, Salimans and Kingma 2016: length · direction / |direction|, for each position in the kernel.
   * Squares are in single precision in any graph, because they are long sums. */
  dyno_graph_push_scope (graph, "parametrizations.weight");
  lengths = dyno_graph_add_weight (graph, "original0", length, SMALL_DEVIATION * length, 3, one);
  direction = dyno_graph_add_weight (graph, "original1", 0, 1 / sqrt ((double)(dims[1] * kernel)), 3, dims);
  direction = dyno_layers_cast (graph, direction, DYNO_DATA_TYPE_FLOAT);
  norm = dyno_graph_add (graph, "ReduceL2", "axes=[0,1] keepdims=1", direction, NULL);
  direction = dyno_graph_add (graph, "Div", NULL, direction, norm, NULL);
  direction = dyno_layers_cast (graph, direction, dyno_graph_get_real_type (graph));
  direction = dyno_graph_add (graph, "Mul", NULL, direction, lengths, NULL);
  dyno_graph_pop_scope (graph);
  places = dyno_time_convolution_apply (&convolution, graph, places, direction);
  dyno_graph_pop_scope (graph);
  places = dyno_time_convolution_swap (graph, dyno_layers_activation (graph, self->activation, places));
  value = dyno_graph_add (graph, "Add", NULL, value, places, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static void
add_wave (const Wave *self, DynoGraph *graph)
{
  DynoStackSources sources = { NULL };
  g_autofree char *dimensions = g_strdup_printf ("batch, frames, %" G_GINT64_FORMAT, self->stack.width);
  const char *value = add_features (self, graph);
  const char *places, *rows;

  /* Convolutions without padding shorten the audio: one final frame needs this many samples. */
  gint64 least = 1;

  for (guint i = self->channels->len; i-- > 0;)
    least =
        MIN ((least - 1) * dyno_config_get_item (self->strides, i) + dyno_config_get_item (self->kernels, i),
             G_MAXINT32);
  dyno_graph_require_size (graph, "samples", least);
  dyno_graph_push_scope (graph, "%s", self->stack.scope);
  value = add_positions (self, graph, value);
  if (!self->stack.is_pre_norm)
    value = dyno_layers_layer_norm (graph, "layer_norm", value, self->stack.epsilon);
  if (self->n_buckets > 0)
    {
      /* The table belongs to the first layer. */
      dyno_graph_push_scope (graph, "%s.0.%s", self->stack.names.layer, self->stack.names.self.scope);
      places = dyno_relative_places (graph, value, 1);
      rows = dyno_relative_rows (graph, places, places, dyno_relative_bucket_both_ways, self->n_buckets,
                                 self->max_distance);
      sources.scores =
          dyno_relative_bias (graph, "rel_attn_embed", rows, self->n_buckets, self->stack.n_heads);
      dyno_graph_pop_scope (graph);
    }
  dyno_graph_pop_scope (graph);
  value = dyno_stack_add (&self->stack, graph, value, &sources);
  if (self->head.kind == DYNO_HEAD_LAYERS)
    dyno_head_add (&self->head, graph, value, NULL, "frames");
  else
    dyno_graph_add_output (graph, "last_hidden_state", value, dimensions);
}

static void
refuse (DynoConfig *config, const char *name)
{
  if (dyno_config_get_boolean_or (config, name, FALSE))
    dyno_config_fail (config, _ ("“%s” is not supported"), name);
}

static Wave
read_wave (DynoConfig *config)
{
  gboolean is_stable = dyno_config_get_boolean_or (config, "do_stable_layer_norm", FALSE);
  Wave self = {
    .stack = { .scope = "encoder",
               .names = { .layer = "layers",
                          .final_norm = is_stable ? "layer_norm" : NULL,
                          .query = "q_proj",
                          .key = "k_proj",
                          .value = "v_proj",
                          .output = "out_proj",
                          .up = "intermediate_dense",
                          .down = "output_dense",
                          .self = { "attention", "layer_norm" },
                          .inner = { "feed_forward", "final_layer_norm" } },
               .width = dyno_config_get_int (config, "hidden_size"),
               .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
               .n_heads = dyno_config_get_int (config, "num_attention_heads"),
               .inner_width = dyno_config_get_int (config, "intermediate_size"),
               .has_bias = TRUE,
               .is_pre_norm = is_stable,
               .is_scaled = TRUE,
               .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-5),
               .activation = dyno_config_get_string_or (config, "hidden_act", "gelu") },
    .channels = dyno_config_get_ints (config, "conv_dim"),
    .kernels = dyno_config_get_ints (config, "conv_kernel"),
    .strides = dyno_config_get_ints (config, "conv_stride"),
    .norm = dyno_config_get_string_or (config, "feat_extract_norm", "group"),
    .activation = dyno_config_get_string_or (config, "feat_extract_activation", "gelu"),
    .has_bias = dyno_config_get_boolean_or (config, "conv_bias", FALSE),
    .has_projection_norm = dyno_config_get_boolean_or (config, "feat_proj_layer_norm", TRUE),
    .position_kernel = dyno_config_get_int_or (config, "num_conv_pos_embeddings", 128),
    .position_groups = dyno_config_get_int_or (config, "num_conv_pos_embedding_groups", 16),
    .head = dyno_head_read (config),
  };

  self.stack.head_width = self.stack.width / self.stack.n_heads;
  return self;
}

static void
wave_clear (Wave *self)
{
  g_array_unref (self->channels);
  g_array_unref (self->kernels);
  g_array_unref (self->strides);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Wave, wave_clear)

static void
check_and_build (DynoGraph *graph, DynoConfig *config, const Wave *self)
{
  gint64 n_layers = dyno_config_get_int_or (config, "num_feat_extract_layers", self->channels->len);

  dyno_stack_check (&self->stack, config);
  if (self->channels->len == 0 || self->channels->len != n_layers || self->kernels->len != n_layers ||
      self->strides->len != n_layers)
    dyno_config_fail (config, _ ("its “conv_dim”, “conv_kernel” and “conv_stride” do not have one size for "
                                 "each of the layers (“num_feat_extract_layers”)"));
  if (!g_str_equal (self->norm, "group") && !g_str_equal (self->norm, "layer"))
    dyno_config_fail (config, _ ("its “feat_extract_norm” is “%s”, but must be “group” or “layer”"),
                      self->norm);
  dyno_config_check_activation (config, "feat_extract_activation", self->activation);
  if (self->stack.width % self->position_groups != 0)
    dyno_config_fail (config,
                      _ ("its “hidden_size” is not a multiple of its “num_conv_pos_embedding_groups”"));

  refuse (config, "add_adapter");
  refuse (config, "conv_pos_batch_norm");
  if (dyno_config_get_count_or (config, "adapter_attn_dim", 0) > 0)
    dyno_config_fail (config, _ ("“%s” is not supported"), "adapter_attn_dim");
  if (!dyno_config_check (config, NULL))
    return;
  add_wave (self, graph);
  dyno_time_convolution_add_mask (graph, config, self->stack.width);
}

static void
build_wave (DynoGraph *graph, DynoConfig *config)
{
  g_auto (Wave) self = read_wave (config);

  check_and_build (graph, config, &self);
}

static void
build_wavlm (DynoGraph *graph, DynoConfig *config)
{
  g_auto (Wave) self = read_wave (config);

  self.n_buckets = dyno_config_get_int_or (config, "num_buckets", 320);
  self.max_distance = dyno_config_get_int_or (config, "max_bucket_distance", 800);
  self.stack.gates_scores = TRUE;
  if (self.n_buckets < 4 || self.max_distance <= self.n_buckets / 2 || self.max_distance > MAX_DISTANCE)
    dyno_config_fail (config, _ ("its “%s” and “%s” do not go together"), "num_buckets",
                      "max_bucket_distance");
  check_and_build (graph, config, &self);
}

const DynoFamily dyno_speech_family = { "speech", N_ ("Speech model"), N_ ("Speech Models") };

/* A tied weight is saved under one of its names; older files name the parts of a normalised weight differently. */
static const DynoNamePair whisper_pairs[] = { { "model.decoder.embed_tokens.", "proj_out." }, { NULL } };
static const DynoNamePair wave_pairs[] = { { "parametrizations.weight.original0", "weight_g" },
                                           { "parametrizations.weight.original1", "weight_v" },
                                           { NULL } };
static const char *const untrained[] = { "masked_spec_embed", NULL };
static const DynoNaming whisper_naming = { "model", whisper_pairs };
static const DynoNaming hubert_naming = { "hubert", wave_pairs, untrained };
static const DynoNaming wavlm_naming = { "wavlm", wave_pairs, untrained };
static const DynoNaming wav2vec2_naming = { "wav2vec2", wave_pairs, untrained };

const DynoArchitecture dyno_speech_architectures[] = {
  { "hubert", &dyno_speech_family, "feature-extraction", build_wave, &hubert_naming },
  { "wav2vec2", &dyno_speech_family, "feature-extraction", build_wave, &wav2vec2_naming },
  { "wavlm", &dyno_speech_family, "feature-extraction", build_wavlm, &wavlm_naming },
  { "whisper", &dyno_speech_family, "automatic-speech-recognition", NULL, &whisper_naming, whisper_stages,
    .build_features = build_whisper_features, .sound_rate = DYNO_SPEECH_RATE },
  { NULL },
};
