/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-decoder.h"
#include "dyno-fusion.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* Language models that listen: the encoder of a Whisper reads thirty seconds of speech, and its output, projected to
 * the width of a language model, replaces placeholder tokens in a text. Voxtral, Liu et al. 2025, and Qwen2-Audio, Chu
 * et al. 2024. */

#define SCOPE    "audio_tower"
#define STATES   "audio_states"
#define FEATURES "audio_features"

typedef struct
{
  DynoStack stack;
  DynoDecoder decoder;
  gboolean is_voxtral;
  gint64 n_mels;
  gint64 n_positions;
  gint64 n_tokens;
  const char *token_field;
  gint64 token;
  const char *activation;
} Listener;

static void
add_audio (const Listener *self, DynoGraph *graph)
{
  static const DynoStackSources sources = { NULL };
  const char *value = dyno_speech_add_spectrogram (&self->stack, graph, self->n_mels, self->n_positions);

  value = dyno_stack_add (&self->stack, graph, value, &sources);
  if (!self->is_voxtral)
    {
      dyno_graph_push_scope (graph, SCOPE);
      value = dyno_graph_add (graph, "AveragePool", "kernel_shape=[2] strides=[2]",
                              dyno_time_convolution_swap (graph, value), NULL);
      value = dyno_layers_layer_norm (graph, "layer_norm", dyno_time_convolution_swap (graph, value),
                                      self->stack.epsilon);
      dyno_graph_pop_scope (graph);
    }
  dyno_fusion_give (graph, STATES, value);
}

/* Voxtral joins neighbouring frames to a token. */
static void
add_projector (const Listener *self, DynoGraph *graph)
{
  gint64 width = self->decoder.width;
  const gint64 joined[] = { 0, self->n_tokens, self->stack.inner_width };
  const char *value = dyno_fusion_take (graph, STATES, self->is_voxtral ? self->n_positions : self->n_tokens,
                                        self->stack.width);

  dyno_graph_push_scope (graph, "multi_modal_projector");
  if (self->is_voxtral)
    {
      value =
          dyno_layers_linear (graph, "linear_1", dyno_layers_reshape (graph, value, 3, joined), width, FALSE);
      value = dyno_layers_activation (graph, self->activation, value);
      value = dyno_layers_linear (graph, "linear_2", value, width, FALSE);
    }
  else
    value = dyno_layers_linear (graph, "linear", value, width, TRUE);
  dyno_graph_pop_scope (graph);
  dyno_fusion_give (graph, FEATURES, value);
}

static void
add_fusion (const Listener *self, DynoGraph *graph)
{
  const char *ids = dyno_decoder_add_tokens (&self->decoder, graph);
  const char *features = dyno_fusion_take (graph, FEATURES, self->n_tokens, self->decoder.width);
  const char *value;

  dyno_graph_push_scope (graph, "language_model");
  value = dyno_decoder_embed (&self->decoder, graph, ids);
  dyno_graph_pop_scope (graph);
  dyno_fusion_insert (graph, ids, value, self->token, features);
}

static void
add_decoder (const Listener *self, DynoGraph *graph)
{
  dyno_fusion_add_decoder (&self->decoder, graph);
}

/* Members that files omit from the config of the encoder. */
#define USUAL_VOXTRAL                                                                                        \
  "{\"hidden_size\": 1280, \"intermediate_size\": 5120, \"num_hidden_layers\": 32, "                         \
  "\"num_attention_heads\": 20, \"num_mel_bins\": 128, \"max_source_positions\": 1500}"
#define USUAL_QWEN                                                                                           \
  "{\"d_model\": 1280, \"encoder_ffn_dim\": 5120, \"encoder_layers\": 32, \"encoder_attention_heads\": 20, " \
  "\"num_mel_bins\": 128, \"max_source_positions\": 1500}"

#define USUAL_VOXTRAL_TEXT                                                                                   \
  "{\"vocab_size\": 131072, \"hidden_size\": 3072, \"intermediate_size\": 8192, "                            \
  "\"num_hidden_layers\": 30, \"num_attention_heads\": 32, \"num_key_value_heads\": 8, "                     \
  "\"head_dim\": 128, \"max_position_embeddings\": 131072, \"rms_norm_eps\": 1e-5, "                         \
  "\"rope_theta\": 100000000.0}"

static void
listener_clear (Listener *self)
{
  dyno_decoder_clear (&self->decoder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Listener, listener_clear)

static void
build (DynoGraph *graph, DynoConfig *config, void (*add_part) (const Listener *self, DynoGraph *graph))
{
  g_auto (Listener) self = { 0 };
  DynoConfig *audio = dyno_config_get_child (config, "audio_config");
  DynoConfig *text = dyno_config_get_child (config, "text_config");

  self.is_voxtral = g_str_equal (dyno_config_get_string_or (config, "model_type", ""), "voxtral");
  self.token_field = self.is_voxtral ? "audio_token_id" : "audio_token_index";
  self.token = dyno_config_get_int_or (config, self.token_field, self.is_voxtral ? 24 : 151646);
  self.activation = dyno_config_get_string_or (config, "projector_hidden_act", "gelu");
  dyno_config_check_activation (config, "projector_hidden_act", self.activation);

  dyno_config_set_defaults (audio, self.is_voxtral ? USUAL_VOXTRAL : USUAL_QWEN);
  self.stack = self.is_voxtral ? dyno_seq2seq_read_plain_stack (audio, SCOPE)
                               : dyno_seq2seq_read_stack (audio, SCOPE, "encoder");
  self.stack.has_no_key_bias = TRUE;
  dyno_seq2seq_set_pre_norm (&self.stack);
  if (!self.is_voxtral)
    self.stack.names.final_norm = NULL;
  self.n_mels = dyno_config_get_int (audio, "num_mel_bins");
  self.n_positions = dyno_config_get_int (audio, "max_source_positions");
  dyno_stack_check (&self.stack, audio);

  /* An even width, because half of it are sines and half cosines; and whole tokens. */
  gint64 width = self.stack.width, n_numbers = self.n_positions * width;
  gint64 token = self.is_voxtral ? self.stack.inner_width : 2 * width;
  self.n_tokens = n_numbers / token;
  if (width < 4 || width % 2 != 0)
    dyno_config_fail (audio, _ ("its “%s” is %" PRId64 ", but must be even and at least 4"),
                      self.is_voxtral ? "hidden_size" : "d_model", width);
  if (self.n_tokens * token != n_numbers)
    dyno_config_fail (audio, _ ("its “%s” is %" PRId64 ", which is not a whole number of tokens"),
                      "max_source_positions", self.n_positions);
  if (self.is_voxtral)
    dyno_config_set_defaults (text, USUAL_VOXTRAL_TEXT);
  else
    dyno_decoder_set_usual (text);
  dyno_decoder_read (&self.decoder, text);
  dyno_fusion_check (config, self.token_field, self.token, &self.decoder);
  if (dyno_config_check (config, NULL))
    add_part (&self, graph);
}

static void
build_features (DynoGraph *graph, DynoConfig *config)
{
  DynoConfig *audio = dyno_config_get_child (config, "audio_config");

  dyno_config_set_defaults (audio, "{\"num_mel_bins\": 128, \"max_source_positions\": 1500}");
  dyno_speech_add_features (graph, config, audio);
}

static void
build_audio (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, add_audio);
}

static void
build_projector (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, add_projector);
}

static void
build_fusion (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, add_fusion);
}

static void
build_decoder (DynoGraph *graph, DynoConfig *config)
{
  build (graph, config, add_decoder);
}

static const DynoStage stages[] = {
  { "audio", build_audio, TRUE },
  { "projector", build_projector, TRUE },
  { "fusion", build_fusion },
  { "decoder", build_decoder },
  { NULL },
};

const DynoArchitecture dyno_listener_architectures[] = {
  { "qwen2_audio", &dyno_multimodal_family, "audio-text-to-text", NULL, NULL, stages,
    .build_features = build_features, .sound_rate = DYNO_SPEECH_RATE },
  { "voxtral", &dyno_multimodal_family, "audio-text-to-text", NULL, NULL, stages,
    .build_features = build_features, .sound_rate = DYNO_SPEECH_RATE },
  { NULL },
};
