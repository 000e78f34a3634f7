/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-config-checks.h"
#include "dyno-decoder.h"

static const DynoDecoderNames gpt2_names = {
  .embedding = "transformer.wte",
  .positions = "transformer.wpe",
  .layers = "transformer.h",
  .norm_before_attention = "ln_1",
  .attention = "attn",
  .query = "c_attn",
  .output = "c_proj",
  .norm_before_feed = "ln_2",
  .feed = "mlp",
  .up = "c_fc",
  .down = "c_proj",
  .final_norm = "transformer.ln_f",
  .head = "lm_head",
};

#define LLAMA_FRAME     .embedding = "model.embed_tokens", .layers = "model.layers", .head = "lm_head"
#define LLAMA_NORMS     .norm_before_attention = "input_layernorm", .norm_before_feed = "post_attention_layernorm"
#define LLAMA_ATTENTION .attention = "self_attn", .query = "q_proj", .key = "k_proj", .value = "v_proj"
#define LLAMA_FEED      .gate = "gate_proj", .up = "up_proj", .down = "down_proj"
#define LLAMA_NAMES                                                                                          \
  LLAMA_FRAME, LLAMA_ATTENTION, LLAMA_FEED, .output = "o_proj", .feed = "mlp", .final_norm = "model.norm"

static const DynoDecoderNames llama_names = {
  LLAMA_NAMES,
  LLAMA_NORMS,
};

static const DynoDecoderNames llama4_names = {
  LLAMA_FRAME,
  LLAMA_NORMS,
  LLAMA_ATTENTION,
  LLAMA_FEED,
  .output = "o_proj",
  .feed = "feed_forward",
  .final_norm = "model.norm",
};

static const DynoDecoderNames gemma2_names = {
  LLAMA_NAMES,
  .norm_before_attention = "input_layernorm",
  .norm_after_attention = "post_attention_layernorm",
  .norm_before_feed = "pre_feedforward_layernorm",
  .norm_after_feed = "post_feedforward_layernorm",
};

static const DynoDecoderNames olmo2_names = {
  LLAMA_NAMES,
  .norm_after_attention = "post_attention_layernorm",
  .norm_after_feed = "post_feedforward_layernorm",
};

#define GLM_NAMES                                                                                            \
  LLAMA_FRAME, LLAMA_NORMS, LLAMA_ATTENTION, .output = "o_proj", .feed = "mlp", .up = "gate_up_proj",        \
                                             .down = "down_proj", .final_norm = "model.norm"

static const DynoDecoderNames glm_names = { GLM_NAMES };

static const DynoDecoderNames glm4_names = {
  GLM_NAMES,
  .norm_after_attention = "post_self_attn_layernorm",
  .norm_after_feed = "post_mlp_layernorm",
};

static const DynoDecoderNames jamba_names = {
  LLAMA_FRAME,
  LLAMA_ATTENTION,
  LLAMA_FEED,
  .norm_before_attention = "input_layernorm",
  .output = "o_proj",
  .norm_before_feed = "pre_ff_layernorm",
  .feed = "feed_forward",
  .final_norm = "model.final_layernorm",
};

static const DynoDecoderNames lfm2_names = {
  LLAMA_FRAME,
  LLAMA_ATTENTION,
  .norm_before_attention = "operator_norm",
  .query_norm = "q_layernorm",
  .key_norm = "k_layernorm",
  .output = "out_proj",
  .norm_before_feed = "ffn_norm",
  .feed = "feed_forward",
  .gate = "w1",
  .up = "w3",
  .down = "w2",
  .final_norm = "model.embedding_norm",
};

/* One norm before attention and feed-forward layer, which are parallel. */
static const DynoDecoderNames parallel_names = {
  LLAMA_NAMES,
  .norm_before_attention = "input_layernorm",
};

static const DynoDecoderNames starcoder2_names = {
  LLAMA_FRAME,   LLAMA_NORMS,  LLAMA_ATTENTION,  .output = "o_proj",
  .feed = "mlp", .up = "c_fc", .down = "c_proj", .final_norm = "model.norm",
};

static const DynoDecoderNames phi3_names = {
  LLAMA_FRAME,          LLAMA_NORMS,         .attention = "self_attn",
  .query = "qkv_proj",  .output = "o_proj",  .feed = "mlp",
  .up = "gate_up_proj", .down = "down_proj", .final_norm = "model.norm",
};

#define OPT_NAMES                                                                                            \
  .embedding = "model.decoder.embed_tokens", .positions = "model.decoder.embed_positions",                   \
  .embedding_in = "model.decoder.project_in", .embedding_out = "model.decoder.project_out",                  \
  .layers = "model.decoder.layers", .norm_before_attention = "self_attn_layer_norm",                         \
  .attention = "self_attn", .query = "q_proj", .key = "k_proj", .value = "v_proj", .output = "out_proj",     \
  .norm_before_feed = "final_layer_norm", .up = "fc1", .down = "fc2", .head = "lm_head"

static const DynoDecoderNames opt_names = {
  OPT_NAMES,
  .final_norm = "model.decoder.final_layer_norm",
};

static const DynoDecoderNames opt_names_without_final_norm = { OPT_NAMES };

#define BLOOM_NAMES                                                                                          \
  .embedding = "transformer.word_embeddings", .layers = "transformer.h", .attention = "self_attention",      \
  .query = "query_key_value", .output = "dense", .feed = "mlp", .up = "dense_h_to_4h",                       \
  .down = "dense_4h_to_h", .final_norm = "transformer.ln_f", .head = "lm_head"

static const DynoDecoderNames bloom_names = {
  BLOOM_NAMES,
  .embedding_norm = "transformer.word_embeddings_layernorm",
  .norm_before_attention = "input_layernorm",
  .norm_before_feed = "post_attention_layernorm",
};

static const DynoDecoderNames falcon_names = {
  BLOOM_NAMES,
  .norm_before_attention = "input_layernorm",
  .norm_before_feed = "post_attention_layernorm",
};

static const DynoDecoderNames falcon_parallel_names = {
  BLOOM_NAMES,
  .norm_before_attention = "input_layernorm",
};

static const DynoDecoderNames falcon_two_norms_names = {
  BLOOM_NAMES,
  .norm_before_attention = "ln_attn",
  .norm_before_feed = "ln_mlp",
};

static const DynoDecoderNames gpt_neox_names = {
  .embedding = "gpt_neox.embed_in",
  .layers = "gpt_neox.layers",
  .norm_before_attention = "input_layernorm",
  .attention = "attention",
  .query = "query_key_value",
  .output = "dense",
  .norm_before_feed = "post_attention_layernorm",
  .feed = "mlp",
  .up = "dense_h_to_4h",
  .down = "dense_4h_to_h",
  .final_norm = "gpt_neox.final_layer_norm",
  .head = "embed_out",
};

static const DynoDecoderNames phi_names = {
  LLAMA_FRAME, LLAMA_ATTENTION, .norm_before_attention = "input_layernorm", .output = "dense", .feed = "mlp",
  .up = "fc1", .down = "fc2",   .final_norm = "model.final_layernorm",
};

static const DynoDecoderNames nomic_bert_names = {
  .embedding = "embeddings.word_embeddings",
  .types = "embeddings.token_type_embeddings",
  .embedding_norm = "emb_ln",
  .layers = "encoder.layers",
  .norm_before_attention = "norm1",
  .attention = "attn",
  .query = "Wqkv",
  .output = "out_proj",
  .norm_before_feed = "norm2",
  .feed = "mlp",
  .gate = "fc12",
  .up = "fc11",
  .down = "fc2",
};

/* Options of the published code that the published models do not use. */
static const DynoConfigFixed fixed_nomic_bert[] = {
  { "activation_function", "\"swiglu\"" },
  { "mlp_fc1_bias", "false" },
  { "mlp_fc2_bias", "false" },
  { "prenorm", "false" },
  { "qkv_proj_bias", "false" },
  { "rotary_emb_fraction", "1.0" },
  { "rotary_emb_interleaved", "false" },
  { "use_rms_norm", "false" },
};

/* The name of a size: the current one, or that in older configs if only it is there. */
static const char *
find_name (DynoConfig *config, const char *name, const char *old_name)
{
  gboolean is_old =
      dyno_config_get_int_or (config, name, 0) == 0 && dyno_config_get_int_or (config, old_name, 0) > 0;

  return is_old ? old_name : name;
}

static DynoDecoderLayer *
get_layer (DynoDecoder *self, guint layer)
{
  return &g_array_index (self->layers, DynoDecoderLayer, layer);
}

/* A list with an entry for each layer. */
static JsonArray *
get_list (DynoDecoder *self, DynoConfig *config, const char *name)
{
  JsonArray *list = dyno_config_get_array (config, name);

  if (list == NULL || json_array_get_length (list) == self->layers->len)
    return list;
  dyno_config_fail (config, _ ("its “%s” has %u entries for %" PRId64 " layers"), name,
                    json_array_get_length (list), self->n_layers);
  return NULL;
}

/* Reads which layers have a window: those in “layer_types”, else all but every @pattern-th, from @first
 * on. */
static void
read_windows (DynoDecoder *self, DynoConfig *config, gint64 first, gint64 pattern)
{
  JsonArray *types = get_list (self, config, "layer_types");

  self->window = dyno_config_get_count_or (config, "sliding_window", 0);
  for (guint i = 0; i < self->layers->len; i++)
    get_layer (self, i)->has_window = i >= first && (pattern == 0 || (i + 1) % pattern != 0);
  if (types != NULL)
    {
      for (guint i = 0; i < self->layers->len; i++)
        {
          JsonNode *node = json_array_get_element (types, i);
          const char *type = JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;

          if (g_strcmp0 (type, "sliding_attention") != 0 && g_strcmp0 (type, "full_attention") != 0)
            dyno_config_fail (config, _ ("its “layer_types” names a kind of layer that is not known: “%s”"),
                              type != NULL ? type : "");
          get_layer (self, i)->has_window = g_strcmp0 (type, "sliding_attention") == 0;
        }
    }
  for (guint i = 0; i < self->layers->len; i++)
    get_layer (self, i)->is_local = get_layer (self, i)->has_window;
}

/* For models with a separate flag that turns windows on. */
static void
read_windows_if_used (DynoDecoder *self, DynoConfig *config)
{
  if (dyno_config_get_boolean_or (config, "use_sliding_window", FALSE))
    read_windows (self, config, dyno_config_get_int_or (config, "max_window_layers", self->n_layers), 0);
}

/* Reads the members that all have in common, by the given names or else the usual ones; the rest defaults
 * to the first GPT. */
static void
read_sizes (DynoDecoder *self, DynoConfig *config, const DynoConfigFields *fields)
{
  self->fields = dyno_config_fields_complete (fields);
  self->vocabulary = dyno_config_get_int (config, "vocab_size");
  self->width = dyno_config_get_int (config, self->fields.width);
  self->embedding_width = self->width;
  self->n_layers = dyno_config_get_int (config, self->fields.layers);
  self->n_heads = dyno_config_get_int (config, self->fields.heads);
  self->n_cached_heads = self->n_heads;
  if (dyno_config_get_int_or (config, "head_dim", 0) == 0)
    dyno_config_check_heads (config, &self->fields, self->width, self->n_heads);
  self->head_width = dyno_config_get_int_or (config, "head_dim", self->width / self->n_heads);
  self->is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE);
  self->softmax_type = DYNO_DATA_TYPE_FLOAT;
  self->bias_type = DYNO_DATA_TYPE_FLOAT;

  /* Larger numbers are refused later; until then they must not use memory. */
  g_array_set_size (self->layers, (guint)MIN (self->n_layers, DYNO_CONFIG_MAX_LAYERS));
  for (guint i = 0; i < self->layers->len; i++)
    get_layer (self, i)->has_rotation = TRUE;
}

static void
read_rotary_part (DynoDecoder *self, DynoConfig *config, double theta, double share)
{
  self->position = DYNO_POSITION_ROTARY;
  self->rotary[0] =
      dyno_rotary_read (config, NULL, dyno_config_get_double_or (config, "rope_theta", theta),
                        self->head_width, dyno_config_get_double_or (config, "partial_rotary_factor", share));
}

static void
read_rotary (DynoDecoder *self, DynoConfig *config, double theta)
{
  read_rotary_part (self, config, theta, 1);
}

/* A factor that cannot be 0. */
static double
get_factor (DynoConfig *config, const char *name)
{
  double factor = dyno_config_get_double_or (config, name, 1);

  if (factor > 0)
    return factor;
  dyno_config_fail (config, _ ("its “%s” is %g, but must be above 0"), name, factor);
  return 1;
}

/* Options of the published code that no published GPT-2 has. */
static const DynoConfigFixed fixed_gpt2[] = {
  { "scale_attn_weights", "true" },
  { "scale_attn_by_inverse_layer_idx", "false" },
  { "reorder_and_upcast_attn", "false" },
  { "add_cross_attention", "false" },
};

static void
read_gpt2 (DynoDecoder *self, DynoConfig *config)
{
  read_sizes (self, config,
              &(DynoConfigFields){ "n_embd", "n_layer", "n_head", .activation = "activation_function" });
  dyno_config_check_fixed (config, fixed_gpt2, G_N_ELEMENTS (fixed_gpt2));
  self->names = &gpt2_names;
  self->inner_width = dyno_config_get_int_or (config, "n_inner", 4 * self->width);
  self->n_positions = dyno_config_get_int (config, "n_positions");
  self->projection = DYNO_PROJECTION_JOINED;
  self->is_conv1d = TRUE;
  self->softmax_type = DYNO_DATA_TYPE_UNDEFINED;
  self->has_input_bias = self->has_output_bias = self->has_feed_bias = TRUE;
  self->epsilon = dyno_config_get_double_or (config, "layer_norm_epsilon", 1e-5);
  self->activation = dyno_config_get_string_or (config, "activation_function", "gelu_new");
}

/* The position table begins with two rows that are never looked up. */
static void
read_opt (DynoDecoder *self, DynoConfig *config)
{
  gboolean is_norm_before = dyno_config_get_boolean_or (config, "do_layer_norm_before", TRUE);
  gboolean has_final_norm =
      is_norm_before && !dyno_config_get_boolean_or (config, "_remove_final_layer_norm", FALSE);
  gboolean has_bias = dyno_config_get_boolean_or (config, "enable_bias", TRUE);

  read_sizes (self, config, &(DynoConfigFields){ .activation = "activation_function" });
  if (!dyno_config_get_boolean_or (config, "layer_norm_elementwise_affine", TRUE))
    dyno_config_fail (config,
                      _ ("norms without weights (“layer_norm_elementwise_affine”) are not supported"));
  self->names = has_final_norm ? &opt_names : &opt_names_without_final_norm;
  self->embedding_width = dyno_config_get_int_or (config, "word_embed_proj_dim", self->width);
  self->inner_width = dyno_config_get_int (config, "ffn_dim");
  self->n_positions = dyno_config_get_int (config, "max_position_embeddings");
  self->first_position = 2;
  self->is_norm_after = !is_norm_before;
  self->has_input_bias = self->has_output_bias = self->has_feed_bias = has_bias;
  self->epsilon = 1e-5;
  self->activation = dyno_config_get_string_or (config, "activation_function", "relu");
}

static void
refuse_residual_of_norm (DynoConfig *config)
{
  if (dyno_config_get_boolean_or (config, "apply_residual_connection_post_layernorm", FALSE))
    dyno_config_fail (
        config,
        _ ("residuals of what is normalised (“apply_residual_connection_post_layernorm”) are not supported"));
}

static void
read_bloom (DynoDecoder *self, DynoConfig *config)
{
  const DynoConfigFields fields = {
    .width = find_name (config, "hidden_size", "n_embed"),
    .layers = find_name (config, "n_layer", "num_hidden_layers"),
    .heads = find_name (config, "n_head", "num_attention_heads"),
  };

  read_sizes (self, config, &fields);
  refuse_residual_of_norm (config);
  self->names = &bloom_names;
  self->position = DYNO_POSITION_ALIBI;
  self->projection = DYNO_PROJECTION_GROUPED;
  self->inner_width = 4 * self->width;
  self->n_positions = dyno_config_get_int_or (config, "seq_length", 2048);
  self->has_input_bias = self->has_output_bias = self->has_feed_bias = TRUE;
  self->epsilon = dyno_config_get_double_or (config, "layer_norm_epsilon", 1e-5);
  self->activation = "gelu_new";
}

static void
read_gpt_neox (DynoDecoder *self, DynoConfig *config)
{
  double theta = dyno_config_get_double_or (config, "rotary_emb_base", 10000);
  gboolean has_bias = dyno_config_get_boolean_or (config, "attention_bias", TRUE);

  read_sizes (self, config, &(DynoConfigFields){ 0 });
  self->names = &gpt_neox_names;
  self->position = DYNO_POSITION_ROTARY;
  self->rotary[0] =
      dyno_rotary_read (config, NULL, dyno_config_get_double_or (config, "rope_theta", theta),
                        self->head_width, dyno_config_get_double_or (config, "rotary_pct", 0.25));
  self->projection = DYNO_PROJECTION_GROUPED;
  self->inner_width = dyno_config_get_int (config, "intermediate_size");
  self->n_positions = dyno_config_get_int (config, "max_position_embeddings");
  self->is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", FALSE);
  self->is_parallel = dyno_config_get_boolean_or (config, "use_parallel_residual", TRUE);
  self->has_input_bias = self->has_output_bias = has_bias;
  self->has_feed_bias = TRUE;
  self->epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-5);
  self->activation = dyno_config_get_string_or (config, "hidden_act", "gelu");
}

static void
read_falcon (DynoDecoder *self, DynoConfig *config)
{
  const DynoConfigFields fields = {
    .width = find_name (config, "hidden_size", "n_embed"),
    .layers = find_name (config, "num_hidden_layers", "n_layer"),
    .heads = find_name (config, "num_attention_heads", "n_head"),
    .groups = "num_kv_heads",
    .activation = "activation",
  };

  read_sizes (self, config, &fields);
  refuse_residual_of_norm (config);

  /* The new architecture is always parallel, with a norm for each branch unless the config asks for a common one. */
  gboolean is_new = dyno_config_get_boolean_or (config, "new_decoder_architecture", FALSE);
  gint64 n_norms = dyno_config_get_int_or (config, "num_ln_in_parallel_attn", is_new ? 2 : 1);

  self->is_parallel = is_new || dyno_config_get_boolean_or (config, "parallel_attn", TRUE);
  self->names = !self->is_parallel       ? &falcon_names
                : is_new && n_norms == 2 ? &falcon_two_norms_names
                                         : &falcon_parallel_names;
  if (is_new)
    self->n_cached_heads = dyno_config_get_int_or (config, "num_kv_heads", self->n_heads);
  else if (dyno_config_get_boolean_or (config, "multi_query", TRUE))
    self->n_cached_heads = 1;

  if (dyno_config_get_boolean_or (config, "alibi", FALSE))
    {
      /* The first Falcons use ALiBi with slopes in bfloat16, which are divided together with the scores. */
      self->position = DYNO_POSITION_ALIBI;
      self->bias_type = DYNO_DATA_TYPE_BFLOAT16;
      self->bias_divisor = sqrt ((double)self->head_width);
    }
  else
    read_rotary (self, config, 10000);
  self->projection = DYNO_PROJECTION_GROUPED;
  self->inner_width = dyno_config_get_int_or (config, "ffn_hidden_size", 4 * self->width);
  self->n_positions = dyno_config_get_int_or (config, "max_position_embeddings", 2048);
  self->has_input_bias = dyno_config_get_boolean_or (config, "bias", FALSE);
  self->has_output_bias = self->has_feed_bias = self->has_input_bias;
  self->epsilon = dyno_config_get_double_or (config, "layer_norm_epsilon", 1e-5);
  self->activation = dyno_config_get_string_or (config, "activation", "gelu");
}

/* Reads all members but the width of the feed-forward layers. */
static void
read_llama_frame (DynoDecoder *self, DynoConfig *config, double theta)
{
  gboolean has_bias = dyno_config_get_boolean_or (config, "attention_bias", FALSE);

  read_sizes (self, config, &(DynoConfigFields){ 0 });
  self->names = &llama_names;
  self->n_cached_heads = dyno_config_get_int_or (config, "num_key_value_heads", self->n_heads);
  self->n_positions = dyno_config_get_int (config, "max_position_embeddings");
  self->norm = DYNO_NORM_RMS;
  self->is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", FALSE);
  self->is_gated = TRUE;
  self->has_input_bias = self->has_output_bias = has_bias;
  self->has_feed_bias = dyno_config_get_boolean_or (config, "mlp_bias", FALSE);
  self->epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-6);
  self->activation = dyno_config_get_string_or (config, "hidden_act", "silu");
  read_rotary (self, config, theta);
}

/* Llama and its descendants. */
static void
read_llama_with (DynoDecoder *self, DynoConfig *config, double theta)
{
  read_llama_frame (self, config, theta);
  self->inner_width = dyno_config_get_int (config, "intermediate_size");
}

static void
read_llama (DynoDecoder *self, DynoConfig *config)
{
  read_llama_with (self, config, 10000);
}

static void
read_mistral (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  read_windows (self, config, 0, 0);
}

static void
read_qwen2 (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  read_windows_if_used (self, config);
  self->has_input_bias = TRUE;
  self->has_output_bias = FALSE;
}

static void
read_qwen3 (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  read_windows_if_used (self, config);
  self->head_width = dyno_config_get_int_or (config, "head_dim", 128);
  read_rotary (self, config, 10000);
  self->head_norm = DYNO_HEAD_NORM_EACH;
}

/* Qwen2-VL and Qwen2.5-VL: texts with pictures, whose tokens have rows and columns. */
static void
read_qwen2_vl (DynoDecoder *self, DynoConfig *config)
{
  read_qwen2 (self, config);
  self->epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-5);
  read_rotary (self, config, 1000000);
  dyno_rotary_read_sections (&self->rotary[0], config, FALSE);
}

static void
read_qwen3_vl (DynoDecoder *self, DynoConfig *config)
{
  read_qwen3 (self, config);
  read_rotary (self, config, 500000);
  dyno_rotary_read_sections (&self->rotary[0], config, TRUE);
}

/* The norms of heads were an option of the code, and no published Phi has them. */
static const DynoConfigFixed fixed_phi[] = { { "qk_layernorm", "false" } };

/* Phi-1, 1.5 and 2: attention and feed-forward layer share a norm, and even the head has a bias. */
static void
read_phi (DynoDecoder *self, DynoConfig *config)
{
  read_sizes (self, config, &(DynoConfigFields){ 0 });
  dyno_config_check_fixed (config, fixed_phi, G_N_ELEMENTS (fixed_phi));
  self->names = &phi_names;
  self->n_cached_heads = dyno_config_get_int_or (config, "num_key_value_heads", self->n_heads);
  self->inner_width = dyno_config_get_int (config, "intermediate_size");
  self->n_positions = dyno_config_get_int (config, "max_position_embeddings");
  self->is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", FALSE);
  self->is_parallel = TRUE;
  self->has_input_bias = self->has_output_bias = self->has_feed_bias = self->has_head_bias = TRUE;
  self->epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-5);
  self->activation = dyno_config_get_string_or (config, "hidden_act", "gelu_new");
  read_rotary_part (self, config, 10000, 0.5);
}

static void
read_phi3 (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  read_windows (self, config, 0, 0);
  self->names = &phi3_names;
  self->projection = DYNO_PROJECTION_JOINED;
  self->is_gate_fused = TRUE;
}

/* Four factors besides those of Llama. */
static void
read_granite (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  self->embedding_scale = dyno_config_get_double_or (config, "embedding_multiplier", 1);
  self->score_divisor = 1 / get_factor (config, "attention_multiplier");
  self->residual_scale = dyno_config_get_double_or (config, "residual_multiplier", 1);
  self->logit_scale = 1 / get_factor (config, "logits_scaling");
}

static void
read_glm (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  self->names = &glm_names;
  self->is_gate_fused = TRUE;
  self->has_output_bias = FALSE;
  read_rotary_part (self, config, 10000, 0.5);
  self->rotary[0].is_interleaved = TRUE;
}

static void
read_glm4 (DynoDecoder *self, DynoConfig *config)
{
  read_glm (self, config);
  self->names = &glm4_names;
}

/* Only Command R+ has norms of heads, with a weight for each. */
static const DynoConfigFixed fixed_cohere[] = { { "use_qk_norm", "false" } };

static void
read_cohere_with (DynoDecoder *self, DynoConfig *config, double theta)
{
  read_llama_with (self, config, theta);
  dyno_config_check_fixed (config, fixed_cohere, G_N_ELEMENTS (fixed_cohere));
  self->names = &parallel_names;
  self->norm = DYNO_NORM_LAYER_UNBIASED;
  self->epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-5);
  self->is_parallel = TRUE;
  self->is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE);
  self->logit_scale = dyno_config_get_double_or (config, "logit_scale", 0.0625);
  self->rotary[0].is_interleaved = TRUE;
}

static void
read_cohere (DynoDecoder *self, DynoConfig *config)
{
  read_cohere_with (self, config, 500000);
}

/* Layers without a window have no positions except the causal mask. */
static void
read_cohere2 (DynoDecoder *self, DynoConfig *config)
{
  read_cohere_with (self, config, 10000);
  read_windows (self, config, 0, dyno_config_get_int_or (config, "sliding_window_pattern", 4));
  for (guint i = 0; i < self->layers->len; i++)
    get_layer (self, i)->has_rotation = get_layer (self, i)->has_window;
}

static void
read_starcoder2 (DynoDecoder *self, DynoConfig *config)
{
  gboolean has_bias = dyno_config_get_boolean_or (config, "use_bias", TRUE);

  read_llama (self, config);
  read_windows (self, config, 0, 0);
  self->names = &starcoder2_names;
  self->norm = DYNO_NORM_LAYER;
  self->is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE);
  self->is_gated = FALSE;
  self->has_input_bias = self->has_output_bias = self->has_feed_bias = has_bias;
  self->epsilon = dyno_config_get_double_or (config, "norm_epsilon", 1e-5);
  self->activation = dyno_config_get_string_or (config, "hidden_act", "gelu_pytorch_tanh");
}

/* Only StableLM 2 12B has norms of heads, with a weight for each. */
static const DynoConfigFixed fixed_stablelm[] = { { "qk_layernorm", "false" } };

static void
read_stablelm (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  dyno_config_check_fixed (config, fixed_stablelm, G_N_ELEMENTS (fixed_stablelm));
  self->norm = DYNO_NORM_LAYER;
  self->epsilon = dyno_config_get_double_or (config, "layer_norm_eps", 1e-5);
  self->is_parallel = dyno_config_get_boolean_or (config, "use_parallel_residual", FALSE);
  if (self->is_parallel)
    self->names = &parallel_names;
  self->has_input_bias = dyno_config_get_boolean_or (config, "use_qkv_bias", FALSE);
  self->has_output_bias = FALSE;
  read_rotary_part (self, config, 10000, 0.25);
}

static void
read_ernie4_5 (DynoDecoder *self, DynoConfig *config)
{
  gboolean has_bias = dyno_config_get_boolean_or (config, "use_bias", FALSE);

  read_llama_with (self, config, 500000);
  self->epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-5);
  self->is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE);
  self->has_input_bias = self->has_output_bias = self->has_feed_bias = has_bias;
  self->rotary[0].is_interleaved = TRUE;
}

/* Some layers have no positions except the causal mask. */
static void
read_rotated_layers (DynoDecoder *self, DynoConfig *config)
{
  g_autoptr (GArray) rotated = dyno_config_get_indices (config, "no_rope_layers");
  gint64 interval = dyno_config_get_int_or (config, "no_rope_layer_interval", 4);

  if (get_list (self, config, "no_rope_layers") == NULL)
    g_clear_pointer (&rotated, g_array_unref);
  for (guint i = 0; i < self->layers->len; i++)
    get_layer (self, i)->has_rotation =
        rotated != NULL ? g_array_index (rotated, gint64, i) != 0 : (i + 1) % interval != 0;
}

static void
read_smollm3 (DynoDecoder *self, DynoConfig *config)
{
  read_llama_with (self, config, 2000000);
  read_windows_if_used (self, config);
  read_rotated_layers (self, config);
  self->is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE);
}

static void
read_gemma (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  self->norm = DYNO_NORM_RMS_ZERO;
  self->is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE);
  self->embedding_scale = sqrt ((double)self->width);
  self->activation = dyno_config_get_string_or (config, "hidden_activation", "gelu_pytorch_tanh");
  self->fields.activation = "hidden_activation";
}

static void
read_gemma2 (DynoDecoder *self, DynoConfig *config)
{
  read_gemma (self, config);
  read_windows (self, config, 0, 2);
  self->names = &gemma2_names;
  self->score_divisor = sqrt (dyno_config_get_double_or (config, "query_pre_attn_scalar", 256));
  self->score_cap = dyno_config_get_double_or (config, "attn_logit_softcapping", 0);
  self->logit_cap = dyno_config_get_double_or (config, "final_logit_softcapping", 0);
}

/* The encoder or the decoder of T5Gemma. */
static void
read_t5_gemma (DynoDecoder *self, DynoConfig *config)
{
  gboolean has_whole = FALSE;

  read_gemma2 (self, config);
  for (guint i = 0; i < self->layers->len; i++)
    has_whole = has_whole || !get_layer (self, i)->has_window;
  if (!has_whole)
    dyno_config_fail (config, _ ("its “layer_types” has no layer without a window"));
}

/* Reads the rotations of layers without and with a window; their heads are normalised first. */
static void
read_gemma3_heads (DynoDecoder *self, DynoConfig *config)
{
  double theta = dyno_config_get_double_or (config, "rope_theta", 1000000);
  double local_theta = dyno_config_get_double_or (config, "rope_local_base_freq", 10000);

  self->head_norm = DYNO_HEAD_NORM_EACH;
  self->rotary[0] = dyno_rotary_read (config, "full_attention", theta, self->head_width, 1);
  self->rotary[1] = dyno_rotary_read (config, "sliding_attention", local_theta, self->head_width, 1);
  if (dyno_config_get_object (config, "rope_parameters") == NULL)
    self->rotary[1].scaling = NULL;
}

/* The last layers read the keys and values of the last layer of their kind before them. */
static void
read_sources (DynoDecoder *self, DynoConfig *config, gint64 usual)
{
  gint64 n_readers = dyno_config_get_count_or (config, "num_kv_shared_layers", usual);
  gint64 first = self->n_layers - n_readers;
  guint sources[2] = { 0, 0 };

  for (guint i = 0; i < self->layers->len; i++)
    {
      DynoDecoderLayer *layer = get_layer (self, i);

      if (i < first)
        sources[layer->is_local] = i + 1;
      layer->source = i < first ? 0 : sources[layer->is_local];
      if (i >= first && layer->source == 0)
        dyno_config_fail (config,
                          _ ("its last %" PRId64
                             " layers (“%s”) need keys and values of earlier layers of the "
                             "same kinds (“layer_types”)"),
                          n_readers, "num_kv_shared_layers");
    }
}

/* The common part of Gemma 3n and Gemma 4. */
static void
read_gemma_edge (DynoDecoder *self, DynoConfig *config, gint64 pattern)
{
  read_llama_frame (self, config, 10000);
  read_windows (self, config, 0, pattern);
  self->names = &gemma2_names;
  self->is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE);
  self->embedding_scale = sqrt ((double)self->width);
  self->activation = dyno_config_get_string_or (config, "hidden_activation", "gelu_pytorch_tanh");
  self->fields.activation = "hidden_activation";
  self->score_divisor = 1;
  self->has_value_norm = TRUE;
  self->extra_rows = dyno_config_get_int_or (config, "vocab_size_per_layer_input", 262144);
}

/* Options of the published code that no published Gemma 3n uses. */
static const DynoConfigFixed fixed_gemma3n[] = { { "altup_active_idx", "0" },
                                                 { "altup_correct_scale", "true" } };

/* Gemma 3n, Google 2025. */
static void
read_gemma3n (DynoDecoder *self, DynoConfig *config)
{
  read_gemma_edge (self, config, 5);
  dyno_config_check_fixed (config, fixed_gemma3n, G_N_ELEMENTS (fixed_gemma3n));
  read_gemma3_heads (self, config);
  read_sources (self, config, 15);

  g_autoptr (GArray) widths =
      dyno_config_get_ints_for_each (config, "intermediate_size", self->layers->len, 16384);
  JsonArray *shares = get_list (self, config, "activation_sparsity_pattern");

  for (guint i = 0; i < self->layers->len && i < widths->len; i++)
    {
      JsonNode *node = shares != NULL ? json_array_get_element (shares, i) : NULL;
      GType type =
          node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node) : G_TYPE_NONE;
      /* The share of gates that a layer closes. */
      double share = type == G_TYPE_DOUBLE || type == G_TYPE_INT64 ? json_node_get_double (node) : -1;

      if (shares == NULL)
        share = self->n_layers > 10 && i < 10 ? 0.95 : 0;
      if (!(share >= 0 && share <= 0.999))
        dyno_config_fail (config, _ ("its “%s” holds something that is not a share from 0 to 0.999"),
                          "activation_sparsity_pattern");
      get_layer (self, i)->inner_width = g_array_index (widths, gint64, i);
      get_layer (self, i)->sparsity = share >= 0 && share <= 0.999 ? share : 0;
    }

  self->logit_cap = dyno_config_get_double_or (config, "final_logit_softcapping", 30);
  self->n_streams = dyno_config_get_int_or (config, "altup_num_inputs", 4);
  self->low_rank = dyno_config_get_int_or (config, "laurel_rank", 64);
  self->extra_width = dyno_config_get_int_or (config, "hidden_size_per_layer_input", 256);
  if (self->n_streams < 2 || self->n_streams > 64)
    dyno_config_fail (config, _ ("its “%s” must lie between 2 and 64"), "altup_num_inputs");
}

static void
read_gemma4_experts (DynoDecoder *self, DynoConfig *config)
{
  if (!dyno_config_get_boolean_or (config, "enable_moe_block", FALSE))
    return;
  self->experts = (DynoExperts){
    .field = "num_experts",
    .n_experts = dyno_config_get_int (config, "num_experts"),
    .n_chosen = dyno_config_get_int (config, "top_k_experts"),
    .chosen_field = "top_k_experts",
    .width = dyno_config_get_int (config, "moe_intermediate_size"),
    .is_normalised = TRUE,
    .is_beside = TRUE,
    .router = "router.proj",
    .up = "gate_up_proj",
    .down = "down_proj",
  };
  for (guint i = 0; i < self->layers->len; i++)
    get_layer (self, i)->has_experts = TRUE;
}

/* Options of the published code that no published Gemma 4 uses; “vision” is about pictures alone. */
static const DynoConfigFixed fixed_gemma4[] = { { "per_layer_config", "null" },
                                                { "use_bidirectional_attention", "\"vision\"" } };

/* Gemma 4, Google 2026. The last layer never has a window. */
static void
read_gemma4 (DynoDecoder *self, DynoConfig *config)
{
  read_gemma_edge (self, config, 6);
  dyno_config_check_fixed (config, fixed_gemma4, G_N_ELEMENTS (fixed_gemma4));
  dyno_config_get_child (config, "rope_parameters");
  if (self->layers->len > 0)
    get_layer (self, self->layers->len - 1)->has_window = get_layer (self, self->layers->len - 1)->is_local =
        FALSE;
  read_gemma3_heads (self, config);

  /* Layers without a window have another number of wider heads, and their values may be their keys. */
  gint64 width = dyno_config_get_int_or (config, "global_head_dim", 512);
  gboolean has_common_values = dyno_config_get_boolean_or (config, "attention_k_eq_v", FALSE);
  gint64 n_heads = has_common_values
                       ? dyno_config_get_int_or (config, "num_global_key_value_heads", self->n_cached_heads)
                       : self->n_cached_heads;

  if (self->n_heads % n_heads != 0)
    dyno_config_fail (
        config, _ ("its %" PRId64 " heads (“%s”) cannot share %" PRId64 " heads of keys and values (“%s”)"),
        self->n_heads, "num_attention_heads", n_heads, "num_global_key_value_heads");
  for (guint i = 0; i < self->layers->len; i++)
    if (!get_layer (self, i)->is_local)
      {
        get_layer (self, i)->head_width = width;
        get_layer (self, i)->n_cached_heads = n_heads;
        get_layer (self, i)->has_common_values = has_common_values;
      }
  self->rotary[0] = dyno_rotary_read (config, "full_attention", 1000000, width, 1);

  read_sources (self, config, 0);
  read_gemma4_experts (self, config);
  self->inner_width = dyno_config_get_int (config, "intermediate_size");
  for (guint i = 0; i < self->layers->len; i++)
    if (get_layer (self, i)->source > 0 && dyno_config_get_boolean_or (config, "use_double_wide_mlp", FALSE))
      get_layer (self, i)->inner_width = 2 * MIN (self->inner_width, G_MAXINT32);
  self->logit_cap = dyno_config_get_double_or (config, "final_logit_softcapping", 0);
  self->extra_width = dyno_config_get_count_or (config, "hidden_size_per_layer_input", 256);
  self->has_layer_scales = TRUE;
}

/* Gemma as a text encoder, with half of the window on either side. */
static void
read_gemma3_text (DynoDecoder *self, DynoConfig *config)
{
  read_gemma2 (self, config);
  read_windows (self, config, 0, dyno_config_get_int_or (config, "sliding_window_pattern", 6));
  read_gemma3_heads (self, config);

  self->is_bidirectional = dyno_config_get_boolean_or (config, "use_bidirectional_attention", FALSE);
  if (self->is_bidirectional && self->window > 0)
    self->window = self->window / 2 + 1;
}

static void
read_eurobert (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  self->epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-5);
  self->is_bidirectional = TRUE;
}

/* Published configs have the names of GPT-2. */
static void
read_nomic_bert (DynoDecoder *self, DynoConfig *config)
{
  const DynoConfigFields fields = {
    .width = find_name (config, "hidden_size", "n_embd"),
    .layers = find_name (config, "num_hidden_layers", "n_layer"),
    .heads = find_name (config, "num_attention_heads", "n_head"),
  };
  double theta = dyno_config_get_double_or (config, "rotary_emb_base", 1000);

  read_sizes (self, config, &fields);
  dyno_config_check_fixed (config, fixed_nomic_bert, G_N_ELEMENTS (fixed_nomic_bert));
  self->names = &nomic_bert_names;
  self->n_types = dyno_config_get_count_or (config, "type_vocab_size", 2);
  self->inner_width = dyno_config_get_int (config, find_name (config, "intermediate_size", "n_inner"));
  self->n_positions =
      dyno_config_get_int (config, find_name (config, "max_position_embeddings", "n_positions"));
  self->projection = DYNO_PROJECTION_JOINED;
  self->is_bidirectional = self->is_norm_after = self->is_gated = TRUE;
  self->epsilon = dyno_config_get_double_or (config, "layer_norm_eps",
                                             dyno_config_get_double_or (config, "layer_norm_epsilon", 1e-12));
  self->activation = dyno_config_get_string_or (config, "hidden_act", "silu");
  read_rotary (self, config, theta);
}

static void
read_experts (DynoDecoder *self, DynoConfig *config, const char *name)
{
  const char *chosen = find_name (config, "num_experts_per_tok", "moe_k");

  self->experts = (DynoExperts){
    .field = name,
    .n_experts = dyno_config_get_int (config, name),
    .n_chosen = dyno_config_get_int (config, chosen),
    .chosen_field = chosen,
    .width = dyno_config_get_int_or (config, "moe_intermediate_size", self->inner_width),
    .is_normalised = dyno_config_get_boolean_or (config, "norm_topk_prob", FALSE),
    .scope = "mlp",
    .gate = "gate_proj",
    .up = "up_proj",
    .down = "down_proj",
  };

  /* Reads which layers are mixtures: every n-th, except those that the config excludes. */
  gint64 step = dyno_config_get_int_or (config, "decoder_sparse_step", 1);
  g_autoptr (GArray) dense = dyno_config_get_indices (config, "mlp_only_layers");

  for (guint i = 0; i < self->layers->len; i++)
    get_layer (self, i)->has_experts = (i + 1) % step == 0;
  dyno_config_check_indices (config, "mlp_only_layers", self->layers->len);
  for (guint i = 0; dense != NULL && i < dense->len && dyno_config_check (config, NULL); i++)
    get_layer (self, (guint)g_array_index (dense, gint64, i))->has_experts = FALSE;
}

static void
name_as_mixtral (DynoDecoder *self)
{
  self->experts.scope = "block_sparse_moe";
  self->experts.gate = "w1";
  self->experts.up = "w3";
  self->experts.down = "w2";
}

static void
read_mixtral (DynoDecoder *self, DynoConfig *config)
{
  read_llama_with (self, config, 1000000);
  read_windows (self, config, 0, 0);
  read_experts (self, config, find_name (config, "num_local_experts", "num_experts"));
  self->experts.is_normalised = TRUE;
  name_as_mixtral (self);
}

static void
read_qwen2_moe (DynoDecoder *self, DynoConfig *config)
{
  read_qwen2 (self, config);
  read_experts (self, config, find_name (config, "num_experts", "num_local_experts"));
  self->has_input_bias = dyno_config_get_boolean_or (config, "qkv_bias", TRUE);
  self->experts.shared_width = dyno_config_get_int (config, "shared_expert_intermediate_size");
}

static void
read_qwen3_moe (DynoDecoder *self, DynoConfig *config)
{
  read_qwen3 (self, config);
  read_experts (self, config, find_name (config, "num_experts", "num_local_experts"));
}

/* Layers have attention if “layer_types” lists them, else if @is_attention returns TRUE. */
static void
read_mixers (DynoDecoder *self,
             DynoConfig *config,
             DynoMixer mixer,
             const char *name,
             gboolean (*is_attention) (DynoConfig *config, guint layer))
{
  JsonArray *types = get_list (self, config, "layer_types");

  for (guint i = 0; i < self->layers->len; i++)
    {
      JsonNode *node = types != NULL ? json_array_get_element (types, i) : NULL;
      const char *type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : "";

      if (types == NULL)
        type = is_attention (config, i) ? "full_attention" : name;
      if (g_strcmp0 (type, "full_attention") != 0 && g_strcmp0 (type, name) != 0)
        dyno_config_fail (config, _ ("its “layer_types” names a kind of layer that is not known: “%s”"),
                          type != NULL ? type : "");
      if (g_strcmp0 (type, name) == 0)
        get_layer (self, i)->mixer = mixer;
    }
}

/* Every n-th layer, counted from one of them on. */
static gboolean
is_periodic (
    DynoConfig *config, guint layer, const char *period, gint64 usual, const char *offset, gint64 first)
{
  return layer % dyno_config_get_int_or (config, period, usual) ==
         dyno_config_get_count_or (config, offset, first);
}

static gboolean
is_attention_of_jamba (DynoConfig *config, guint layer)
{
  return is_periodic (config, layer, "attn_layer_period", 8, "attn_layer_offset", 4);
}

/* Jamba, Lieber et al. 2024: most layers are those of Mamba, and none uses positions. */
static void
read_jamba (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  read_experts (self, config, "num_experts");
  for (guint i = 0; i < self->layers->len; i++)
    get_layer (self, i)->has_experts =
        self->experts.n_experts > 1 &&
        is_periodic (config, i, "expert_layer_period", 2, "expert_layer_offset", 1);
  read_mixers (self, config, DYNO_MIXER_SELECTIVE, "linear_attention", is_attention_of_jamba);
  self->names = &jamba_names;
  self->position = DYNO_POSITION_NONE;
  self->experts.scope = "feed_forward";
  self->experts.router = "router";
  self->experts.is_normalised = FALSE;
  self->selective_width = self->width * dyno_config_get_int_or (config, "mamba_expand", 2);
  self->kernel = dyno_config_get_int_or (config, "mamba_d_conv", 4);
  self->has_kernel_bias = dyno_config_get_boolean_or (config, "mamba_conv_bias", TRUE);
  self->has_mixer_bias = dyno_config_get_boolean_or (config, "mamba_proj_bias", FALSE);
  self->selective =
      (DynoSelective){ dyno_config_get_int_or (config, "mamba_d_state", 16),
                       dyno_config_get_int_or (config, "mamba_dt_rank", (self->width + 15) / 16),
                       self->epsilon, TRUE };
  if (self->kernel < 2)
    dyno_config_fail (config, _ ("its “%s” is 1, but must be at least 2"), "mamba_d_conv");
}

static gboolean
is_listed_attention (DynoConfig *config, guint layer)
{
  g_autoptr (GArray) indices = dyno_config_get_indices (config, "full_attn_idxs");

  return indices == NULL || dyno_config_has_item (indices, layer);
}

/* LFM2, Liquid AI 2025: two thirds of the inner width in the config, rounded up, unless the config says
 * otherwise. */
static void
read_lfm2 (DynoDecoder *self, DynoConfig *config)
{
  read_sizes (self, config, &(DynoConfigFields){ 0 });
  self->names = &lfm2_names;
  self->n_cached_heads = dyno_config_get_int_or (config, "num_key_value_heads", self->n_heads);
  gint64 width = dyno_config_get_int (config, find_name (config, "block_ff_dim", "intermediate_size"));
  gint64 multiple = dyno_config_get_int_or (config, "block_multiple_of", 256);
  double factor = dyno_config_get_double_or (config, "block_ffn_dim_multiplier", 1);
  if (dyno_config_get_boolean_or (config, "block_auto_adjust_ff_dim", TRUE))
    {
      dyno_config_check_share (config, "block_ffn_dim_multiplier", factor, width);
      width = MIN (width, G_MAXINT32) * 2 / 3;
      if (!dyno_config_is_null (config, "block_ffn_dim_multiplier"))
        width = ((gint64)(MIN (factor, 100) * (double)width) + multiple - 1) / multiple * multiple;
    }
  self->inner_width = width;
  self->n_positions = dyno_config_get_int (config, "max_position_embeddings");
  self->norm = DYNO_NORM_RMS;
  self->is_tied = dyno_config_get_boolean_or (config, "tie_embedding", self->is_tied);
  self->is_gated = TRUE;
  self->kernel = dyno_config_get_int_or (config, "conv_L_cache", 3);
  self->has_kernel_bias = dyno_config_get_boolean_or (config, "conv_bias", FALSE);
  self->epsilon = dyno_config_get_double_or (config, "norm_eps", 1e-5);
  self->activation = "silu";
  self->head_norm = DYNO_HEAD_NORM_EACH;
  read_rotary (self, config, 1000000);
  dyno_config_check_indices (config, "full_attn_idxs", self->layers->len);
  read_mixers (self, config, DYNO_MIXER_CONVOLUTION, "conv", is_listed_attention);
  if (self->kernel < 2)
    dyno_config_fail (config, _ ("its “%s” is 1, but must be at least 2"), "conv_L_cache");
}

static gboolean
is_regular_attention (DynoConfig *config, guint layer)
{
  return (layer + 1) % dyno_config_get_int_or (config, "full_attention_interval", 4) == 0;
}

/* Gated delta networks with attention in some layers, whose results are gated. */
static void
read_delta (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  self->norm = DYNO_NORM_RMS_ZERO;
  self->head_norm = DYNO_HEAD_NORM_EACH;
  self->has_output_gate = TRUE;
  self->head_width = dyno_config_get_int_or (config, "head_dim", 256);
  read_rotary_part (self, config, 10000, 0.25);
  self->kernel = dyno_config_get_int_or (config, "linear_conv_kernel_dim", 4);
  self->delta = (DynoDelta){
    .n_key_heads = dyno_config_get_int_or (config, "linear_num_key_heads", 16),
    .n_value_heads = dyno_config_get_int_or (config, "linear_num_value_heads", 32),
    .key_width = dyno_config_get_int_or (config, "linear_key_head_dim", 128),
    .value_width = dyno_config_get_int_or (config, "linear_value_head_dim", 128),
  };
  read_mixers (self, config, DYNO_MIXER_DELTA, "linear_attention", is_regular_attention);
  if (self->delta.n_value_heads % self->delta.n_key_heads != 0)
    dyno_config_fail (
        config, _ ("its %" PRId64 " heads (“%s”) cannot share %" PRId64 " heads of keys and values (“%s”)"),
        self->delta.n_value_heads, "linear_num_value_heads", self->delta.n_key_heads, "linear_num_key_heads");
  if (self->kernel < 2)
    dyno_config_fail (config, _ ("its “%s” is 1, but must be at least 2"), "linear_conv_kernel_dim");
}

static void
read_delta_experts (DynoDecoder *self, DynoConfig *config)
{
  read_experts (self, config, find_name (config, "num_experts", "num_local_experts"));
  self->experts.is_normalised = dyno_config_get_boolean_or (config, "norm_topk_prob", TRUE);
  self->experts.shared_width = dyno_config_get_int (config, "shared_expert_intermediate_size");
}

static void
read_qwen3_next (DynoDecoder *self, DynoConfig *config)
{
  read_delta (self, config);
  read_delta_experts (self, config);
}

static void
read_qwen3_5 (DynoDecoder *self, DynoConfig *config)
{
  read_delta (self, config);
  self->delta.is_split = TRUE;
}

static void
read_qwen3_5_moe (DynoDecoder *self, DynoConfig *config)
{
  read_qwen3_5 (self, config);
  read_delta_experts (self, config);
  self->experts.is_normalised = TRUE;
}

/* Norms follow attention and feed-forward layers, inside the residuals. */
static void
read_olmo2 (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  self->names = &olmo2_names;
  self->epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-5);
  self->head_norm = DYNO_HEAD_NORM_ALL;
}

/* Only layers without a window scale positions. */
static void
read_olmo3 (DynoDecoder *self, DynoConfig *config)
{
  double theta = dyno_config_get_double_or (config, "rope_theta", 500000);

  read_olmo2 (self, config);
  read_windows (self, config, 0, 4);
  self->rotary[0] = dyno_rotary_read (config, "full_attention", theta, self->head_width, 1);
  self->rotary[1] = dyno_rotary_read (config, "sliding_attention", theta, self->head_width, 1);
  if (dyno_config_get_object (config, "rope_parameters") == NULL)
    self->rotary[1].scaling = NULL;
}

static void
read_olmoe (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  read_experts (self, config, find_name (config, "num_experts", "num_local_experts"));
  self->epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-5);
  self->head_norm = DYNO_HEAD_NORM_ALL;
  if (dyno_config_get_double_or (config, "clip_qkv", 0) > 0)
    dyno_config_fail (config, _ ("clipped queries, keys and values (“clip_qkv”) are not supported"));
}

static void
read_granitemoe (DynoDecoder *self, DynoConfig *config)
{
  read_granite (self, config);
  read_experts (self, config, "num_local_experts");
  self->experts.is_normalised = TRUE;
  self->experts.scope = "block_sparse_moe";
  self->experts.router = "router.layer";
  self->experts.gate = NULL;
  self->experts.up = "gate_up_proj";
}

/* Every second layer has a window; the experts have biases and their own SwiGLU. */
static void
read_gpt_oss (DynoDecoder *self, DynoConfig *config)
{
  gboolean has_bias = dyno_config_get_boolean_or (config, "attention_bias", TRUE);

  read_llama_with (self, config, 150000);
  read_windows (self, config, 0, 2);
  read_experts (self, config, find_name (config, "num_local_experts", "num_experts"));
  self->epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-5);
  self->has_input_bias = self->has_output_bias = has_bias;
  self->has_sinks = TRUE;
  self->experts.is_normalised = TRUE;
  self->experts.router = "router";
  self->experts.gate = NULL;
  self->experts.up = "gate_up_proj";
  self->experts.has_router_bias = self->experts.has_bias = self->experts.is_conv1d = TRUE;
  self->experts.limit = dyno_config_get_double_or (config, "swiglu_limit", 7);
}

static gboolean
is_alternating_attention (DynoConfig *config, guint layer)
{
  return layer % 2 == 0;
}

/* How many numbers of a head rotate; half of one more keeps the share from being rounded down to less. */
static void
read_turned (DynoDecoder *self, DynoConfig *config, double theta)
{
  gint64 turned = dyno_config_get_int_or (config, "rotary_dim", 0);

  if (turned == 0)
    return;
  if (turned % 2 != 0 || turned > self->head_width)
    dyno_config_fail (
        config,
        _ ("its “%s” is %" PRId64 ", but must be an even number up to %" PRId64 ", the width of a head"),
        "rotary_dim", turned, self->head_width);
  else
    read_rotary_part (self, config, theta, ((double)turned + 0.5) / (double)self->head_width);
}

/* MiniMax-01, MiniMax 2025: most layers have linear attention. */
static void
read_minimax (DynoDecoder *self, DynoConfig *config)
{
  read_llama_with (self, config, 1000000);
  read_turned (self, config, 1000000);
  read_experts (self, config, find_name (config, "num_local_experts", "num_experts"));
  name_as_mixtral (self);
  self->experts.is_normalised = TRUE;
  self->epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-5);
  read_mixers (self, config, DYNO_MIXER_LINEAR, "linear_attention", is_alternating_attention);
  self->blends[0] = (DynoBlend){ get_factor (config, "full_attn_alpha_factor"),
                                 get_factor (config, "full_attn_beta_factor") };
  self->blends[1] = (DynoBlend){ get_factor (config, "linear_attn_alpha_factor"),
                                 get_factor (config, "linear_attn_beta_factor") };
  self->blends[2] =
      (DynoBlend){ get_factor (config, "mlp_alpha_factor"), get_factor (config, "mlp_beta_factor") };
}

static void
read_minimax_m2 (DynoDecoder *self, DynoConfig *config)
{
  read_llama_with (self, config, 5000000);
  read_turned (self, config, 5000000);
  read_experts (self, config, find_name (config, "num_local_experts", "num_experts"));
  name_as_mixtral (self);
  if (dyno_config_get_boolean_or (config, "use_qk_norm", TRUE))
    self->head_norm = DYNO_HEAD_NORM_ALL;
  self->experts.is_normalised = TRUE;
  self->experts.routing = DYNO_ROUTING_SIGMOID;
  if (dyno_config_get_boolean_or (config, "use_routing_bias", TRUE))
    self->experts.correction = "e_score_correction_bias";
}

/* The first layers are dense; all tokens go through shared experts, which are one layer. */
static void
read_deepseek_experts (DynoDecoder *self, DynoConfig *config)
{
  gint64 first = dyno_config_get_count_or (config, "first_k_dense_replace", 0);
  gint64 step = dyno_config_get_int_or (config, "moe_layer_freq", 1);

  read_experts (self, config, "n_routed_experts");
  for (guint i = 0; i < self->layers->len; i++)
    get_layer (self, i)->has_experts = i >= first && i % step == 0;
  self->experts.shared = "shared_experts";
  self->experts.is_shared_plain = TRUE;
  self->experts.shared_width = self->experts.width * dyno_config_get_int_or (config, "n_shared_experts", 1);
  self->experts.weight_scale = dyno_config_get_double_or (config, "routed_scaling_factor", 1);
  self->experts.n_groups = dyno_config_get_count_or (config, "n_group", 0);
  self->experts.n_chosen_groups = dyno_config_get_int_or (config, "topk_group", 1);
  self->experts.n_best = 1;
}

static void
read_sigmoid_experts (DynoDecoder *self, DynoConfig *config)
{
  read_deepseek_experts (self, config);
  self->experts.routing = DYNO_ROUTING_SIGMOID;
  self->experts.correction = "gate.e_score_correction_bias";
  self->experts.is_normalised = dyno_config_get_boolean_or (config, "norm_topk_prob", TRUE);
  self->experts.n_best = 2;
}

static void
read_glm4_moe (DynoDecoder *self, DynoConfig *config)
{
  read_llama (self, config);
  read_rotary_part (self, config, 10000, 0.5);
  read_sigmoid_experts (self, config);
  self->epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-5);
  self->has_output_bias = FALSE;
  if (dyno_config_get_boolean_or (config, "use_qk_norm", FALSE))
    self->head_norm = DYNO_HEAD_NORM_EACH;
}

static void
read_latent (DynoDecoder *self, DynoConfig *config)
{
  double theta = dyno_config_get_double_or (config, "rope_theta", 10000);

  read_llama (self, config);
  self->latent = (DynoLatent){
    .query_rank = dyno_config_get_count_or (config, "q_lora_rank", 0),
    .key_rank = dyno_config_get_int (config, "kv_lora_rank"),
    .plain_width = dyno_config_get_int (config, "qk_nope_head_dim"),
    .turned_width = dyno_config_get_int (config, "qk_rope_head_dim"),
    .value_width = dyno_config_get_int (config, "v_head_dim"),
  };
  self->head_width = self->latent.plain_width + self->latent.turned_width;
  self->n_cached_heads = 1;

  /* YaRN makes scores of all positions sharper, by the square of its factor. */
  const char *name =
      dyno_config_get_object (config, "rope_parameters") != NULL ? "rope_parameters" : "rope_scaling";
  DynoConfig *scaling =
      dyno_config_get_object (config, name) != NULL ? dyno_config_get_child (config, name) : NULL;
  double factor = scaling != NULL ? dyno_config_get_double_or (scaling, "factor", 1) : 1;
  double scale = scaling != NULL ? dyno_config_get_double_or (scaling, "mscale_all_dim", 0) : 0;

  self->score_divisor =
      sqrt ((double)self->head_width) / (factor > 1 ? pow (0.1 * scale * log (factor) + 1, 2) : 1);
  self->rotary[0] = dyno_rotary_read (config, NULL, theta, self->latent.turned_width, 1);
  self->rotary[0].is_interleaved = dyno_config_get_boolean_or (config, "rope_interleave", TRUE);
}

/* Weights that add up to 1 were an option of the code, and no published model of the second version has them. */
static const DynoConfigFixed fixed_deepseek_v2[] = { { "norm_topk_prob", "false" } };

static void
read_deepseek_v2 (DynoDecoder *self, DynoConfig *config)
{
  const char *method = dyno_config_get_string_or (config, "topk_method", "greedy");

  read_latent (self, config);
  read_deepseek_experts (self, config);
  dyno_config_check_fixed (config, fixed_deepseek_v2, G_N_ELEMENTS (fixed_deepseek_v2));
  if (g_str_equal (method, "greedy"))
    self->experts.n_groups = 0;
  else if (!g_str_equal (method, "group_limited_greedy"))
    dyno_config_fail (config, _ ("its way to choose experts (“topk_method”), “%s”, is not supported"),
                      method);
}

static void
read_deepseek_v3 (DynoDecoder *self, DynoConfig *config)
{
  read_latent (self, config);
  read_sigmoid_experts (self, config);
}

/* Every published ERNIE 4.5 has this. */
static const DynoConfigFixed fixed_ernie4_5_moe[] = { { "moe_norm_min", "1e-12" } };

static void
read_ernie4_5_moe (DynoDecoder *self, DynoConfig *config)
{
  gint64 step = dyno_config_get_int_or (config, "moe_layer_interval", 1);
  gint64 first = dyno_config_get_count_or (config, "moe_layer_start_index", 1);
  gint64 last = dyno_config_get_place_or (config, "moe_layer_end_index", -1);

  read_ernie4_5 (self, config);
  dyno_config_check_fixed (config, fixed_ernie4_5_moe, G_N_ELEMENTS (fixed_ernie4_5_moe));
  read_experts (self, config, "moe_num_experts");
  for (guint i = 0; i < self->layers->len; i++)
    get_layer (self, i)->has_experts = (i + 1) % step == 0 && i >= first && (last < 0 || i <= last);
  self->experts.is_normalised = self->experts.is_correction_row = self->experts.is_shared_plain = TRUE;
  self->has_head_bias = self->has_feed_bias;
  self->experts.shared = "shared_experts";
  self->experts.shared_width =
      self->experts.width * dyno_config_get_count_or (config, "moe_num_shared_experts", 2);
  self->experts.correction = "moe_statics.e_score_correction_bias";
}

static void
read_llama4_experts (DynoDecoder *self, DynoConfig *config)
{
  g_autoptr (GArray) listed = dyno_config_get_indices (config, "moe_layers");
  gint64 step = dyno_config_get_int_or (config, "interleave_moe_layer_step", 1);

  read_experts (self, config, "num_local_experts");
  for (guint i = 0; i < self->layers->len; i++)
    get_layer (self, i)->has_experts = listed == NULL && (i + 1) % step == 0;
  dyno_config_check_indices (config, "moe_layers", self->layers->len);
  for (guint i = 0; listed != NULL && i < listed->len && dyno_config_check (config, NULL); i++)
    get_layer (self, (guint)g_array_index (listed, gint64, i))->has_experts = TRUE;
  self->experts.shared_width = self->experts.width = dyno_config_get_int (config, "intermediate_size");
  self->experts.scope = "feed_forward";
  self->experts.router = "router";
  self->experts.gate = NULL;
  self->experts.up = "gate_up_proj";
  self->experts.routing = DYNO_ROUTING_SIGMOID;
  self->experts.is_normalised = FALSE;
  self->experts.is_conv1d = self->experts.is_shared_plain = self->experts.weighs_inputs = TRUE;
}

/* Llama 4, Meta 2025: chunks and layers without rotations, in which scores are sharpened by the position. */
static void
read_llama4 (DynoDecoder *self, DynoConfig *config)
{
  read_llama_with (self, config, 500000);
  read_rotated_layers (self, config);
  read_llama4_experts (self, config);

  /* Layers with rotations attend within chunks, unless “layer_types” says otherwise. */
  JsonArray *types = get_list (self, config, "layer_types");

  if (!dyno_config_is_null (config, "attention_chunk_size"))
    self->chunk = dyno_config_get_int_or (config, "attention_chunk_size", 8192);
  for (guint i = 0; i < self->layers->len; i++)
    {
      JsonNode *node = types != NULL ? json_array_get_element (types, i) : NULL;
      const char *type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_string (node) : NULL;

      if (types == NULL)
        type = get_layer (self, i)->has_rotation && self->chunk > 0 ? "chunked_attention" : "full_attention";
      if (g_strcmp0 (type, "chunked_attention") != 0 && g_strcmp0 (type, "full_attention") != 0)
        dyno_config_fail (config, _ ("its “layer_types” names a kind of layer that is not known: “%s”"),
                          type != NULL ? type : "");
      get_layer (self, i)->has_chunks = g_strcmp0 (type, "chunked_attention") == 0;
    }

  self->names = &llama4_names;
  self->inner_width = dyno_config_get_int_or (config, "intermediate_size_mlp", 16384);
  self->epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-5);
  self->rotary[0].is_interleaved = TRUE;
  if (dyno_config_get_boolean_or (config, "use_qk_norm", TRUE))
    self->head_norm = DYNO_HEAD_NORM_TURNED;
  if (!dyno_config_get_boolean_or (config, "attn_temperature_tuning", TRUE))
    return;
  self->tuned_scale = dyno_config_get_int_or (config, "floor_scale", 8192);
  self->tuning = dyno_config_get_double_or (config, "attn_scale", 0.1);
}

/* The router of PhiMoE always chooses two. */
static const DynoConfigFixed fixed_phimoe[] = { { "num_experts_per_tok", "2" } };

static void
read_phimoe (DynoDecoder *self, DynoConfig *config)
{
  read_llama_with (self, config, 1000000);
  dyno_config_check_fixed (config, fixed_phimoe, G_N_ELEMENTS (fixed_phimoe));
  read_windows (self, config, 0, 0);
  read_experts (self, config, "num_local_experts");
  name_as_mixtral (self);
  self->norm = DYNO_NORM_LAYER;
  self->epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-5);
  self->has_head_bias = dyno_config_get_boolean_or (config, "lm_head_bias", FALSE);
  self->experts.routing = DYNO_ROUTING_MIXER;
  self->experts.nearness = 2 * dyno_config_get_double_or (config, "router_jitter_noise", 0.01);
}

static const DynoFamily decoder_family = { "decoder", N_ ("Language model"), N_ ("Language Models") };
static const DynoFamily experts_family = { "mixture-of-experts", N_ ("Mixture of experts"),
                                           N_ ("Mixtures of Experts") };

/* A tied weight is saved under either of its names, and weights of a base model lack the common prefix. */
#define NAMING(prefix, embedding, head)                                                                      \
  {                                                                                                          \
    prefix, (const DynoNamePair[])                                                                           \
    {                                                                                                        \
      { embedding ".", head "." },                                                                           \
      {                                                                                                      \
        NULL                                                                                                 \
      }                                                                                                      \
    }                                                                                                        \
  }

static const DynoNaming bloom_naming = NAMING ("transformer", "transformer.word_embeddings", "lm_head");
static const DynoNaming nomic_bert_naming = { "nomic_bert" };
static const DynoNaming gpt2_naming = NAMING ("transformer", "transformer.wte", "lm_head");
static const DynoNaming gpt_neox_naming = NAMING ("gpt_neox", "gpt_neox.embed_in", "embed_out");
/* Experts that are one tensor in files. */
static const DynoNaming gpt_oss_naming = {
  .prefix = "model",
  .stacked =
      (const DynoStacked[]){
          { "experts.", ".gate_up_proj.weight", "experts.gate_up_proj" },
          { "experts.", ".gate_up_proj.bias", "experts.gate_up_proj_bias" },
          { "experts.", ".down_proj.weight", "experts.down_proj" },
          { "experts.", ".down_proj.bias", "experts.down_proj_bias" },
          { NULL },
      },
};
static const DynoNaming granitemoe_naming = {
  .prefix = "model",
  .pairs = (const DynoNamePair[]){ { "model.embed_tokens.", "lm_head." }, { NULL } },
  .stacked =
      (const DynoStacked[]){
          { "experts.", ".gate_up_proj.weight", "input_linear.weight" },
          { "experts.", ".down_proj.weight", "output_linear.weight" },
          { NULL },
      },
};
static const DynoNaming joined_experts_naming = {
  .prefix = "model",
  .pairs = (const DynoNamePair[]){ { "model.embed_tokens.", "lm_head." }, { NULL } },
  .stacked =
      (const DynoStacked[]){
          { "experts.", ".gate_up_proj.weight", "experts.gate_up_proj" },
          { "experts.", ".down_proj.weight", "experts.down_proj" },
          { NULL },
      },
};
static const DynoNaming llama_naming = NAMING ("model", "model.embed_tokens", "lm_head");
static const DynoNaming opt_naming = NAMING ("model", "model.decoder.embed_tokens", "lm_head");

/* Defaults of the configs of Llama, OPT and Gemma 3 as parts of other configs: those of the first model of each. */
#define USUAL_QWEN2                                                                                          \
  "{\"vocab_size\": 151936, \"hidden_size\": 4096, \"intermediate_size\": 22016, "                           \
  "\"num_hidden_layers\": 32, \"num_attention_heads\": 32, \"num_key_value_heads\": 32, "                    \
  "\"max_position_embeddings\": 32768}"
#define USUAL_LLAMA                                                                                          \
  "{\"vocab_size\": 32000, \"hidden_size\": 4096, \"intermediate_size\": 11008, \"num_hidden_layers\": 32, " \
  "\"num_attention_heads\": 32, \"max_position_embeddings\": 2048}"
#define USUAL_OPT                                                                                            \
  "{\"vocab_size\": 50272, \"hidden_size\": 768, \"ffn_dim\": 3072, \"num_hidden_layers\": 12, "             \
  "\"num_attention_heads\": 12, \"max_position_embeddings\": 2048}"

#define USUAL_GEMMA                                                                                          \
  "{\"vocab_size\": 256000, \"hidden_size\": 3072, \"intermediate_size\": 24576, \"num_hidden_layers\": "    \
  "28, "                                                                                                     \
  "\"num_attention_heads\": 16, \"num_key_value_heads\": 16, \"head_dim\": 256, "                            \
  "\"max_position_embeddings\": 8192}"

#define USUAL_GEMMA2                                                                                         \
  "{\"vocab_size\": 256000, \"hidden_size\": 2304, \"intermediate_size\": 9216, \"num_hidden_layers\": 26, " \
  "\"num_attention_heads\": 8, \"num_key_value_heads\": 4, \"head_dim\": 256, "                              \
  "\"max_position_embeddings\": 8192, \"sliding_window\": 4096, \"attn_logit_softcapping\": 50.0, "          \
  "\"final_logit_softcapping\": 30.0}"

#define USUAL_GEMMA3                                                                                         \
  "{\"vocab_size\": 262208, \"hidden_size\": 2304, \"intermediate_size\": 9216, \"num_hidden_layers\": 26, " \
  "\"num_attention_heads\": 8, \"num_key_value_heads\": 4, \"head_dim\": 256, "                              \
  "\"max_position_embeddings\": 131072, \"sliding_window\": 4096}"

/* The function that reads the config of each type of model. */
static const struct
{
  const char *model_type;
  void (*read) (DynoDecoder *self, DynoConfig *config);
  const char *usual;
} readers[] = {
  { "bloom", read_bloom },
  { "cohere", read_cohere },
  { "cohere2", read_cohere2 },
  { "deepseek_v2", read_deepseek_v2 },
  { "deepseek_v3", read_deepseek_v3 },
  { "ernie4_5", read_ernie4_5 },
  { "ernie4_5_moe", read_ernie4_5_moe },
  { "falcon", read_falcon },
  { "gemma", read_gemma, USUAL_GEMMA },
  { "gemma2", read_gemma2, USUAL_GEMMA2 },
  { "eurobert", read_eurobert },
  { "gemma3_text", read_gemma3_text, USUAL_GEMMA3 },
  { "gemma3n_text", read_gemma3n },
  { "gemma4_text", read_gemma4 },
  { "glm", read_glm },
  { "glm4", read_glm4 },
  { "glm4_moe", read_glm4_moe },
  { "gpt2", read_gpt2 },
  { "gpt_neox", read_gpt_neox },
  { "gpt_oss", read_gpt_oss },
  { "granite", read_granite },
  { "granitemoe", read_granitemoe },
  { "jamba", read_jamba },
  { "kimi_k2", read_deepseek_v3 },
  { "lfm2", read_lfm2 },
  { "llama", read_llama, USUAL_LLAMA },
  { "llama4_text", read_llama4 },
  { "mimo", read_qwen2 },
  { "minimax", read_minimax },
  { "minimax_m2", read_minimax_m2 },
  { "mistral", read_mistral },
  { "mixtral", read_mixtral },
  { "nomic_bert", read_nomic_bert },
  { "olmo2", read_olmo2 },
  { "olmo3", read_olmo3 },
  { "olmoe", read_olmoe },
  { "opt", read_opt, USUAL_OPT },
  { "phi", read_phi },
  { "phi3", read_phi3 },
  { "phimoe", read_phimoe },
  { "qwen2", read_qwen2, USUAL_QWEN2 },
  { "qwen2_5_vl", read_qwen2_vl },
  { "qwen2_5_vl_text", read_qwen2_vl },
  { "qwen2_moe", read_qwen2_moe },
  { "qwen2_vl", read_qwen2_vl },
  { "qwen2_vl_text", read_qwen2_vl },
  { "qwen3", read_qwen3 },
  { "qwen3_5_moe_text", read_qwen3_5_moe },
  { "qwen3_5_text", read_qwen3_5 },
  { "qwen3_moe", read_qwen3_moe },
  { "qwen3_next", read_qwen3_next },
  { "qwen3_vl_text", read_qwen3_vl },
  { "smollm3", read_smollm3 },
  { "stablelm", read_stablelm },
  { "starcoder2", read_starcoder2 },
  { "t5_gemma_module", read_t5_gemma, USUAL_GEMMA2 },
};

static guint
find_reader (DynoConfig *config)
{
  const char *model_type = dyno_config_get_string_or (config, "model_type", "");
  guint i = 0;

  while (i < G_N_ELEMENTS (readers) && !g_str_equal (readers[i].model_type, model_type))
    i++;
  return i;
}

void
dyno_decoder_set_usual (DynoConfig *config)
{
  guint i = find_reader (config);

  if (i < G_N_ELEMENTS (readers) && readers[i].usual != NULL)
    dyno_config_set_defaults (config, readers[i].usual);
}

void
dyno_decoder_read (DynoDecoder *self, DynoConfig *config)
{
  guint i = find_reader (config);

  *self = (DynoDecoder){ .layers = g_array_new (FALSE, TRUE, sizeof (DynoDecoderLayer)) };
  if (i == G_N_ELEMENTS (readers))
    {
      dyno_config_fail (config, _ ("Dyno knows no language model of its “model_type”, “%s”"),
                        dyno_config_get_string_or (config, "model_type", ""));
      return;
    }
  readers[i].read (self, config);
  dyno_decoder_check (self, config);
}

void
dyno_decoder_clear (DynoDecoder *self)
{
  g_clear_pointer (&self->layers, g_array_unref);
}

#define ARCHITECTURE(name, family, naming)                                                                   \
  {                                                                                                          \
    name, &family, "text-generation", dyno_decoder_build, &naming                                            \
  }

const DynoArchitecture dyno_decoder_architectures[] = {
  ARCHITECTURE ("bloom", decoder_family, bloom_naming),
  ARCHITECTURE ("cohere", decoder_family, llama_naming),
  ARCHITECTURE ("cohere2", decoder_family, llama_naming),
  ARCHITECTURE ("deepseek_v2", experts_family, llama_naming),
  ARCHITECTURE ("deepseek_v3", experts_family, llama_naming),
  ARCHITECTURE ("ernie4_5", decoder_family, llama_naming),
  ARCHITECTURE ("ernie4_5_moe", experts_family, llama_naming),
  { "eurobert", &dyno_encoder_family, "feature-extraction", dyno_decoder_build, &llama_naming },
  ARCHITECTURE ("falcon", decoder_family, bloom_naming),
  ARCHITECTURE ("gemma", decoder_family, llama_naming),
  ARCHITECTURE ("gemma2", decoder_family, llama_naming),
  ARCHITECTURE ("gemma3_text", decoder_family, llama_naming),
  ARCHITECTURE ("gemma3n_text", decoder_family, llama_naming),
  ARCHITECTURE ("gemma4_text", decoder_family, joined_experts_naming),
  ARCHITECTURE ("glm", decoder_family, llama_naming),
  ARCHITECTURE ("glm4", decoder_family, llama_naming),
  ARCHITECTURE ("glm4_moe", experts_family, llama_naming),
  ARCHITECTURE ("gpt2", decoder_family, gpt2_naming),
  ARCHITECTURE ("gpt_neox", decoder_family, gpt_neox_naming),
  ARCHITECTURE ("gpt_oss", experts_family, gpt_oss_naming),
  ARCHITECTURE ("granite", decoder_family, llama_naming),
  ARCHITECTURE ("granitemoe", experts_family, granitemoe_naming),
  ARCHITECTURE ("jamba", experts_family, llama_naming),
  ARCHITECTURE ("kimi_k2", experts_family, llama_naming),
  ARCHITECTURE ("lfm2", decoder_family, llama_naming),
  ARCHITECTURE ("llama", decoder_family, llama_naming),
  ARCHITECTURE ("llama4_text", experts_family, joined_experts_naming),
  ARCHITECTURE ("mimo", decoder_family, llama_naming),
  ARCHITECTURE ("minimax", experts_family, llama_naming),
  ARCHITECTURE ("minimax_m2", experts_family, llama_naming),
  ARCHITECTURE ("mistral", decoder_family, llama_naming),
  ARCHITECTURE ("mixtral", experts_family, llama_naming),
  { "nomic_bert", &dyno_encoder_family, "feature-extraction", dyno_decoder_build, &nomic_bert_naming },
  ARCHITECTURE ("olmo2", decoder_family, llama_naming),
  ARCHITECTURE ("olmo3", decoder_family, llama_naming),
  ARCHITECTURE ("olmoe", experts_family, llama_naming),
  ARCHITECTURE ("opt", decoder_family, opt_naming),
  ARCHITECTURE ("phi", decoder_family, llama_naming),
  ARCHITECTURE ("phi3", decoder_family, llama_naming),
  ARCHITECTURE ("phimoe", experts_family, llama_naming),
  ARCHITECTURE ("qwen2", decoder_family, llama_naming),
  ARCHITECTURE ("qwen2_moe", experts_family, llama_naming),
  ARCHITECTURE ("qwen3", decoder_family, llama_naming),
  ARCHITECTURE ("qwen3_5_moe_text", experts_family, llama_naming),
  ARCHITECTURE ("qwen3_5_text", decoder_family, llama_naming),
  ARCHITECTURE ("qwen3_moe", experts_family, llama_naming),
  ARCHITECTURE ("qwen3_next", experts_family, llama_naming),
  ARCHITECTURE ("smollm3", decoder_family, llama_naming),
  ARCHITECTURE ("stablelm", decoder_family, llama_naming),
  ARCHITECTURE ("starcoder2", decoder_family, llama_naming),
  { NULL },
};
