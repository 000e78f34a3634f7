/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-layers.h"

typedef struct
{
  gint64 vocabulary;
  gint64 width;
  gint64 n_layers;
  gint64 n_heads;
  gint64 n_cached_heads;
  gint64 head_width;
  gint64 inner_width;
  gint64 n_positions;
  gint64 window;
  gboolean is_tied;
  gboolean has_input_bias;
  gboolean has_output_bias;
  double theta;
  double epsilon;
  const char *activation;
  JsonObject *scaling;
} Decoder;

/* The values that all layers share, and what each leaves behind. */
typedef struct
{
  const Decoder *decoder;
  DynoGraph *graph;
  const char *mask;
  const char *cosine;
  const char *sine;
  DynoDataType softmax_type;
  GPtrArray *keys;
  GPtrArray *values;
} Building;

static void
check_decoder (const Decoder *self, DynoConfig *config)
{
  if (self->n_heads % self->n_cached_heads != 0)
    dyno_config_fail (config, _ ("its %" PRId64 " heads cannot share %" PRId64 " heads of keys and values"),
                      self->n_heads, self->n_cached_heads);
  if (self->width % self->n_heads != 0 || self->head_width % 2 != 0)
    dyno_config_fail (config, _ ("its width %" PRId64 " does not suit its %" PRId64 " heads"), self->width,
                      self->n_heads);
  if (self->n_layers > 1000)
    dyno_config_fail (config, _ ("%" PRId64 " layers are too many"), self->n_layers);
  if (!dyno_layers_knows_activation (self->activation))
    dyno_config_fail (config, _ ("its activation “%s” is not known"), self->activation);
}

static Decoder
read_gpt2 (DynoConfig *config)
{
  gint64 width = dyno_config_get_int (config, "n_embd");
  gint64 n_heads = dyno_config_get_int (config, "n_head");

  return (Decoder){
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .width = width,
    .n_layers = dyno_config_get_int (config, "n_layer"),
    .n_heads = n_heads,
    .n_cached_heads = n_heads,
    .head_width = width / n_heads,
    .inner_width = dyno_config_get_int_or (config, "n_inner", 4 * width),
    .n_positions = dyno_config_get_int (config, "n_positions"),
    .is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_epsilon", 1e-5),
    .activation = dyno_config_get_string_or (config, "activation_function", "gelu_new"),
  };
}

static Decoder
read_llama (DynoConfig *config)
{
  gint64 width = dyno_config_get_int (config, "hidden_size");
  gint64 n_heads = dyno_config_get_int (config, "num_attention_heads");
  gboolean has_bias = dyno_config_get_boolean_or (config, "attention_bias", FALSE);
  double theta = dyno_config_get_double_or (config, "rope_theta", 10000);

  if (!(theta >= 1))
    dyno_config_fail (config, _ ("its “rope_theta” is %g, but must be at least 1"), theta);
  if (dyno_config_get_boolean_or (config, "mlp_bias", FALSE))
    dyno_config_fail (config, _ ("biases in the feed-forward layers (“mlp_bias”) are not supported"));
  return (Decoder){
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .width = width,
    .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
    .n_heads = n_heads,
    .n_cached_heads = dyno_config_get_int_or (config, "num_key_value_heads", n_heads),
    .head_width = dyno_config_get_int_or (config, "head_dim", width / n_heads),
    .inner_width = dyno_config_get_int (config, "intermediate_size"),
    .n_positions = dyno_config_get_int (config, "max_position_embeddings"),
    .is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", FALSE),
    .has_input_bias = has_bias,
    .has_output_bias = has_bias,
    .theta = theta,
    .epsilon = dyno_config_get_double_or (config, "rms_norm_eps", 1e-6),
    .activation = dyno_config_get_string_or (config, "hidden_act", "silu"),
    .scaling = dyno_config_get_object (config, "rope_scaling"),
  };
}

static Decoder
read_mistral (DynoConfig *config)
{
  Decoder self = read_llama (config);

  self.window = dyno_config_get_int_or (config, "sliding_window", 0);
  return self;
}

/* The window of Qwen2 begins at layer “max_window_layers”, and no published model of it turns it on. */
static Decoder
read_qwen2 (DynoConfig *config)
{
  Decoder self = read_llama (config);

  if (dyno_config_get_boolean_or (config, "use_sliding_window", FALSE))
    dyno_config_fail (config,
                      _ ("a sliding window in some of the layers (“use_sliding_window”) is not supported"));
  self.has_input_bias = TRUE;
  return self;
}

static const char *
unsqueeze (DynoGraph *graph, const char *value, gint64 first, gint64 second)
{
  const gint64 axes[] = { first, second };

  return dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 2, axes), NULL);
}

/* The place of a key among those that are not masked out is the running count of the mask; a query sees the keys
 * up to its own position, and only the last few where there is a window. [batch, 1, sequence, past + sequence] */
static const char *
add_mask (DynoGraph *graph, const Decoder *self, const char *mask, const char *positions)
{
  const char *places, *allowed, *oldest;

  dyno_graph_push_scope (graph, "attention_mask");
  places = dyno_graph_add (graph, "CumSum", NULL, mask, dyno_graph_add_int (graph, 1), NULL);
  places = dyno_graph_add (graph, "Sub", NULL, places, dyno_graph_add_int (graph, 1), NULL);
  places = unsqueeze (graph, places, 1, 2);
  positions = unsqueeze (graph, positions, 1, 3);
  allowed = dyno_graph_add (graph, "LessOrEqual", NULL, places, positions, NULL);
  if (self->window > 0)
    {
      oldest = dyno_graph_add (graph, "Sub", NULL, positions, dyno_graph_add_int (graph, self->window), NULL);
      allowed = dyno_graph_add (graph, "And", NULL, allowed,
                                dyno_graph_add (graph, "Greater", NULL, places, oldest, NULL), NULL);
    }
  mask = dyno_graph_add (graph, "Cast", "to=9", unsqueeze (graph, mask, 1, 2), NULL);
  allowed = dyno_graph_add (graph, "And", NULL, allowed, mask, NULL);
  mask = dyno_graph_add (graph, "Where", NULL, allowed, dyno_graph_add_real (graph, 0),
                         dyno_layers_masked_score (graph), NULL);
  dyno_graph_pop_scope (graph);
  return mask;
}

static double
get_number (JsonObject *object, const char *name, double fallback)
{
  return object != NULL ? json_object_get_double_member_with_default (object, name, fallback) : fallback;
}

/* Slow rotations are slowed down further, fast ones are left, and those between are blended: the rule of
 * Llama 3.1 (`rope_type` “llama3”). */
static double
scale_like_llama3 (JsonObject *scaling, double frequency)
{
  double factor = get_number (scaling, "factor", 1);
  double low = get_number (scaling, "low_freq_factor", 1);
  double high = get_number (scaling, "high_freq_factor", 4);
  double turns = get_number (scaling, "original_max_position_embeddings", 8192) * frequency / (2 * G_PI);
  double share = CLAMP ((turns - low) / (high - low), 0, 1);

  return (1 - share) * frequency / factor + share * frequency;
}

static const char *
scaling_type (JsonObject *scaling)
{
  const char *type =
      scaling != NULL ? json_object_get_string_member_with_default (scaling, "rope_type", NULL) : "default";

  return type != NULL ? type : json_object_get_string_member_with_default (scaling, "type", "default");
}

static void
check_scaling (const Decoder *self, DynoConfig *config)
{
  const char *type = scaling_type (self->scaling);

  if (!g_str_equal (type, "default") && !g_str_equal (type, "linear") && !g_str_equal (type, "llama3"))
    dyno_config_fail (config, _ ("its scaling of positions, “%s”, is not supported"), type);
}

static const char *
add_frequencies (DynoGraph *graph, const Decoder *self)
{
  gint64 half = self->head_width / 2;
  g_autofree float *frequencies = g_new (float, half);
  const char *type = scaling_type (self->scaling);

  for (gint64 i = 0; i < half; i++)
    {
      double frequency = pow (self->theta, -2.0 * (double)i / (double)self->head_width);

      if (g_str_equal (type, "llama3"))
        frequency = scale_like_llama3 (self->scaling, frequency);
      else if (g_str_equal (type, "linear"))
        frequency /= get_number (self->scaling, "factor", 1);
      frequencies[i] = (float)frequency;
    }
  return dyno_graph_add_floats (graph, half, frequencies);
}

/* Cosines and sines of the angles by which each position turns each pair: [batch, 1, sequence, head width]. The angles
 * are of single precision in any graph: half precision tells positions apart up to 2048 only. */
static void
add_rotations (Building *self, const char *positions)
{
  DynoGraph *graph = self->graph;
  const gint64 last = -1, one = 1;
  const char *angles;

  dyno_graph_push_scope (graph, "model.rotary_emb");
  angles = dyno_graph_add (graph, "Unsqueeze", NULL, positions, dyno_graph_add_ints (graph, 1, &last), NULL);
  angles = dyno_layers_cast (graph, angles, DYNO_DATA_TYPE_FLOAT);
  angles = dyno_graph_add (graph, "Mul", NULL, angles, add_frequencies (graph, self->decoder), NULL);
  angles = dyno_graph_add (graph, "Concat", "axis=-1", angles, angles, NULL);
  angles = dyno_graph_add (graph, "Unsqueeze", NULL, angles, dyno_graph_add_ints (graph, 1, &one), NULL);
  self->cosine = dyno_graph_add (graph, "Cos", NULL, angles, NULL);
  self->cosine = dyno_layers_cast (graph, self->cosine, dyno_graph_get_real_type (graph));
  self->sine = dyno_graph_add (graph, "Sin", NULL, angles, NULL);
  self->sine = dyno_layers_cast (graph, self->sine, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
}

/* (a, b) · cos + (−b, a) · sin */
static const char *
rotate (const Building *self, const char *value)
{
  DynoGraph *graph = self->graph;
  const gint64 sizes[] = { self->decoder->head_width / 2, self->decoder->head_width / 2 };
  const char *parts[2];
  const char *turned;

  dyno_graph_add_split (graph, value, -1, 2, sizes, parts);
  turned = dyno_graph_add (graph, "Concat", "axis=-1", dyno_graph_add (graph, "Neg", NULL, parts[1], NULL),
                           parts[0], NULL);
  turned = dyno_graph_add (graph, "Mul", NULL, turned, self->sine, NULL);
  value = dyno_graph_add (graph, "Mul", NULL, value, self->cosine, NULL);
  return dyno_graph_add (graph, "Add", NULL, value, turned, NULL);
}

static const char *
add_cache (const Building *self, guint layer, const char *what, const char *value, GPtrArray *presents)
{
  const Decoder *decoder = self->decoder;
  g_autofree char *name = g_strdup_printf ("past_key_values.%u.%s", layer, what);
  g_autofree char *dimensions = g_strdup_printf ("batch, %" G_GINT64_FORMAT ", past, %" G_GINT64_FORMAT,
                                                 decoder->n_cached_heads, decoder->head_width);
  const char *past =
      dyno_graph_add_input (self->graph, name, dyno_graph_get_real_type (self->graph), dimensions);
  const char *present = dyno_graph_add (self->graph, "Concat", "axis=2", past, value, NULL);

  g_ptr_array_add (presents, (gpointer)present);
  return present;
}

/* Every head of keys or values serves several heads of queries. */
static const char *
repeat_heads (const Building *self, const char *value)
{
  const Decoder *decoder = self->decoder;
  gint64 times = decoder->n_heads / decoder->n_cached_heads;
  const gint64 axis = 2;
  const gint64 factors[] = { 1, 1, times, 1, 1 };
  const gint64 target[] = { 0, decoder->n_heads, -1, decoder->head_width };

  if (times == 1)
    return value;
  value = dyno_graph_add (self->graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (self->graph, 1, &axis),
                          NULL);
  value = dyno_graph_add (self->graph, "Expand", NULL, value, dyno_graph_add_ints (self->graph, 5, factors),
                          NULL);
  return dyno_graph_add (self->graph, "Reshape", NULL, value, dyno_graph_add_ints (self->graph, 4, target),
                         NULL);
}

static const char *
attend (const Building *self, guint layer, const char *query, const char *key, const char *value)
{
  key = repeat_heads (self, add_cache (self, layer, "key", key, self->keys));
  value = repeat_heads (self, add_cache (self, layer, "value", value, self->values));
  return dyno_layers_attention (self->graph, query, key, value, self->mask, self->softmax_type);
}

static const char *
add_residual (DynoGraph *graph, const char *value, const char *residual)
{
  return dyno_graph_add (graph, "Add", NULL, residual, value, NULL);
}

static const char *
add_gpt2_attention (const Building *self, guint layer, const char *value)
{
  const Decoder *decoder = self->decoder;
  DynoGraph *graph = self->graph;
  const gint64 sizes[] = { decoder->width, decoder->width, decoder->width };
  const char *parts[3];

  dyno_graph_push_scope (graph, "attn");
  value = dyno_layers_conv1d (graph, "c_attn", value, 3 * decoder->width, TRUE);
  dyno_graph_add_split (graph, value, 2, 3, sizes, parts);
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_layers_split_heads (graph, parts[i], decoder->n_heads);
  value = attend (self, layer, parts[0], parts[1], parts[2]);
  value = dyno_layers_conv1d (graph, "c_proj", value, decoder->width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_gpt2_mlp (DynoGraph *graph, const Decoder *decoder, const char *value)
{
  dyno_graph_push_scope (graph, "mlp");
  value = dyno_layers_conv1d (graph, "c_fc", value, decoder->inner_width, TRUE);
  value = dyno_layers_activation (graph, decoder->activation, value);
  value = dyno_layers_conv1d (graph, "c_proj", value, decoder->width, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_gpt2_layer (const Building *self, guint layer, const char *value)
{
  const Decoder *decoder = self->decoder;
  DynoGraph *graph = self->graph;
  const char *inner = dyno_layers_layer_norm (graph, "ln_1", value, decoder->epsilon);

  value = add_residual (graph, add_gpt2_attention (self, layer, inner), value);
  inner = dyno_layers_layer_norm (graph, "ln_2", value, decoder->epsilon);
  return add_residual (graph, add_gpt2_mlp (graph, decoder, inner), value);
}

static const char *
add_llama_attention (const Building *self, guint layer, const char *value)
{
  const Decoder *decoder = self->decoder;
  DynoGraph *graph = self->graph;
  gint64 all = decoder->n_heads * decoder->head_width;
  gint64 cached = decoder->n_cached_heads * decoder->head_width;
  const char *query, *key, *content;

  dyno_graph_push_scope (graph, "self_attn");
  query = dyno_layers_linear (graph, "q_proj", value, all, decoder->has_input_bias);
  key = dyno_layers_linear (graph, "k_proj", value, cached, decoder->has_input_bias);
  content = dyno_layers_linear (graph, "v_proj", value, cached, decoder->has_input_bias);
  query = rotate (self, dyno_layers_split_heads (graph, query, decoder->n_heads));
  key = rotate (self, dyno_layers_split_heads (graph, key, decoder->n_cached_heads));
  content = dyno_layers_split_heads (graph, content, decoder->n_cached_heads);
  content = attend (self, layer, query, key, content);
  content = dyno_layers_linear (graph, "o_proj", content, decoder->width, decoder->has_output_bias);
  dyno_graph_pop_scope (graph);
  return content;
}

static const char *
add_llama_mlp (DynoGraph *graph, const Decoder *decoder, const char *value)
{
  const char *gate, *up;

  dyno_graph_push_scope (graph, "mlp");
  gate = dyno_layers_linear (graph, "gate_proj", value, decoder->inner_width, FALSE);
  gate = dyno_layers_activation (graph, decoder->activation, gate);
  up = dyno_layers_linear (graph, "up_proj", value, decoder->inner_width, FALSE);
  value = dyno_graph_add (graph, "Mul", NULL, gate, up, NULL);
  value = dyno_layers_linear (graph, "down_proj", value, decoder->width, FALSE);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_llama_layer (const Building *self, guint layer, const char *value)
{
  const Decoder *decoder = self->decoder;
  DynoGraph *graph = self->graph;
  const char *inner = dyno_layers_rms_norm (graph, "input_layernorm", value, decoder->epsilon);

  value = add_residual (graph, add_llama_attention (self, layer, inner), value);
  inner = dyno_layers_rms_norm (graph, "post_attention_layernorm", value, decoder->epsilon);
  return add_residual (graph, add_llama_mlp (graph, decoder, inner), value);
}

/* A tied head multiplies with the embedding's weight, turned over. */
static const char *
add_head (const Building *self, const char *value, const char *embedding)
{
  const gint64 dims[] = { self->decoder->vocabulary, self->decoder->width };
  const char *weight;

  if (!self->decoder->is_tied)
    return dyno_layers_linear (self->graph, "lm_head", value, self->decoder->vocabulary, FALSE);
  weight = dyno_graph_add_weight (self->graph, embedding, 0, 1 / sqrt ((double)dims[1]), 2, dims);
  dyno_graph_push_scope (self->graph, "lm_head");
  weight = dyno_graph_add (self->graph, "Transpose", "perm=[1,0]", weight, NULL);
  value = dyno_graph_add (self->graph, "MatMul", NULL, value, weight, NULL);
  dyno_graph_pop_scope (self->graph);
  return value;
}

static void
add_outputs (const Building *self, const char *logits)
{
  const Decoder *decoder = self->decoder;
  g_autofree char *dimensions = g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, decoder->vocabulary);
  g_autofree char *cached =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", past + sequence, %" G_GINT64_FORMAT,
                       decoder->n_cached_heads, decoder->head_width);

  dyno_graph_add_output (self->graph, "logits", logits, dimensions);
  for (guint i = 0; i < self->keys->len; i++)
    {
      g_autofree char *key = g_strdup_printf ("present.%u.key", i);
      g_autofree char *value = g_strdup_printf ("present.%u.value", i);

      dyno_graph_add_output (self->graph, key, self->keys->pdata[i], cached);
      dyno_graph_add_output (self->graph, value, self->values->pdata[i], cached);
    }
}

static const char *
add_inputs (Building *self, const char **positions)
{
  DynoGraph *graph = self->graph;
  const Decoder *decoder = self->decoder;
  const char *ids = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  const char *mask =
      dyno_graph_add_input (graph, "attention_mask", DYNO_DATA_TYPE_INT64, "batch, past + sequence");

  *positions = dyno_graph_add_input (graph, "position_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  dyno_graph_limit_input (graph, "input_ids", decoder->vocabulary);
  dyno_graph_limit_input (graph, "position_ids", decoder->n_positions);
  dyno_graph_limit_sequence (graph, decoder->n_positions);
  self->mask = add_mask (graph, decoder, mask, *positions);
  return ids;
}

static void
add_gpt2 (Building *self)
{
  DynoGraph *graph = self->graph;
  const Decoder *decoder = self->decoder;
  const char *positions;
  const char *ids = add_inputs (self, &positions);
  const char *value =
      dyno_layers_embedding (graph, "transformer.wte", ids, decoder->vocabulary, decoder->width);

  self->softmax_type = dyno_graph_get_real_type (graph);
  positions =
      dyno_layers_embedding (graph, "transformer.wpe", positions, decoder->n_positions, decoder->width);
  dyno_graph_push_scope (graph, "transformer");
  value = dyno_graph_add (graph, "Add", NULL, value, positions, NULL);
  dyno_graph_pop_scope (graph);
  for (guint i = 0; i < decoder->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "transformer.h.%u", i);
      value = add_gpt2_layer (self, i, value);
      dyno_graph_pop_scope (graph);
    }
  value = dyno_layers_layer_norm (graph, "transformer.ln_f", value, decoder->epsilon);
  add_outputs (self, add_head (self, value, "transformer.wte.weight"));
}

static void
add_llama (Building *self)
{
  DynoGraph *graph = self->graph;
  const Decoder *decoder = self->decoder;
  const char *positions;
  const char *ids = add_inputs (self, &positions);
  const char *value =
      dyno_layers_embedding (graph, "model.embed_tokens", ids, decoder->vocabulary, decoder->width);

  self->softmax_type = DYNO_DATA_TYPE_FLOAT;
  add_rotations (self, positions);
  for (guint i = 0; i < decoder->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "model.layers.%u", i);
      value = add_llama_layer (self, i, value);
      dyno_graph_pop_scope (graph);
    }
  value = dyno_layers_rms_norm (graph, "model.norm", value, decoder->epsilon);
  add_outputs (self, add_head (self, value, "model.embed_tokens.weight"));
}

static void
build (DynoGraph *graph, DynoConfig *config, const Decoder *decoder, void (*add) (Building *building))
{
  g_autoptr (GPtrArray) keys = g_ptr_array_new ();
  g_autoptr (GPtrArray) values = g_ptr_array_new ();
  Building self = { .decoder = decoder, .graph = graph, .keys = keys, .values = values };

  check_decoder (decoder, config);
  check_scaling (decoder, config);
  if (dyno_config_check (config, NULL))
    add (&self);
}

static void
build_gpt2 (DynoGraph *graph, DynoConfig *config)
{
  Decoder decoder = read_gpt2 (config);

  build (graph, config, &decoder, add_gpt2);
}

static void
build_llama (DynoGraph *graph, DynoConfig *config)
{
  Decoder decoder = read_llama (config);

  build (graph, config, &decoder, add_llama);
}

static void
build_mistral (DynoGraph *graph, DynoConfig *config)
{
  Decoder decoder = read_mistral (config);

  build (graph, config, &decoder, add_llama);
}

static void
build_qwen2 (DynoGraph *graph, DynoConfig *config)
{
  Decoder decoder = read_qwen2 (config);

  build (graph, config, &decoder, add_llama);
}

static const DynoFamily family = { "decoder", N_ ("Language model"), N_ ("Language Models") };

/* A tied weight is saved under either of its names. */
static const DynoNaming gpt2_naming = { "transformer", (const DynoNamePair[]){
                                                           { "transformer.wte.", "lm_head." }, { NULL } } };
static const DynoNaming naming = { "model", (const DynoNamePair[]){ { "model.embed_tokens.", "lm_head." },
                                                                    { NULL } } };

const DynoArchitecture dyno_decoder_architectures[] = {
  { "gpt2", &family, "text-generation", build_gpt2, &gpt2_naming },
  { "llama", &family, "text-generation", build_llama, &naming },
  { "mistral", &family, "text-generation", build_mistral, &naming },
  { "qwen2", &family, "text-generation", build_qwen2, &naming },
  { NULL },
};
