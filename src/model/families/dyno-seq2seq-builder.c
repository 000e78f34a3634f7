/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-architecture.h"
#include "dyno-seq2seq.h"

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

static DynoStack
read_t5_stack (DynoConfig *config, const char *projection)
{
  gboolean is_gated = g_str_has_prefix (projection, "gated-");
  DynoStack self = {
    .names = t5_names,
    .width = dyno_config_get_int (config, "d_model"),
    .n_layers = dyno_config_get_int (config, "num_layers"),
    .n_heads = dyno_config_get_int (config, "num_heads"),
    .head_width = dyno_config_get_int (config, "d_kv"),
    .inner_width = dyno_config_get_int (config, "d_ff"),
    .is_rms = TRUE,
    .is_pre_norm = TRUE,
    .epsilon = dyno_config_get_double_or (config, "layer_norm_epsilon", 1e-6),
    .activation = is_gated ? projection + strlen ("gated-") : projection,
    .fields = { "d_model", "num_layers", "num_heads", .activation = "feed_forward_proj" },
  };

  if (is_gated)
    {
      self.names.gate = "wi_0";
      self.names.up = "wi_1";
    }
  if (g_str_equal (projection, "gated-gelu"))
    self.activation = "gelu_new";
  return self;
}

/**
 * dyno_seq2seq_read_t5:
 * @config: a config of T5, Raffel et al. 2020, or of its gated versions
 *
 * Those with an untied head do not scale its input.
 *
 * Returns: the model
 */
DynoSeq2seq
dyno_seq2seq_read_t5 (DynoConfig *config)
{
  const char *projection = dyno_config_get_string_or (config, "feed_forward_proj", "relu");
  gboolean is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE);
  DynoStack stack = read_t5_stack (config, projection);
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

/**
 * dyno_seq2seq_read_bart:
 * @config: a config of BART, Lewis et al. 2019
 *
 * Positions begin at row 2 of their table.
 *
 * Returns: the model
 */
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

static const DynoFamily family = { "encoder-decoder", N_ ("Encoder and decoder"),
                                   N_ ("Encoders and Decoders") };

/* A tied weight is saved under one of its names; if files lack the bias of the logits, it was not trained. */
static const DynoNamePair bart_pairs[] = { { "model.shared.", "lm_head." },
                                           { "model.shared.", "model.encoder.embed_tokens." },
                                           { NULL } };
static const DynoNamePair t5_pairs[] = { { "shared.", "encoder.embed_tokens." }, { NULL } };
static const char *const untrained[] = { "final_logits_bias", NULL };
static const DynoNaming bart_naming = { "model", bart_pairs, untrained };
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
  { NULL },
};
