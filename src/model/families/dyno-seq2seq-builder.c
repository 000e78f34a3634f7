/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-architecture.h"
#include "dyno-decoder.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

static const DynoStackNames t5_names = {
  .layer = "block",
  .final_norm = "final_layer_norm",
  .query = "q",
  .key = "k",
  .value = "v",
  .output = "o",
  .up = "wi",
  .down = "wo",
  .self = { "layer.0.SelfAttention", "layer.0.layer_norm" },
  .cross = { "layer.1.EncDecAttention", "layer.1.layer_norm" },
};

DynoSeq2seq
dyno_seq2seq_read_t5 (DynoConfig *config)
{
  const char *projection = dyno_config_get_string_or (config, "feed_forward_proj", "relu");
  gboolean is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE);
  gboolean is_gated = g_str_has_prefix (projection, "gated-");
  const char *plain = is_gated ? projection + strlen ("gated-") : projection;
  DynoStack stack = {
    .names = t5_names,
    .width = dyno_config_get_int (config, "d_model"),
    .n_layers = dyno_config_get_int (config, "num_layers"),
    .n_heads = dyno_config_get_int (config, "num_heads"),
    .head_width = dyno_config_get_int (config, "d_kv"),
    .inner_width = dyno_config_get_int (config, "d_ff"),
    .is_rms = TRUE,
    .is_pre_norm = TRUE,
    .epsilon = dyno_config_get_double_or (config, "layer_norm_epsilon", 1e-6),
    .activation = g_str_equal (projection, "gated-gelu") ? "gelu_new" : plain,
    .fields = { "d_model", "num_layers", "num_heads", .activation = "feed_forward_proj" },
  };
  if (is_gated)
    {
      stack.names.gate = "wi_0";
      stack.names.up = "wi_1";
    }
  DynoSeq2seq self = {
    .encoder = stack,
    .decoder = stack,
    .shared = "shared",
    .head = "lm_head",
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .n_positions = dyno_config_get_int_or (config, "n_positions", 512),
    .n_buckets = dyno_config_get_int_or (config, "relative_attention_num_buckets", 32),
    .max_distance = dyno_config_get_int_or (config, "relative_attention_max_distance", 128),
    .is_tied = is_tied,
    .scales_outputs = is_tied,
    .embedding_scale = 1,
  };

  self.encoder.scope = "encoder";
  self.encoder.names.inner = (DynoStackBlock){ "layer.1.DenseReluDense", "layer.1.layer_norm" };
  self.decoder.scope = "decoder";
  self.decoder.names.inner = (DynoStackBlock){ "layer.2.DenseReluDense", "layer.2.layer_norm" };
  self.decoder.n_layers = dyno_config_get_int_or (config, "num_decoder_layers", stack.n_layers);
  return self;
}

/* The encoder alone, which conditions diffusion models. */
static void
build_t5_alone (DynoGraph *graph, DynoConfig *config)
{
  DynoSeq2seq self = dyno_seq2seq_read_t5 (config);

  dyno_seq2seq_check (&self, config);
  if (dyno_config_check (config, NULL))
    dyno_seq2seq_add_encoder_alone (&self, graph);
}

DynoSeq2seq
dyno_seq2seq_read_bart (DynoConfig *config)
{
  gboolean is_scaled = dyno_config_get_boolean_or (config, "scale_embedding", FALSE);
  DynoSeq2seq self = {
    .encoder = dyno_seq2seq_read_stack (config, "model.encoder", "encoder"),
    .decoder = dyno_seq2seq_read_stack (config, "model.decoder", "decoder"),
    .shared = "model.shared",
    .head = "lm_head",
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .n_positions = dyno_config_get_int (config, "max_position_embeddings"),
    .offset = 2,
    .positions = DYNO_SEQ2SEQ_TABLE,
    .is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE),
    .has_logits_bias = TRUE,
    .has_embedding_norm = TRUE,
  };

  self.embedding_scale = is_scaled ? sqrt ((double)self.encoder.width) : 1;
  return self;
}

/* It classifies a text by the state of its last token. */
static void
build_bart_classifier (DynoGraph *graph, DynoConfig *config)
{
  DynoSeq2seq self = dyno_seq2seq_read_bart (config);
  DynoHead head = dyno_head_read (config);
  gint64 start = dyno_config_get_place_or (config, "decoder_start_token_id", 2);

  dyno_seq2seq_check (&self, config);
  if (dyno_config_check (config, NULL))
    dyno_seq2seq_add_classifier (&self, graph, start, &head);
}

static DynoSeq2seq
read_mbart (DynoConfig *config)
{
  DynoSeq2seq self = dyno_seq2seq_read_bart (config);

  dyno_seq2seq_set_pre_norm (&self.encoder);
  dyno_seq2seq_set_pre_norm (&self.decoder);
  return self;
}

/* M2M-100 and NLLB: positions begin at row 2, as in BART, but are sines. */
static DynoSeq2seq
read_m2m_100 (DynoConfig *config)
{
  DynoSeq2seq self = read_mbart (config);

  self.positions = DYNO_SEQ2SEQ_SINES;
  self.has_embedding_norm = self.has_logits_bias = FALSE;
  self.has_fixed_sines = TRUE;
  return self;
}

static DynoSeq2seq
read_marian (DynoConfig *config)
{
  DynoSeq2seq self = dyno_seq2seq_read_bart (config);

  self.offset = 0;
  self.positions = DYNO_SEQ2SEQ_SINES;
  self.has_embedding_norm = FALSE;
  if (!dyno_config_get_boolean_or (config, "share_encoder_decoder_embeddings", TRUE))
    dyno_config_fail (config, _ ("two vocabularies (“share_encoder_decoder_embeddings”) are not supported"));
  return self;
}

static DynoSeq2seq
read_pegasus (DynoConfig *config)
{
  DynoSeq2seq self = dyno_seq2seq_read_bart (config);

  self.offset = 0;
  self.positions = DYNO_SEQ2SEQ_SINES;
  self.has_embedding_norm = FALSE;
  dyno_seq2seq_set_pre_norm (&self.encoder);
  dyno_seq2seq_set_pre_norm (&self.decoder);
  return self;
}

typedef DynoSeq2seq (*Read) (DynoConfig *config);

static void
build_encoder (DynoGraph *graph, DynoConfig *config, Read read)
{
  DynoSeq2seq self = read (config);

  dyno_seq2seq_check (&self, config);
  if (dyno_config_check (config, NULL))
    dyno_seq2seq_add_encoder (&self, graph, NULL, dyno_seq2seq_add_tokens (&self, graph), NULL);
}

static void
build_decoder (DynoGraph *graph, DynoConfig *config, Read read)
{
  DynoSeq2seq self = read (config);

  dyno_seq2seq_check (&self, config);
  if (dyno_config_check (config, NULL))
    dyno_seq2seq_add_decoder (&self, graph, "sequence", TRUE);
}

/* The stages of a model type. */
#define DEFINE_STAGES(type, read)                                                                            \
  static void build_##type##_encoder (DynoGraph *graph, DynoConfig *config)                                  \
  {                                                                                                          \
    build_encoder (graph, config, read);                                                                     \
  }                                                                                                          \
                                                                                                             \
  static void build_##type##_decoder (DynoGraph *graph, DynoConfig *config)                                  \
  {                                                                                                          \
    build_decoder (graph, config, read);                                                                     \
  }                                                                                                          \
                                                                                                             \
  static const DynoStage type##_stages[] = {                                                                 \
    { "encoder", build_##type##_encoder, TRUE },                                                             \
    { "decoder", build_##type##_decoder },                                                                   \
    { NULL },                                                                                                \
  }

DEFINE_STAGES (t5, dyno_seq2seq_read_t5);
DEFINE_STAGES (bart, dyno_seq2seq_read_bart);
DEFINE_STAGES (mbart, read_mbart);
DEFINE_STAGES (m2m_100, read_m2m_100);
DEFINE_STAGES (marian, read_marian);
DEFINE_STAGES (pegasus, read_pegasus);

#define T5_GEMMA_NAMES(stack)                                                                                \
  .embedding = "model." stack ".embed_tokens", .layers = "model." stack ".layers",                           \
  .norm_before_attention = "pre_self_attn_layernorm", .attention = "self_attn", .query = "q_proj",           \
  .key = "k_proj", .value = "v_proj", .output = "o_proj",                                                    \
  .norm_after_attention = "post_self_attn_layernorm", .norm_before_feed = "pre_feedforward_layernorm",       \
  .feed = "mlp", .gate = "gate_proj", .up = "up_proj", .down = "down_proj",                                  \
  .norm_after_feed = "post_feedforward_layernorm", .final_norm = "model." stack ".norm"

static const DynoDecoderNames t5_gemma_encoder_names = { T5_GEMMA_NAMES ("encoder") };
static const DynoDecoderNames t5_gemma_decoder_names = {
  T5_GEMMA_NAMES ("decoder"), .norm_before_cross = "pre_cross_attn_layernorm",
  .cross = "cross_attn",      .norm_after_cross = "post_cross_attn_layernorm",
  .head = "lm_head.out_proj",
};

/* T5Gemma, Zhang et al. 2025: an encoder and a decoder that are both a Gemma 2. Windows of the encoder reach to either
 * side. */
typedef struct
{
  DynoDecoder encoder;
  DynoDecoder decoder;
  DynoStack cross;
} T5Gemma;

static void
t5_gemma_clear (T5Gemma *self)
{
  dyno_decoder_clear (&self->encoder);
  dyno_decoder_clear (&self->decoder);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (T5Gemma, t5_gemma_clear)

static gboolean
read_t5_gemma (T5Gemma *self, DynoConfig *config)
{
  DynoConfig *encoder = dyno_config_get_child (config, "encoder");
  DynoConfig *decoder = dyno_config_get_child (config, "decoder");
  static const DynoConfigFixed fixed[] = { { "model_type", "\"t5_gemma_module\"" } };

  dyno_config_check_fixed (encoder, fixed, G_N_ELEMENTS (fixed));
  dyno_config_check_fixed (decoder, fixed, G_N_ELEMENTS (fixed));
  dyno_decoder_set_usual (encoder);
  dyno_decoder_set_usual (decoder);
  dyno_decoder_read (&self->encoder, encoder);
  dyno_decoder_read (&self->decoder, decoder);
  self->encoder.names = &t5_gemma_encoder_names;
  self->encoder.is_whole = self->encoder.is_bidirectional = TRUE;
  self->encoder.window += self->encoder.window > 0;
  self->decoder.names = &t5_gemma_decoder_names;
  self->decoder.is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE);
  self->cross = (DynoStack){
    .scope = "model.decoder",
    .names = { .layer = "layers", .key = "k_proj", .value = "v_proj", .cross = { "cross_attn" } },
    .width = self->decoder.width,
    .n_layers = self->decoder.n_layers,
    .n_heads = self->decoder.n_cached_heads,
    .head_width = self->decoder.head_width,
    .has_bias = self->decoder.has_input_bias,
  };
  return dyno_config_check (config, NULL);
}

static void
build_t5_gemma_encoder (DynoGraph *graph, DynoConfig *config)
{
  g_auto (T5Gemma) self = { 0 };
  g_autofree char *dimensions = NULL;
  const char *ids, *mask, *states;

  if (!read_t5_gemma (&self, config))
    return;
  ids = dyno_decoder_add_tokens (&self.encoder, graph);
  mask = dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, sequence");
  states =
      dyno_decoder_add_states (&self.encoder, graph, dyno_decoder_embed (&self.encoder, graph, ids), mask);
  dimensions = g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, self.encoder.width);
  dyno_graph_add_output (graph, "encoder_last_hidden_state", states, dimensions);
  dyno_stack_add_cross (&self.cross, graph, states, "sequence");
  dyno_graph_push_scope (graph, "model.encoder");
  mask = dyno_layers_padding_mask (graph, mask);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, DYNO_SEQ2SEQ_MASK, mask, DYNO_SEQ2SEQ_MASK_DIMENSIONS);
}

static void
build_t5_gemma_decoder (DynoGraph *graph, DynoConfig *config)
{
  g_auto (T5Gemma) self = { 0 };
  g_autoptr (GPtrArray) cross = NULL;
  const char *ids, *mask;

  if (!read_t5_gemma (&self, config))
    return;
  ids = dyno_graph_add_input (graph, "decoder_input_ids", DYNO_DATA_TYPE_INT64, "batch, " DYNO_STACK_ANSWER);
  dyno_graph_limit_input (graph, "decoder_input_ids", self.decoder.vocabulary);
  dyno_graph_limit_sequence (graph, self.decoder.n_positions);
  cross = dyno_stack_cache_take_cross (&self.cross, graph, "sequence");
  mask = dyno_graph_add_input (graph, DYNO_SEQ2SEQ_MASK, dyno_graph_get_real_type (graph),
                               DYNO_SEQ2SEQ_MASK_DIMENSIONS);
  dyno_decoder_add_answer (&self.decoder, graph, dyno_decoder_embed (&self.decoder, graph, ids), cross, mask);
}

static const DynoStage t5_gemma_stages[] = {
  { "encoder", build_t5_gemma_encoder, TRUE },
  { "decoder", build_t5_gemma_decoder },
  { NULL },
};

static const DynoFamily family = { "encoder-decoder", N_ ("Encoder and decoder"),
                                   N_ ("Encoders and Decoders") };

/* A tied weight is saved under one of its names; if files lack the bias of the logits, it was not trained. */
static const DynoNamePair bart_pairs[] = { { "model.shared.", "lm_head." },
                                           { "model.shared.", "model.encoder.embed_tokens." },
                                           { NULL } };
static const DynoNamePair t5_pairs[] = { { "shared.", "encoder.embed_tokens." }, { NULL } };
static const char *const untrained[] = { "final_logits_bias", NULL };
static const DynoNaming bart_naming = { "model", bart_pairs, untrained };
static const DynoNamePair t5_gemma_pairs[] = { { "model.decoder.embed_tokens.", "lm_head.out_proj." },
                                               { NULL } };
static const DynoNaming t5_gemma_naming = { NULL, t5_gemma_pairs };
static const DynoNaming t5_naming = { NULL, t5_pairs };

const DynoArchitecture dyno_seq2seq_architectures[] = {
  { "bart", &family, "text-classification", build_bart_classifier, &bart_naming,
    .class_name = "ForSequenceClassification" },
  { "bart", &family, "summarization", NULL, &bart_naming, bart_stages },
  { "m2m_100", &family, "translation", NULL, &bart_naming, m2m_100_stages },
  { "marian", &family, "translation", NULL, &bart_naming, marian_stages },
  { "mbart", &family, "translation", NULL, &bart_naming, mbart_stages },
  { "mt5", &dyno_encoder_family, "feature-extraction", build_t5_alone, &t5_naming,
    .class_name = "EncoderModel" },
  { "mt5", &family, "text2text-generation", NULL, &t5_naming, t5_stages },
  { "pegasus", &family, "summarization", NULL, &bart_naming, pegasus_stages },
  { "t5", &dyno_encoder_family, "feature-extraction", build_t5_alone, &t5_naming,
    .class_name = "EncoderModel" },
  { "t5", &family, "text2text-generation", NULL, &t5_naming, t5_stages },
  { "t5gemma", &family, "text2text-generation", NULL, &t5_gemma_naming, t5_gemma_stages },
  { NULL },
};
