/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-config-checks.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

struct _DynoAutoencoder
{
  DynoDiffusion layers;
  GArray *widths;
  gint64 n_layers;
  gint64 n_channels;
  gint64 n_colours;
  gint64 side; /* of an image */
  double scale;
  double shift;
  gboolean has_attention;
  gboolean has_first;
};

static const char *
add_residual (const DynoAutoencoder *self, DynoGraph *graph, guint i, const char *value, gint64 width)
{
  dyno_graph_push_scope (graph, "resnets.%u", i);
  value = dyno_diffusion_add_residual (&self->layers, graph, value, NULL, width);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
go_up (const DynoAutoencoder *self, DynoGraph *graph, guint place, const char *value)
{
  guint stage = self->widths->len - 1 - place;

  dyno_graph_push_scope (graph, "up_blocks.%u", place);
  for (guint i = 0; i <= self->n_layers; i++)
    value = add_residual (self, graph, i, value, g_array_index (self->widths, gint64, stage));
  if (stage > 0)
    {
      /* Twice as high and as wide. */
      const gint64 two = 2;
      const char *sizes = dyno_graph_add (graph, "Shape", "start=2 end=4", value, NULL);

      sizes = dyno_graph_add (graph, "Mul", NULL, sizes, dyno_graph_add_ints (graph, 1, &two), NULL);
      value = dyno_diffusion_enlarge (graph, value, sizes);
    }
  dyno_graph_pop_scope (graph);
  return value;
}

const char *
dyno_autoencoder_add (const DynoAutoencoder *self, DynoGraph *graph, const char *latents)
{
  guint n_stages = self->widths->len;
  gint64 width = g_array_index (self->widths, gint64, n_stages - 1);
  const char *value = latents;

  if (self->has_first)
    value = dyno_diffusion_convolve (graph, "post_quant_conv", value, self->n_channels, 1, 1);
  dyno_graph_push_scope (graph, "decoder");
  value = dyno_diffusion_convolve (graph, "conv_in", value, width, 3, 1);

  dyno_graph_push_scope (graph, "mid_block");
  value = add_residual (self, graph, 0, value, width);
  if (self->has_attention)
    {
      /* One head that attends to all positions. */
      const DynoDiffusionAttention attention = { .n_heads = 1, .has_bias = TRUE };
      const char *inner, *shape;

      dyno_graph_push_scope (graph, "attentions");
      inner = dyno_convolution_normalize_groups (graph, "0.group_norm", value, self->layers.n_groups,
                                                 self->layers.epsilon);
      inner = dyno_diffusion_flatten (graph, inner, &shape);
      inner = dyno_diffusion_attend (&attention, graph, "0", inner, inner, NULL);
      inner = dyno_diffusion_unflatten (graph, inner, shape);
      value = dyno_graph_add (graph, "Add", NULL, inner, value, NULL);
      dyno_graph_pop_scope (graph);
    }
  value = add_residual (self, graph, 1, value, width);
  dyno_graph_pop_scope (graph);

  for (guint i = 0; i < n_stages; i++)
    value = go_up (self, graph, i, value);
  value = dyno_diffusion_finish (&self->layers, graph, value, self->n_colours);
  dyno_graph_pop_scope (graph);
  return value;
}

DynoAutoencoder *
dyno_autoencoder_new (DynoConfig *config)
{
  DynoAutoencoder *self = g_new0 (DynoAutoencoder, 1);
  g_autoptr (GPtrArray) types = dyno_config_get_texts (config, "up_block_types");

  self->layers = dyno_diffusion_read (config, 1e-6);
  self->widths = dyno_config_get_ints (config, "block_out_channels");
  self->n_layers = dyno_config_get_int_or (config, "layers_per_block", 1);
  self->n_channels = dyno_config_get_int_or (config, "latent_channels", 4);
  self->n_colours = dyno_config_get_int_or (config, "out_channels", 3);
  self->side = dyno_config_get_int_or (config, "sample_size", 32);
  self->scale = dyno_config_get_double_or (config, "scaling_factor", 0.18215);
  self->shift = dyno_config_get_double_or (config, "shift_factor", 0);
  self->has_attention = dyno_config_get_boolean_or (config, "mid_block_add_attention", TRUE);
  self->has_first = dyno_config_get_boolean_or (config, "use_post_quant_conv", TRUE);

  if (types->len != self->widths->len)
    dyno_config_fail (config, _ ("its “%s” are not as many as its “%s”"), "up_block_types",
                      "block_out_channels");
  for (guint i = 0; i < types->len; i++)
    if (!g_str_equal (types->pdata[i], "UpDecoderBlock2D"))
      dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), (char *)types->pdata[i],
                        "up_block_types");

  dyno_diffusion_check (&self->layers, config, self->widths);
  dyno_config_check_layers (config, "layers_per_block", (self->n_layers + 1) * self->widths->len);
  return self;
}

void
dyno_autoencoder_free (DynoAutoencoder *self)
{
  g_array_unref (self->widths);
  g_free (self);
}

gint64
dyno_autoencoder_get_n_channels (const DynoAutoencoder *self)
{
  return self->n_channels;
}

gint64
dyno_autoencoder_get_n_colours (const DynoAutoencoder *self)
{
  return self->n_colours;
}

gint64
dyno_autoencoder_get_side (const DynoAutoencoder *self)
{
  return MAX (self->side >> MIN (self->widths->len - 1, 20), 1);
}

double
dyno_autoencoder_get_scale (const DynoAutoencoder *self)
{
  return self->scale;
}

double
dyno_autoencoder_get_shift (const DynoAutoencoder *self)
{
  return self->shift;
}

gint64
dyno_autoencoder_get_growth (const DynoAutoencoder *self)
{
  return G_GINT64_CONSTANT (1) << MIN (self->widths->len - 1, 20);
}
