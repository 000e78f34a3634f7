/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

#define TRANSFORMER_EPSILON 1e-6
#define LAYER_EPSILON       1e-5
#define INNER_FACTOR        4

struct _DynoUnet
{
  DynoDiffusion layers;
  DynoDiffusionTime time;
  DynoDiffusionTime added; /* width 0 if there is none */
  GArray *widths;
  GArray *n_layers; /* for each stage, like the following */
  GArray *n_heads;
  GArray *depths; /* of the transformers */
  GArray *down;   /* whether there are transformers in the down path */
  GArray *up;     /* and in the up path, from the lowest stage on */
  gint64 in_channels;
  gint64 out_channels;
  gint64 states_width;
  gint64 text_width;
  gint64 condition_width;
  gint64 side;
  gboolean has_middle;
  gboolean is_linear; /* whether transformers use linear projections */
  gboolean is_centered;
  gboolean upcasts;
};

/* The skip connections from the down path to the up path, and the values that all layers share. */
typedef struct
{
  const DynoUnet *unet;
  DynoGraph *graph;
  GPtrArray *skips;
  const char *states;
  const char *time;
} Walk;

static const char *
add_block (const Walk *self, guint stage, const char *value)
{
  const DynoDiffusionAttention attention = { dyno_config_get_item (self->unet->n_heads, stage),
                                             .upcasts = self->unet->upcasts };
  DynoGraph *graph = self->graph;
  gint64 width = dyno_graph_get_shape (graph, value)->dims[2];
  const gint64 sizes[] = { INNER_FACTOR * width, INNER_FACTOR * width };
  const char *parts[2];
  const char *inner = dyno_layers_layer_norm (graph, "norm1", value, LAYER_EPSILON);

  inner = dyno_diffusion_attend (&attention, graph, "attn1", inner, inner, NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
  inner = dyno_layers_layer_norm (graph, "norm2", value, LAYER_EPSILON);
  inner = dyno_diffusion_attend (&attention, graph, "attn2", inner, self->states, NULL);
  value = dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
  inner = dyno_layers_layer_norm (graph, "norm3", value, LAYER_EPSILON);

  /* A gated linear unit: one half of the layer gates the other. */
  dyno_graph_push_scope (graph, "ff");
  inner = dyno_layers_linear (graph, "net.0.proj", inner, 2 * sizes[0], TRUE);
  dyno_graph_add_split (graph, inner, 2, 2, sizes, parts);
  inner = dyno_layers_activation (graph, "gelu", parts[1]);
  inner = dyno_graph_add (graph, "Mul", NULL, parts[0], inner, NULL);
  inner = dyno_layers_linear (graph, "net.2", inner, width, TRUE);
  dyno_graph_pop_scope (graph);
  return dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
}

/* The outer projections are 1 × 1 convolutions or equivalent linear layers. */
static const char *
add_transformer (const Walk *self, guint i, guint stage, const char *value)
{
  DynoGraph *graph = self->graph;
  gboolean is_linear = self->unet->is_linear;
  gint64 width = dyno_config_get_item (self->unet->widths, stage);
  const char *inner, *shape;

  dyno_graph_push_scope (graph, "attentions.%u", i);
  inner = dyno_convolution_normalize_groups (graph, "norm", value, self->unet->layers.n_groups,
                                             TRANSFORMER_EPSILON);
  if (!is_linear)
    inner = dyno_diffusion_convolve (graph, "proj_in", inner, width, 1, 1);
  inner = dyno_diffusion_flatten (graph, inner, &shape);
  if (is_linear)
    inner = dyno_layers_linear (graph, "proj_in", inner, width, TRUE);
  for (guint k = 0; k < dyno_config_get_item (self->unet->depths, stage); k++)
    {
      dyno_graph_push_scope (graph, "transformer_blocks.%u", k);
      inner = add_block (self, stage, inner);
      dyno_graph_pop_scope (graph);
    }
  if (is_linear)
    inner = dyno_layers_linear (graph, "proj_out", inner, width, TRUE);
  inner = dyno_diffusion_unflatten (graph, inner, shape);
  if (!is_linear)
    inner = dyno_diffusion_convolve (graph, "proj_out", inner, width, 1, 1);
  value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_residual (const Walk *self, guint i, guint stage, const char *value)
{
  dyno_graph_push_scope (self->graph, "resnets.%u", i);
  value = dyno_diffusion_add_residual (&self->unet->layers, self->graph, value, self->time,
                                       dyno_config_get_item (self->unet->widths, stage));
  dyno_graph_pop_scope (self->graph);
  return value;
}

static const char *
go_down (const Walk *self, guint stage, const char *value)
{
  const DynoUnet *unet = self->unet;

  dyno_graph_push_scope (self->graph, "down_blocks.%u", stage);
  for (guint i = 0; i < dyno_config_get_item (unet->n_layers, stage); i++)
    {
      value = add_residual (self, i, stage, value);
      if (dyno_config_get_item (unet->down, stage))
        value = add_transformer (self, i, stage, value);
      g_ptr_array_add (self->skips, (gpointer)value);
    }
  if (stage + 1 < unet->widths->len)
    {
      value = dyno_diffusion_convolve (self->graph, "downsamplers.0.conv", value,
                                       dyno_config_get_item (unet->widths, stage), 3, 2);
      g_ptr_array_add (self->skips, (gpointer)value);
    }
  dyno_graph_pop_scope (self->graph);
  return value;
}

static const char *
go_up (const Walk *self, guint place, const char *value)
{
  guint stage = self->unet->widths->len - 1 - place;

  dyno_graph_push_scope (self->graph, "up_blocks.%u", place);
  for (guint i = 0; i <= dyno_config_get_item (self->unet->n_layers, stage); i++)
    {
      const char *skip = g_ptr_array_steal_index (self->skips, self->skips->len - 1);

      value =
          add_residual (self, i, stage, dyno_graph_add (self->graph, "Concat", "axis=1", value, skip, NULL));
      if (dyno_config_get_item (self->unet->up, place))
        value = add_transformer (self, i, stage, value);
    }
  if (stage > 0)
    {
      /* Upsamples to the size of the next skip connection, because half of an odd size was rounded. */
      const char *skip = self->skips->pdata[self->skips->len - 1];

      value = dyno_diffusion_enlarge (self->graph, value,
                                      dyno_graph_add (self->graph, "Shape", "start=2 end=4", skip, NULL));
    }
  dyno_graph_pop_scope (self->graph);
  return value;
}

/* The embedding of the timestep and of further conditions of the whole image. */
static const char *
add_time (const DynoUnet *self, DynoGraph *graph, const DynoUnetInputs *inputs)
{
  gint64 width = 4 * self->time.width;
  const gint64 flat[] = { -1 }, joined[] = { -1, DYNO_UNET_N_TIME_IDS * self->added.width };
  const char *time, *ids;

  dyno_graph_push_scope (graph, "time_embedding");
  time = dyno_diffusion_embed_number (&self->time, graph, inputs->timestep);
  if (inputs->condition != NULL)
    time = dyno_graph_add (
        graph, "Add", NULL, time,
        dyno_layers_linear (graph, "cond_proj", inputs->condition, self->time.width, FALSE), NULL);
  dyno_graph_pop_scope (graph);
  time = dyno_diffusion_embed (graph, "time_embedding", time, width, self->layers.activation);
  if (inputs->time_ids == NULL)
    return time;
  dyno_graph_push_scope (graph, "add_embedding");
  ids = dyno_layers_reshape (graph, inputs->time_ids, 1, flat);
  ids = dyno_diffusion_embed_number (&self->added, graph, ids);
  ids = dyno_layers_reshape (graph, ids, 2, joined);
  ids = dyno_graph_add (graph, "Concat", "axis=1", inputs->text, ids, NULL);
  dyno_graph_pop_scope (graph);
  ids = dyno_diffusion_embed (graph, "add_embedding", ids, width, "silu");
  dyno_graph_push_scope (graph, "add_embedding");
  time = dyno_graph_add (graph, "Add", NULL, time, ids, NULL);
  dyno_graph_pop_scope (graph);
  return time;
}

const char *
dyno_unet_add (const DynoUnet *self, DynoGraph *graph, const DynoUnetInputs *inputs)
{
  g_autoptr (GPtrArray) skips = g_ptr_array_new ();
  Walk walk = { self, graph, skips, inputs->states, add_time (self, graph, inputs) };
  const char *value = inputs->sample;

  if (self->is_centered)
    {
      /* Maps noise between 0 and 1 to noise between −1 and 1. */
      dyno_graph_push_scope (graph, "center");
      value = dyno_graph_add (graph, "Mul", NULL, value, dyno_graph_add_real (graph, 2), NULL);
      value = dyno_graph_add (graph, "Sub", NULL, value, dyno_graph_add_real (graph, 1), NULL);
      dyno_graph_pop_scope (graph);
    }
  dyno_graph_push_scope (graph, "time_embedding");
  walk.time = dyno_layers_activation (graph, self->layers.activation, walk.time);
  dyno_graph_pop_scope (graph);
  value = dyno_diffusion_convolve (graph, "conv_in", value, dyno_config_get_item (self->widths, 0), 3, 1);
  g_ptr_array_add (skips, (gpointer)value);
  for (guint i = 0; i < self->widths->len; i++)
    value = go_down (&walk, i, value);
  if (self->has_middle)
    {
      guint last = self->widths->len - 1;

      dyno_graph_push_scope (graph, "mid_block");
      value = add_residual (&walk, 0, last, value);
      value = add_transformer (&walk, 0, last, value);
      value = add_residual (&walk, 1, last, value);
      dyno_graph_pop_scope (graph);
    }
  for (guint i = 0; i < self->widths->len; i++)
    value = go_up (&walk, i, value);
  return dyno_diffusion_finish (&self->layers, graph, value, self->out_channels);
}

/* Options of the published code that Dyno does not support. */
static const DynoConfigFixed fixed[] = {
  { "num_attention_heads", "null" },
  { "class_embed_type", "null" },
  { "num_class_embeds", "null" },
  { "encoder_hid_dim", "null" },
  { "encoder_hid_dim_type", "null" },
  { "time_embedding_type", "\"positional\"" },
  { "time_embedding_dim", "null" },
  { "time_embedding_act_fn", "null" },
  { "timestep_post_act", "null" },
  { "resnet_time_scale_shift", "\"default\"" },
  { "resnet_skip_time_act", "false" },
  { "resnet_out_scale_factor", "1.0" },
  { "mid_block_scale_factor", "1" },
  { "only_cross_attention", "false" },
  { "mid_block_only_cross_attention", "null" },
  { "dual_cross_attention", "false" },
  { "cross_attention_norm", "null" },
  { "attention_type", "\"default\"" },
  { "reverse_transformer_layers_per_block", "null" },
  { "downsample_padding", "1" },
  { "conv_in_kernel", "3" },
  { "conv_out_kernel", "3" },
};

/* Reads which stages have transformers. */
static GArray *
read_stages (DynoConfig *config, const char *name, guint n_stages, const char *with, const char *without)
{
  g_autoptr (GPtrArray) types = dyno_config_get_texts (config, name);
  GArray *stages = g_array_new (FALSE, TRUE, sizeof (gint64));

  if (types->len != n_stages)
    dyno_config_fail (config, _ ("its “%s” are not as many as its “%s”"), name, "block_out_channels");
  g_array_set_size (stages, n_stages);
  for (guint i = 0; i < MIN (types->len, n_stages); i++)
    {
      const char *type = types->pdata[i];

      g_array_index (stages, gint64, i) = g_str_equal (type, with);
      if (!g_str_equal (type, with) && !g_str_equal (type, without))
        dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), type, name);
    }
  return stages;
}

static void
check (const DynoUnet *self, DynoConfig *config)
{
  gint64 n_layers = 0;

  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));
  dyno_diffusion_check (&self->layers, config, self->widths);
  if (!dyno_config_check (config, NULL))
    return;
  for (guint i = 0; i < self->widths->len; i++)
    {
      gboolean is_lowest = i + 1 == self->widths->len;
      gboolean attends = dyno_config_get_item (self->down, i) ||
                         dyno_config_get_item (self->up, self->widths->len - 1 - i) ||
                         (is_lowest && self->has_middle);

      if (attends && dyno_config_get_item (self->widths, i) % dyno_config_get_item (self->n_heads, i) != 0)
        dyno_config_fail (config, _ ("its “block_out_channels” are no multiples of its “attention_head_dim”, "
                                     "which says how many heads there are"));
      n_layers += dyno_config_get_item (self->n_layers, i) * dyno_config_get_item (self->depths, i);
    }
  dyno_config_check_layers (config, "layers_per_block", n_layers);
  if (self->time.width % 2 != 0 || self->time.width < 4 || self->time.shift > 1)
    dyno_config_fail (config, _ ("its “block_out_channels” and “freq_shift” give no times"));
}

DynoUnet *
dyno_unet_new (DynoConfig *config)
{
  static const char usual[] = "UNetMidBlock2DCrossAttn";
  const char *type = dyno_config_get_string_or (config, "mid_block_type", usual);
  DynoUnet *self = g_new0 (DynoUnet, 1);
  guint n_stages;

  self->widths = dyno_config_get_ints (config, "block_out_channels");
  n_stages = self->widths->len;
  self->layers = dyno_diffusion_read (config, 1e-5);
  self->time = (DynoDiffusionTime){ n_stages > 0 ? dyno_config_get_item (self->widths, 0) : 0,
                                    dyno_config_get_boolean_or (config, "flip_sin_to_cos", TRUE),
                                    dyno_config_get_count_or (config, "freq_shift", 0) };

  /* Conditions on the image besides its text: none, or those of SDXL. */
  const char *added = dyno_config_get_string_or (config, "addition_embed_type", "");
  if (*added != '\0')
    {
      if (!g_str_equal (added, "text_time"))
        dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), added, "addition_embed_type");
      self->added = (DynoDiffusionTime){ dyno_config_get_int (config, "addition_time_embed_dim"),
                                         self->time.is_flipped, self->time.shift };
      self->text_width = dyno_config_get_int (config, "projection_class_embeddings_input_dim") -
                         DYNO_UNET_N_TIME_IDS * self->added.width;
      if (self->text_width < 1 || self->added.width < 4 || self->added.width % 2 != 0)
        dyno_config_fail (config,
                          _ ("its “projection_class_embeddings_input_dim” and “addition_time_embed_dim” "
                             "do not belong together"));
    }
  self->n_layers = dyno_config_get_ints_for_each (config, "layers_per_block", n_stages, 2);
  self->n_heads = dyno_config_get_ints_for_each (config, "attention_head_dim", n_stages, 8);
  self->depths = dyno_config_get_ints_for_each (config, "transformer_layers_per_block", n_stages, 1);
  self->down = read_stages (config, "down_block_types", n_stages, "CrossAttnDownBlock2D", "DownBlock2D");
  self->up = read_stages (config, "up_block_types", n_stages, "CrossAttnUpBlock2D", "UpBlock2D");
  if (!g_str_equal (type, usual))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), type, "mid_block_type");
  self->has_middle = !dyno_config_is_null (config, "mid_block_type");
  self->in_channels = dyno_config_get_int_or (config, "in_channels", 4);
  self->out_channels = dyno_config_get_int_or (config, "out_channels", 4);
  self->states_width = dyno_config_get_int_or (config, "cross_attention_dim", 1280);
  self->condition_width = dyno_config_get_count_or (config, "time_cond_proj_dim", 0);
  self->side = dyno_config_get_int_or (config, "sample_size", 64);
  self->is_linear = dyno_config_get_boolean_or (config, "use_linear_projection", FALSE);
  self->is_centered = dyno_config_get_boolean_or (config, "center_input_sample", FALSE);
  self->upcasts = dyno_config_get_boolean_or (config, "upcast_attention", FALSE);
  check (self, config);
  return self;
}

void
dyno_unet_free (DynoUnet *self)
{
  g_array_unref (self->widths);
  g_array_unref (self->n_layers);
  g_array_unref (self->n_heads);
  g_array_unref (self->depths);
  g_array_unref (self->down);
  g_array_unref (self->up);
  g_free (self);
}

gint64
dyno_unet_get_n_channels (const DynoUnet *self)
{
  return self->in_channels;
}

gint64
dyno_unet_get_n_results (const DynoUnet *self)
{
  return self->out_channels;
}

gint64
dyno_unet_get_side (const DynoUnet *self)
{
  return self->side;
}

gint64
dyno_unet_get_states_width (const DynoUnet *self)
{
  return self->states_width;
}

gint64
dyno_unet_get_text_width (const DynoUnet *self)
{
  return self->text_width;
}

gint64
dyno_unet_get_condition_width (const DynoUnet *self)
{
  return self->condition_width;
}
