/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-decoder.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* Zamba2, Glorioso et al. 2024: layers of Mamba 2, some of them after one of a few blocks of attention and
 * feed-forward layers. All uses of a block share its weights, except adapters of low rank. */

/* The epsilon of Mamba's norm is not in the config. */
#define MIXER_EPSILON 1e-5

#define EMBEDDING "model.embed_tokens"

typedef struct
{
  DynoStateSpace mamba;
  DynoDecoder decoder;
  GArray *hybrids; /* the layers that follow a block */
  guint n_blocks;
  gint64 rank;
} Zamba;

static const DynoDecoderNames names = {
  .attention = "self_attn",
  .query = "q_proj",
  .key = "k_proj",
  .value = "v_proj",
  .output = "o_proj",
};

/* The weights of a block are named after the first layer that follows it. */
static const char *
add_block (const Zamba *self, DynoDecoding *decoding, guint layer, const char *value, const char *embeds)
{
  gint64 width = self->decoder.inner_width;
  const gint64 sizes[] = { width, width };
  DynoGraph *graph = decoding->graph;
  guint owner = g_array_index (self->hybrids, guint, decoding->adapter % self->n_blocks);
  const char *parts[2], *own;

  dyno_graph_push_scope (graph, "model.layers.%u.shared_transformer", owner);
  value = dyno_graph_add (graph, "Concat", "axis=2", value, embeds, NULL);
  value = dyno_layers_rms_norm (graph, "input_layernorm", value, self->decoder.epsilon);
  value = dyno_decoder_add_attention (decoding, layer, value);
  value = dyno_layers_rms_norm (graph, "pre_ff_layernorm", value, self->decoder.epsilon);

  dyno_graph_push_scope (graph, "feed_forward");
  own = dyno_decoder_add_adapter (decoding, "gate_up_proj_adapter_list", value, self->rank, 2 * width);
  value = dyno_layers_linear (graph, "gate_up_proj", value, 2 * width, self->mamba.has_bias);
  value = dyno_graph_add (graph, "Add", NULL, value, own, NULL);
  dyno_graph_add_split (graph, value, 2, 2, sizes, parts);
  parts[0] = dyno_layers_activation (graph, self->decoder.activation, parts[0]);
  value = dyno_graph_add (graph, "Mul", NULL, parts[0], parts[1], NULL);
  value = dyno_layers_linear (graph, "down_proj", value, self->decoder.width, self->mamba.has_bias);
  dyno_graph_pop_scope (graph);
  dyno_graph_pop_scope (graph);

  dyno_graph_push_scope (graph, "model.layers.%u", layer);
  value = dyno_layers_linear (graph, "linear", value, self->decoder.width, FALSE);
  dyno_graph_pop_scope (graph);
  return value;
}

static void
read_mamba (Zamba *self, DynoConfig *config)
{
  gint64 width = dyno_config_get_int (config, "hidden_size");
  gint64 inner = dyno_config_get_int_or (config, "mamba_expand", 2) * MIN (width, G_MAXINT32);
  gint64 n_heads = dyno_config_get_int_or (config, "n_mamba_heads", 8);
  const DynoConfigFields fields = { .width = "hidden_size", .heads = "n_mamba_heads" };

  self->mamba = (DynoStateSpace){
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .width = width,
    .inner_width = inner,
    .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
    .state_width = dyno_config_get_int_or (config, "mamba_d_state", 64),
    .kernel = dyno_config_get_int_or (config, "mamba_d_conv", 4),
    .n_heads = n_heads,
    .head_width = inner / n_heads,
    .n_groups = dyno_config_get_int_or (config, "mamba_ngroups", 1),
    .has_bias = dyno_config_get_boolean_or (config, "add_bias_linear", FALSE),
    .has_kernel_bias = TRUE,
    .epsilon = MIXER_EPSILON,
    .least_step = dyno_config_get_double_or (config, "time_step_min", 0.001),
    .activation = "silu",
  };
  dyno_config_check_layers (config, "num_hidden_layers", self->mamba.n_layers);
  if (self->mamba.kernel < 2)
    dyno_config_fail (config, _ ("its “%s” is 1, but must be at least 2"), "mamba_d_conv");
  dyno_config_check_heads (config, &fields, inner, n_heads);
  if (n_heads % self->mamba.n_groups != 0)
    dyno_config_fail (config, _ ("its %" PRId64 " heads cannot be parted into %" PRId64 " groups (“%s”)"),
                      n_heads, self->mamba.n_groups, "mamba_ngroups");
}

/* Options of the published code that no published Zamba2 uses. */
static const DynoConfigFixed fixed[] = { { "tie_word_embeddings", "true" },
                                         { "use_conv_bias", "true" },
                                         { "use_long_context", "false" } };

static void
read_attention (Zamba *self, DynoConfig *config)
{
  gint64 n_heads = dyno_config_get_int_or (config, "num_attention_heads", 32);
  gint64 width = self->mamba.width;

  self->decoder = (DynoDecoder){
    .names = &names,
    .layers = g_array_new (FALSE, TRUE, sizeof (DynoDecoderLayer)),
    .width = width,
    .n_layers = self->mamba.n_layers,
    .n_heads = n_heads,
    .n_cached_heads = dyno_config_get_int_or (config, "num_key_value_heads", n_heads),
    .head_width = 2 * width / n_heads,
    .inner_width = dyno_config_get_int_or (config, "intermediate_size", 4 * MIN (width, G_MAXINT32)),
    .n_positions = dyno_config_get_int_or (config, "max_position_embeddings", 4096),
    .norm = DYNO_NORM_RMS,
    .position = dyno_config_get_boolean_or (config, "use_mem_rope", FALSE) ? DYNO_POSITION_ROTARY
                                                                           : DYNO_POSITION_NONE,
    .softmax_type = DYNO_DATA_TYPE_FLOAT,
    .epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-5),
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
  };
  self->decoder.score_divisor = sqrt ((double)self->decoder.head_width / 2);
  g_array_set_size (self->decoder.layers, (guint)MIN (self->mamba.n_layers, DYNO_CONFIG_MAX_LAYERS));
  for (guint i = 0; i < self->decoder.layers->len; i++)
    g_array_index (self->decoder.layers, DynoDecoderLayer, i).has_rotation = TRUE;
  if (self->decoder.position == DYNO_POSITION_ROTARY)
    self->decoder.rotary[0] = dyno_rotary_read (
        config, NULL, dyno_config_get_double_or (config, "rope_theta", 10000), self->decoder.head_width, 1);
  self->rank = dyno_config_get_int_or (config, "adapter_rank", 128);
  if (dyno_config_get_boolean_or (config, "use_shared_attention_adapter", FALSE))
    self->decoder.adapter_rank = self->rank;
  self->n_blocks =
      (guint)MIN (dyno_config_get_int_or (config, "num_mem_blocks", 1), MAX (self->hybrids->len, 1));
  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));
  dyno_decoder_check (&self->decoder, config);
}

static void
zamba_clear (Zamba *self)
{
  dyno_decoder_clear (&self->decoder);
  g_clear_pointer (&self->hybrids, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Zamba, zamba_clear)

static void
add_all (const Zamba *self, DynoDecoding *decoding, DynoStateSpaceLayers *layers)
{
  DynoGraph *graph = decoding->graph;
  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *mask, *positions, *embeds, *value;

  dyno_graph_limit_input (graph, "input_ids", self->mamba.vocabulary);
  mask = dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, past + sequence");
  positions = dyno_graph_add_input (graph, "position_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  dyno_graph_limit_input (graph, "position_ids", self->decoder.n_positions);
  dyno_graph_limit_sequence (graph, self->decoder.n_positions);
  value = embeds = dyno_layers_embedding (graph, EMBEDDING, ids, self->mamba.vocabulary, self->mamba.width);
  dyno_graph_push_scope (graph, "model");
  dyno_decoder_add_masks (decoding, mask, positions);
  dyno_graph_pop_scope (graph);
  if (self->decoder.position == DYNO_POSITION_ROTARY)
    decoding->rotations[0] =
        dyno_rotary_add (&self->decoder.rotary[0], graph, "model.rotary_emb", positions, 1);
  for (layers->layer = 0; layers->layer < self->mamba.n_layers; layers->layer++)
    {
      const char *inner = value;
      gboolean is_hybrid;

      /* Which use of a block comes before the layer, or the number of uses. */
      decoding->adapter = 0;
      while (decoding->adapter < self->hybrids->len &&
             g_array_index (self->hybrids, guint, decoding->adapter) != layers->layer)
        decoding->adapter++;
      is_hybrid = decoding->adapter < self->hybrids->len;
      if (is_hybrid)
        inner = dyno_graph_add (graph, "Add", NULL, value,
                                add_block (self, decoding, layers->layer, value, embeds), NULL);
      dyno_graph_push_scope (graph, "model.layers.%u%s", layers->layer, is_hybrid ? ".mamba_decoder" : "");
      inner = dyno_layers_rms_norm (graph, "input_layernorm", inner, self->decoder.epsilon);
      inner = dyno_state_space_add_mixer2 (layers, "mamba", inner);
      value = dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
      dyno_graph_pop_scope (graph);
    }
  value = dyno_layers_rms_norm (graph, "model.final_layernorm", value, self->decoder.epsilon);
  dyno_state_space_add_outputs (layers, dyno_layers_tied_head (graph, "lm_head", value, EMBEDDING ".weight",
                                                               self->mamba.vocabulary, self->mamba.width));
  for (guint i = 0; i < self->hybrids->len; i++)
    dyno_decoder_add_cache_outputs (decoding, g_array_index (self->hybrids, guint, i), i);
}

static void
build (DynoGraph *graph, DynoConfig *config)
{
  g_auto (Zamba) self = { 0 };
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  g_autoptr (GPtrArray) full = g_ptr_array_new ();
  g_autoptr (GPtrArray) kernels = g_ptr_array_new ();
  g_autoptr (GPtrArray) states = g_ptr_array_new ();
  DynoStateSpaceLayers layers = { &self.mamba, graph, kernels, states, 0 };
  DynoDecoding decoding = { .decoder = &self.decoder,
                            .graph = graph,
                            .keys = keys,
                            .values = values,
                            .full = full,
                            .length = "sequence" };

  read_mamba (&self, config);

  g_autoptr (GPtrArray) types = dyno_config_get_texts (config, "layers_block_type");

  self.hybrids = g_array_new (FALSE, FALSE, sizeof (guint));
  if (types->len != self.mamba.n_layers)
    dyno_config_fail (config, _ ("its “%s” has %u entries for %" PRId64 " layers"), "layers_block_type",
                      types->len, self.mamba.n_layers);
  for (guint i = 0; i < types->len; i++)
    if (g_strcmp0 (types->pdata[i], "hybrid") == 0)
      g_array_append_val (self.hybrids, i);
    else if (g_strcmp0 (types->pdata[i], "mamba") != 0 &&
             g_strcmp0 (types->pdata[i], "linear_attention") != 0)
      dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), (const char *)types->pdata[i],
                        "layers_block_type");

  read_attention (&self, config);
  if (dyno_config_check (config, NULL))
    add_all (&self, &decoding, &layers);
}

static const DynoNaming naming = { "model",
                                   (const DynoNamePair[]){ { EMBEDDING ".", "lm_head." }, { NULL } } };

const DynoArchitecture dyno_zamba_architectures[] = {
  { "zamba2", &dyno_state_space_family, "text-generation", build, &naming },
  { NULL },
};
