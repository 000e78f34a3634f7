/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* Models that turn a picture into text, such as TrOCR, Li et al. 2021, and Donut, Kim et al. 2021: a vision
 * transformer and a decoder of text. */

static const DynoConfigFixed fixed_trocr[] = { { "use_learned_position_embeddings", "true" } };

/* TrOCR and Donut have the decoder of BART. */
static DynoSeq2seq
read_bart (DynoConfig *config, const char *head)
{
  return (DynoSeq2seq){
    .decoder = dyno_seq2seq_read_stack (config, "decoder.model.decoder", "decoder"),
    .shared = "decoder.model.decoder.embed_tokens",
    .head = head,
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .n_positions = dyno_config_get_int (config, "max_position_embeddings"),
    .offset = 2,
    .positions = DYNO_SEQ2SEQ_TABLE,
    .is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE),
    .has_embedding_norm = dyno_config_get_boolean_or (config, "layernorm_embedding", TRUE),
  };
}

static DynoSeq2seq
read_trocr (DynoConfig *config)
{
  dyno_config_check_fixed (config, fixed_trocr, G_N_ELEMENTS (fixed_trocr));
  return read_bart (config, "decoder.output_projection");
}

/* Reads the decoder of Donut. */
static DynoSeq2seq
read_mbart (DynoConfig *config)
{
  DynoSeq2seq self = read_bart (config, "decoder.lm_head");

  self.has_embedding_norm = TRUE;
  dyno_seq2seq_set_pre_norm (&self.decoder);
  return self;
}

static const DynoStackNames gpt2_names = {
  .layer = "h",
  .final_norm = "ln_f",
  .joined = "c_attn",
  .query = "q_attn",
  .output = "c_proj",
  .up = "c_fc",
  .down = "c_proj",
  .self = { "attn", "ln_1" },
  .cross = { "crossattention", "ln_cross_attn" },
  .inner = { "mlp", "ln_2" },
};

static const DynoConfigFixed fixed_gpt2[] = {
  { "add_cross_attention", "true" },
  { "scale_attn_weights", "true" },
  { "scale_attn_by_inverse_layer_idx", "false" },
  { "reorder_and_upcast_attn", "false" },
};

static DynoSeq2seq
read_gpt2 (DynoConfig *config)
{
  gint64 width = dyno_config_get_int_or (config, "n_embd", 768);
  gint64 n_heads = dyno_config_get_int_or (config, "n_head", 12);

  dyno_config_check_fixed (config, fixed_gpt2, G_N_ELEMENTS (fixed_gpt2));
  return (DynoSeq2seq){
    .decoder = {
      .scope = "decoder.transformer",
      .names = gpt2_names,
      .width = width,
      .n_layers = dyno_config_get_int_or (config, "n_layer", 12),
      .n_heads = n_heads,
      .head_width = width / n_heads,
      .inner_width = dyno_config_get_int_or (config, "n_inner", 4 * width),
      .has_bias = TRUE,
      .is_pre_norm = TRUE,
      .is_scaled = TRUE,
      .epsilon = dyno_config_get_double_or (config, "layer_norm_epsilon", 1e-5),
      .activation = dyno_config_get_string_or (config, "activation_function", "gelu_new"),
      .fields = { "n_embd", "n_layer", "n_head", .activation = "activation_function" },
    },
    .shared = "decoder.transformer.wte",
    .head = "decoder.lm_head",
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .n_positions = dyno_config_get_int_or (config, "n_positions", 1024),
    .positions = DYNO_SEQ2SEQ_TABLE,
    .is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE),
  };
}

static const struct
{
  const char *model_type;
  DynoSeq2seq (*read) (DynoConfig *config);
} decoders[] = {
  { "gpt2", read_gpt2 },
  { "mbart", read_mbart },
  { "trocr", read_trocr },
};

static DynoSeq2seq
read_decoder (DynoConfig *config)
{
  DynoConfig *decoder = dyno_config_get_child (config, "decoder");
  gboolean is_scaled = dyno_config_get_boolean_or (decoder, "scale_embedding", FALSE);
  const char *model_type = dyno_config_get_string_or (decoder, "model_type", "");
  DynoSeq2seq self = { 0 };
  guint i = 0;

  while (i < G_N_ELEMENTS (decoders) && !g_str_equal (model_type, decoders[i].model_type))
    i++;
  if (i == G_N_ELEMENTS (decoders))
    {
      dyno_config_fail (decoder, _ ("Dyno does not know “%s” of its “%s”"), model_type, "model_type");
      return self;
    }
  self = decoders[i].read (decoder);
  self.encoder = self.decoder;
  self.embedding_scale = is_scaled ? sqrt ((double)self.decoder.width) : 1;
  dyno_seq2seq_check (&self, decoder);
  return self;
}

static gboolean
is_swin (DynoConfig *encoder)
{
  return g_str_equal (dyno_config_get_string_or (encoder, "model_type", ""), "donut-swin");
}

static char *
dup_source (DynoConfig *config)
{
  DynoConfig *encoder = dyno_config_get_child (config, "encoder");

  return g_strdup_printf ("%" G_GINT64_FORMAT, is_swin (encoder) ? dyno_swin_count_tokens (encoder)
                                                                 : dyno_vit_count_tokens (encoder));
}

/* The library adds it to every ViT, but it was not trained, and many files lack it. */
static void
add_pooler (DynoGraph *graph, const char *value, gconstpointer data)
{
  dyno_layers_linear (graph, "encoder.pooler.dense", value, dyno_graph_get_shape (graph, value)->dims[2],
                      TRUE);
}

static void
build_encoder (DynoGraph *graph, DynoConfig *config)
{
  DynoSeq2seq self = read_decoder (config);
  DynoConfig *encoder = dyno_config_get_child (config, "encoder");
  g_autofree char *source = dup_source (config);
  const char *value =
      is_swin (encoder) ? dyno_swin_add_encoder (graph, encoder) : dyno_vit_add_encoder (graph, encoder);

  if (value == NULL)
    return;
  if (!is_swin (encoder))
    dyno_graph_add_unused (graph, value, add_pooler, NULL);

  /* The decoder may read states of another width. */
  DynoConfig *decoder = dyno_config_get_child (config, "decoder");
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2];
  gint64 read = dyno_config_get_int_or (decoder, "cross_attention_hidden_size", self.decoder.width);

  if (read == self.decoder.width && width != read)
    value = dyno_layers_linear (graph, "enc_to_dec_proj", value, read, TRUE);
  else if (read != width)
    dyno_config_fail (decoder, _ ("its “%s” is not the width of the encoder"), "cross_attention_hidden_size");
  dyno_seq2seq_add_states (&self, graph, value, source);
}

static void
build_decoder (DynoGraph *graph, DynoConfig *config)
{
  DynoSeq2seq self = read_decoder (config);
  g_autofree char *source = dup_source (config);

  if (dyno_config_check (config, NULL))
    dyno_seq2seq_add_decoder (&self, graph, source, FALSE);
}

static const DynoStage stages[] = {
  { "encoder", build_encoder, TRUE },
  { "decoder", build_decoder },
  { NULL },
};

static const DynoNamePair pairs[] = { { "decoder.model.decoder.embed_tokens.", "decoder.output_projection." },
                                      { "decoder.model.decoder.embed_tokens.", "decoder.lm_head." },
                                      { "decoder.transformer.wte.", "decoder.lm_head." },
                                      { "decoder.transformer.embed_positions.", "decoder.transformer.wpe." },
                                      { NULL } };
static const char *const untrained[] = { "encoder.pooler.", NULL };
static const DynoNaming naming = { NULL, pairs, untrained };

const DynoArchitecture dyno_reader_architectures[] = {
  { "vision-encoder-decoder", &dyno_vision_text_family, "image-to-text", NULL, &naming, stages },
  { NULL },
};
