/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"
#include "dyno-seq2seq.h"
#include "dyno-vit.h"

/* Models that write what a picture shows, as TrOCR, Li et al. 2021: a ViT and a decoder of text. */

static const DynoConfigFixed fixed[] = { { "use_learned_position_embeddings", "true" } };

static DynoSeq2seq
read_decoder (DynoConfig *config)
{
  DynoConfig *decoder = dyno_config_get_child (config, "decoder");
  gboolean is_scaled = dyno_config_get_boolean_or (decoder, "scale_embedding", FALSE);
  const char *model_type = dyno_config_get_string_or (decoder, "model_type", "");
  DynoSeq2seq self = {
    .decoder = dyno_seq2seq_read_stack (decoder, "decoder.model.decoder", "decoder"),
    .shared = "decoder.model.decoder.embed_tokens",
    .head = "decoder.output_projection",
    .vocabulary = dyno_config_get_int (decoder, "vocab_size"),
    .n_positions = dyno_config_get_int (decoder, "max_position_embeddings"),
    .offset = 2,
    .positions = DYNO_SEQ2SEQ_TABLE,
    .is_tied = dyno_config_get_boolean_or (decoder, "tie_word_embeddings", TRUE),
    .has_embedding_norm = dyno_config_get_boolean_or (decoder, "layernorm_embedding", TRUE),
  };

  self.encoder = self.decoder;
  self.embedding_scale = is_scaled ? sqrt ((double)self.decoder.width) : 1;
  if (!g_str_equal (model_type, "trocr"))
    dyno_config_fail (decoder, _ ("Dyno does not know “%s” of its “%s”"), model_type, "model_type");
  dyno_config_check_fixed (decoder, fixed, G_N_ELEMENTS (fixed));
  dyno_seq2seq_check (&self, decoder);
  return self;
}

/* If the decoder does not say that it takes states of another width, they get its own. */
static const char *
fit (DynoGraph *graph, const DynoSeq2seq *self, DynoConfig *config, const char *value)
{
  DynoConfig *decoder = dyno_config_get_child (config, "decoder");
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2];
  gint64 read = dyno_config_get_int_or (decoder, "cross_attention_hidden_size", self->decoder.width);

  if (read == self->decoder.width && width != read)
    return dyno_layers_linear (graph, "enc_to_dec_proj", value, read, TRUE);
  if (read != width)
    dyno_config_fail (decoder, _ ("its “%s” is not the width of the encoder"), "cross_attention_hidden_size");
  return value;
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
  g_autofree char *source = g_strdup_printf ("%" G_GINT64_FORMAT, dyno_vit_count_tokens (encoder));
  const char *value = dyno_vit_add_encoder (graph, encoder);

  if (value == NULL)
    return;
  dyno_graph_add_unused (graph, value, add_pooler, NULL);
  dyno_seq2seq_add_states (&self, graph, fit (graph, &self, config, value), source);
}

static void
build_decoder (DynoGraph *graph, DynoConfig *config)
{
  DynoSeq2seq self = read_decoder (config);
  g_autofree char *source = g_strdup_printf (
      "%" G_GINT64_FORMAT, dyno_vit_count_tokens (dyno_config_get_child (config, "encoder")));

  if (dyno_config_check (config, NULL))
    dyno_seq2seq_add_decoder (&self, graph, source, FALSE);
}

static const DynoStage stages[] = {
  { "encoder", build_encoder, TRUE },
  { "decoder", build_decoder },
  { NULL },
};

static const DynoNamePair pairs[] = { { "decoder.model.decoder.embed_tokens.", "decoder.output_projection." },
                                      { NULL } };
static const char *const untrained[] = { "encoder.pooler.", NULL };
static const DynoNaming naming = { NULL, pairs, untrained };

const DynoArchitecture dyno_reader_architectures[] = {
  { "vision-encoder-decoder", &dyno_vision_text_family, "image-to-text", NULL, &naming, stages },
  { NULL },
};
