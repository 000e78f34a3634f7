/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-tower.h"

#define TIME_WIDTH    256
#define FIRST_EPSILON 1e-6 /* of the norm before attention, and of the last one */
#define LARGE_SIDE    128  /* from this side of latents on, PixArt takes sizes by default */

/* More positions than any latent image has; their embeddings are a table in the graph. */
#define MAX_NUMBERS (1 << 24)

struct _DynoDit
{
  gint64 width;
  gint64 n_layers;
  gint64 n_channels;
  gint64 n_results;
  gint64 n_classes;
  gint64 side;
  gint64 patch_side;
  gint64 states_width;   /* of the text; 0 for a model of classes */
  double place_scale;    /* by which rows and columns are divided before their sines */
  gboolean has_captions; /* whether the text has its own layers */
  gboolean has_sizes;    /* whether the model takes the size of the images */
  double epsilon;
  DynoDiffusionAttention attention;
};

/* Members that configs may omit, as PixArt has them. */
#define USUAL_PIXART                                                                                         \
  "{\"norm_type\": \"ada_norm_single\", \"norm_eps\": 1e-6, \"sample_size\": 128, \"patch_size\": 2, "       \
  "\"out_channels\": 8, \"cross_attention_dim\": 1152}"

/* Half of a position embedding encodes the column, half the row: [positions, width]. */
static const char *
add_places (const DynoDit *self, DynoGraph *graph)
{
  gint64 n = self->side / self->patch_side;
  gint64 half = self->width / 2;
  const gint64 axes[] = { 0, 1 }, square[] = { n, n, half }, flat[] = { n * n, self->width };
  const gint64 dims[] = { n, half };
  g_autofree float *numbers = g_new (float, n *half);
  const char *table, *parts[2];

  for (gint64 i = 0; i < n; i++)
    for (gint64 k = 0; k < half / 2; k++)
      {
        double angle = (double)i / self->place_scale * pow (10000, -(double)k / (double)(half / 2));

        numbers[i * half + k] = (float)sin (angle);
        numbers[i * half + half / 2 + k] = (float)cos (angle);
      }
  table = dyno_graph_add_floats (graph, (guint)(n * half), numbers);
  table = dyno_layers_reshape (graph, table, 2, dims);
  table = dyno_layers_cast (graph, table, dyno_graph_get_real_type (graph));
  for (guint i = 0; i < 2; i++)
    {
      parts[i] =
          dyno_graph_add (graph, "Unsqueeze", NULL, table, dyno_graph_add_ints (graph, 1, &axes[i]), NULL);
      parts[i] =
          dyno_graph_add (graph, "Expand", NULL, parts[i], dyno_graph_add_ints (graph, 3, square), NULL);
    }
  table = dyno_graph_add (graph, "Concat", "axis=2", parts[0], parts[1], NULL);
  return dyno_layers_reshape (graph, table, 2, flat);
}

/* PixArt: the same vectors modulate all layers, and each layer adds its own table. */
static void
split_shared (const DynoDit *self, DynoGraph *graph, const char *condition, guint n, const char **parts)
{
  const gint64 dims[] = { n, self->width };
  const char *table =
      dyno_graph_add_weight (graph, "scale_shift_table", 0, 1 / sqrt ((double)self->width), 2, dims);
  g_autofree gint64 *sizes = g_new (gint64, n);

  for (guint i = 0; i < n; i++)
    sizes[i] = 1;
  condition = dyno_graph_add (graph, "Add", NULL, condition, table, NULL);
  dyno_graph_add_split (graph, condition, 1, n, sizes, parts);
}

/* The text is read between attention and feed-forward layers, without a norm. */
static const char *
add_text_layer (const DynoDit *self,
                DynoGraph *graph,
                const char *value,
                const char *condition,
                const DynoDitInputs *inputs)
{
  const char *parts[6];
  const char *inner;

  split_shared (self, graph, condition, G_N_ELEMENTS (parts), parts);
  inner = dyno_modulation_norm (graph, value, self->epsilon, parts[1], parts[0]);
  inner = dyno_diffusion_attend (&self->attention, graph, "attn1", inner, inner, NULL);
  value = dyno_modulation_gate (graph, value, inner, parts[2]);
  inner = dyno_diffusion_attend (&self->attention, graph, "attn2", value, inputs->states, inputs->mask);
  value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
  inner = dyno_modulation_norm (graph, value, self->epsilon, parts[4], parts[3]);
  return dyno_modulation_gate (graph, value, dyno_modulation_feed (graph, "ff", inner), parts[5]);
}

/* Embeds @n numbers of each image beside each other: [batch, width] */
static const char *
embed_sizes (DynoGraph *graph, const char *name, const char *value, gint64 n, gint64 width)
{
  const DynoDiffusionTime numbers = { TIME_WIDTH, TRUE, 0 };
  const gint64 all[] = { -1 }, rows[] = { -1, n * width };

  value = dyno_layers_reshape (graph, value, 1, all);
  value = dyno_diffusion_embed_number (&numbers, graph, value);
  value = dyno_diffusion_embed (graph, name, value, width, "silu");
  return dyno_layers_reshape (graph, value, 2, rows);
}

/* Turns patches into an image again. */
static const char *
join_patches (const DynoDit *self, DynoGraph *graph, const char *name, const char *value)
{
  gint64 patch = self->patch_side;
  gint64 n = self->side / patch;
  const gint64 patches[] = { 0, n, n, patch, patch, self->n_results };
  const gint64 picture[] = { 0, self->n_results, n * patch, n * patch };

  value = dyno_layers_linear (graph, name, value, patch * patch * self->n_results, TRUE);
  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_layers_reshape (graph, value, 6, patches);
  value = dyno_graph_add (graph, "Transpose", "perm=[0,5,1,3,2,4]", value, NULL);
  value = dyno_layers_reshape (graph, value, 4, picture);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_texts (const DynoDit *self, DynoGraph *graph, const char *value, const DynoDitInputs *inputs)
{
  const gint64 rows[] = { -1, 6, self->width }, axis = 1;
  const DynoDiffusionTime numbers = { TIME_WIDTH, TRUE, 0 };
  DynoDitInputs read = *inputs;
  const char *parts[2], *whole, *condition, *sizes;

  dyno_graph_push_scope (graph, "adaln_single");

  /* Timestep and size of the images: [batch, width] */
  dyno_graph_push_scope (graph, "emb");
  whole = dyno_diffusion_embed_number (&numbers, graph, inputs->timestep);
  whole = dyno_diffusion_embed (graph, "timestep_embedder", whole, self->width, "silu");
  if (self->has_sizes)
    {
      sizes = dyno_graph_add (
          graph, "Concat", "axis=1",
          embed_sizes (graph, "resolution_embedder", inputs->resolution, 2, self->width / 3),
          embed_sizes (graph, "aspect_ratio_embedder", inputs->ratio, 1, self->width / 3), NULL);
      whole = dyno_graph_add (graph, "Add", NULL, whole, sizes, NULL);
    }
  dyno_graph_pop_scope (graph);
  condition = dyno_layers_linear (graph, "linear", dyno_layers_activation (graph, "silu", whole),
                                  6 * self->width, TRUE);
  condition = dyno_layers_reshape (graph, condition, 3, rows);
  whole = dyno_graph_add (graph, "Unsqueeze", NULL, whole, dyno_graph_add_ints (graph, 1, &axis), NULL);
  dyno_graph_pop_scope (graph);
  if (self->has_captions)
    read.states =
        dyno_diffusion_embed (graph, "caption_projection", inputs->states, self->width, "gelu_pytorch_tanh");
  for (guint i = 0; i < self->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "transformer_blocks.%u", i);
      value = add_text_layer (self, graph, value, condition, &read);
      dyno_graph_pop_scope (graph);
    }
  split_shared (self, graph, whole, G_N_ELEMENTS (parts), parts);
  value = dyno_modulation_norm (graph, value, FIRST_EPSILON, parts[1], parts[0]);
  return join_patches (self, graph, "proj_out", value);
}

const char *
dyno_dit_add (const DynoDit *self, DynoGraph *graph, const DynoDitInputs *inputs)
{
  const DynoDiffusionTime numbers = { TIME_WIDTH, TRUE, 1 };
  const char *value, *inner, *time, *label, *condition, *first = NULL, *shares[6], *parts[2];

  dyno_graph_push_scope (graph, "pos_embed");
  value = dyno_tower_cut_patches (graph, "proj", inputs->sample, self->width, self->patch_side, TRUE);
  value = dyno_graph_add (graph, "Add", NULL, value, add_places (self, graph), NULL);
  dyno_graph_pop_scope (graph);
  if (self->states_width > 0)
    return add_texts (self, graph, value, inputs);
  dyno_graph_push_scope (graph, "transformer_blocks");
  time = dyno_diffusion_embed_number (&numbers, graph, inputs->timestep);
  dyno_graph_pop_scope (graph);
  for (guint i = 0; i < self->n_layers; i++)
    {
      dyno_graph_push_scope (graph, "transformer_blocks.%u", i);

      /* Each layer has its own embedding of timestep and class. */
      dyno_graph_push_scope (graph, "norm1.emb");
      condition = dyno_diffusion_embed (graph, "timestep_embedder", time, self->width, "silu");
      label = dyno_layers_embedding (graph, "class_embedder.embedding_table", inputs->labels,
                                     self->n_classes + 1, self->width);
      condition = dyno_graph_add (graph, "Add", NULL, condition, label, NULL);
      condition = dyno_layers_activation (graph, "silu", condition);
      dyno_graph_pop_scope (graph);

      dyno_modulation_split (graph, "norm1.linear", condition, self->width, G_N_ELEMENTS (shares), shares);
      inner = dyno_modulation_norm (graph, value, FIRST_EPSILON, shares[1], shares[0]);
      inner = dyno_diffusion_attend (&self->attention, graph, "attn1", inner, inner, NULL);
      value = dyno_modulation_gate (graph, value, inner, shares[2]);
      inner = dyno_modulation_norm (graph, value, self->epsilon, shares[4], shares[3]);
      value = dyno_modulation_gate (graph, value, dyno_modulation_feed (graph, "ff", inner), shares[5]);
      dyno_graph_pop_scope (graph);
      first = first != NULL ? first : condition;
    }
  dyno_modulation_split (graph, "proj_out_1", first, self->width, G_N_ELEMENTS (parts), parts);
  dyno_graph_push_scope (graph, "norm_out");
  value = dyno_modulation_norm (graph, value, FIRST_EPSILON, parts[1], parts[0]);
  dyno_graph_pop_scope (graph);
  return join_patches (self, graph, "proj_out_2", value);
}

/* Options of the published code that Dyno does not support. */
static const DynoConfigFixed fixed[] = {
  { "norm_type", "\"ada_norm_zero\"" },
  { "norm_elementwise_affine", "false" },
  { "activation_fn", "\"gelu-approximate\"" },
  { "cross_attention_dim", "null" },
  { "num_vector_embeds", "null" },
  { "caption_channels", "null" },
  { "interpolation_scale", "null" },
  { "only_cross_attention", "false" },
  { "double_self_attention", "false" },
};

static const DynoConfigFixed fixed_text[] = {
  { "norm_elementwise_affine", "false" }, { "activation_fn", "\"gelu-approximate\"" },
  { "attention_type", "\"default\"" },    { "num_vector_embeds", "null" },
  { "only_cross_attention", "false" },    { "double_self_attention", "false" },
};

/* PixArt learns the size of images that are large, and has the places of small ones between those of a large one. */
static void
read_text (DynoDit *self, DynoConfig *config)
{
  gint64 width = dyno_config_get_int_or (config, "cross_attention_dim", self->width);
  gint64 caption_width = dyno_config_get_count_or (config, "caption_channels", 0);

  dyno_config_check_fixed (config, fixed_text, G_N_ELEMENTS (fixed_text));
  self->has_captions = caption_width > 0;
  self->states_width = self->has_captions ? caption_width : width;
  self->place_scale =
      dyno_config_get_double_or (config, "interpolation_scale", (double)MAX (self->side / 64, 1));
  self->has_sizes =
      dyno_config_get_boolean_or (config, "use_additional_conditions", self->side == LARGE_SIDE);
  if (self->has_captions && width != self->width)
    dyno_config_fail (config, _ ("its “cross_attention_dim” is not the product of its “num_attention_heads” "
                                 "and “attention_head_dim”"));
  if (self->has_sizes && self->width % 3 != 0)
    dyno_config_fail (config, _ ("its “use_additional_conditions” needs a width that is a multiple of 3"));
  if (!(self->place_scale > 0))
    dyno_config_fail (config, _ ("its “%s” is %g, but must be above 0"), "interpolation_scale",
                      self->place_scale);
}

DynoDit *
dyno_dit_new (DynoConfig *config)
{
  DynoDit *self = g_new0 (DynoDit, 1);
  const char *class_name = dyno_config_get_string_or (config, "_class_name", "");

  if (g_str_equal (class_name, "PixArtTransformer2DModel"))
    dyno_config_set_defaults (config, USUAL_PIXART);
  self->attention = (DynoDiffusionAttention){
    .n_heads = dyno_config_get_int_or (config, "num_attention_heads", 16),
    .has_bias = dyno_config_get_boolean_or (config, "attention_bias", TRUE),
    .upcasts = dyno_config_get_boolean_or (config, "upcast_attention", FALSE),
  };
  self->width = self->attention.n_heads * dyno_config_get_int_or (config, "attention_head_dim", 72);
  self->n_layers = dyno_config_get_int_or (config, "num_layers", 28);
  self->n_channels = dyno_config_get_int_or (config, "in_channels", 4);
  self->n_results = dyno_config_get_int_or (config, "out_channels", self->n_channels);
  self->n_classes = dyno_config_get_int_or (config, "num_embeds_ada_norm", 1000);
  self->side = dyno_config_get_int_or (config, "sample_size", 32);
  self->patch_side = dyno_config_get_int (config, "patch_size");
  self->epsilon = dyno_config_get_double_or (config, "norm_eps", 1e-5);
  self->place_scale = 1;
  if (!g_str_equal (class_name, "DiTTransformer2DModel") &&
      g_str_equal (dyno_config_get_string_or (config, "norm_type", ""), "ada_norm_single"))
    read_text (self, config);
  else
    dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));

  dyno_config_check_layers (config, "num_layers", self->n_layers);
  if (self->width % 4 != 0)
    dyno_config_fail (
        config,
        _ ("its “num_attention_heads” and “attention_head_dim” give no width that is a multiple of 4"));
  if (self->side % self->patch_side != 0)
    dyno_config_fail (config, _ ("its “sample_size” is no multiple of its “patch_size”"));
  if (self->side / self->patch_side * self->width > MAX_NUMBERS)
    dyno_config_fail (config, _ ("its “sample_size” is too large"));

  return self;
}

void
dyno_dit_free (DynoDit *self)
{
  g_free (self);
}

gint64
dyno_dit_get_n_channels (const DynoDit *self)
{
  return self->n_channels;
}

gint64
dyno_dit_get_n_results (const DynoDit *self)
{
  return self->n_results;
}

gint64
dyno_dit_get_side (const DynoDit *self)
{
  return self->side;
}

gint64
dyno_dit_get_n_classes (const DynoDit *self)
{
  return self->n_classes;
}

gint64
dyno_dit_get_states_width (const DynoDit *self)
{
  return self->states_width;
}

gboolean
dyno_dit_has_sizes (const DynoDit *self)
{
  return self->has_sizes;
}
