/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-model-graph-private.h"

#define MAX_ROWS (1 << 16)

static void
read_terms (DynoDisentangled *self, DynoConfig *config)
{
  g_autofree char *terms = dyno_config_dup_joined (config, "pos_att_type");

  self->content_to_position = strstr (terms, "c2p") != NULL;
  self->position_to_content = strstr (terms, "p2c") != NULL;
  self->n_terms = (gint64)self->content_to_position + (gint64)self->position_to_content;
  if (self->n_terms == 0)
    dyno_config_fail (config,
                      _ ("its “pos_att_type” is “%s”, but with “relative_attention” it names “c2p” or “p2c”"),
                      terms);
}

static void
read_distances (DynoDisentangled *self, DynoConfig *config, gint64 buckets)
{
  self->max_distance = dyno_config_get_count_or (config, "max_relative_positions", 0);
  if (self->max_distance == 0)
    self->max_distance = dyno_config_get_int (config, "max_position_embeddings");
  self->is_logarithmic = buckets > 0;
  self->n_rows = 2 * (buckets > 0 ? buckets : self->max_distance);
  if (buckets > 0 && (buckets < 4 || buckets > MAX_ROWS / 2))
    dyno_config_fail (config, _ ("its “position_buckets” must lie between 4 and %d"), MAX_ROWS / 2);
  if (self->max_distance < 4 || self->max_distance > MAX_ROWS / 2)
    dyno_config_fail (config, _ ("its “max_relative_positions” must lie between 4 and %d"), MAX_ROWS / 2);
}

static DynoDisentangled
read_sizes (DynoConfig *config, double epsilon)
{
  return (DynoDisentangled){
    .width = dyno_config_get_int (config, "hidden_size"),
    .n_heads = dyno_config_get_int (config, "num_attention_heads"),
    .epsilon = epsilon,
  };
}

static const DynoConfigFixed fixed_first[] = { { "talking_head", "false" } };

DynoDisentangled
dyno_disentangled_read_first (DynoConfig *config, double epsilon)
{
  DynoDisentangled self = read_sizes (config, epsilon);

  self.is_first = TRUE;
  dyno_config_check_fixed (config, fixed_first, G_N_ELEMENTS (fixed_first));
  if (!dyno_config_get_boolean_or (config, "relative_attention", FALSE))
    return self;
  read_terms (&self, config);
  read_distances (&self, config, 0);
  return self;
}

DynoDisentangled
dyno_disentangled_read (DynoConfig *config, double epsilon)
{
  DynoDisentangled self = read_sizes (config, epsilon);

  self.kernel = dyno_config_get_count_or (config, "conv_kernel_size", 0);
  self.groups = dyno_config_get_int_or (config, "conv_groups", 1);
  self.activation = dyno_config_get_string_or (config, "conv_act", "tanh");
  if (dyno_config_get_boolean_or (config, "relative_attention", FALSE))
    {
      read_terms (&self, config);
      read_distances (&self, config, dyno_config_get_count_or (config, "position_buckets", 0));
      self.shares_projections = dyno_config_get_boolean_or (config, "share_att_key", FALSE);
      self.is_normalized =
          strstr (dyno_config_get_string_or (config, "norm_rel_ebd", "none"), "layer_norm") != NULL;
    }
  if (self.kernel > 0 && (self.kernel % 2 == 0 || self.width % self.groups != 0))
    dyno_config_fail (config, _ ("its “conv_kernel_size” or “conv_groups” does not suit its width"));
  dyno_config_check_activation (config, "conv_act", self.activation);
  return self;
}

DynoDisentangledDistances
dyno_disentangled_add (const DynoDisentangled *self, DynoGraph *graph, const char *ids)
{
  const gint64 dims[] = { self->n_rows, self->width };
  DynoDisentangledDistances distances = { 0 };
  const char *places;

  dyno_graph_push_scope (graph, "encoder");
  distances.table =
      dyno_graph_add_weight (graph, "rel_embeddings.weight", 0, 1 / sqrt ((double)self->width), 2, dims);
  if (self->is_normalized)
    distances.table = dyno_layers_layer_norm (graph, "LayerNorm", distances.table, self->epsilon);
  places = dyno_relative_places (graph, ids, 1);
  distances.rows = dyno_relative_rows (
      graph, places, places, self->is_logarithmic ? dyno_relative_bucket_signed : dyno_relative_bucket_each,
      self->n_rows, self->max_distance);

  /* Engines only gather along one dimension if the indices have all other dimensions. */
  const char *batch = dyno_graph_add (graph, "Shape", "start=0 end=1", ids, NULL);
  const char *heads = dyno_graph_add_ints (graph, 1, &self->n_heads);
  const char *pairs = dyno_graph_add (graph, "Shape", NULL, distances.rows, NULL);
  const char *shape = dyno_graph_add (graph, "Concat", "axis=0", batch, heads, pairs, NULL);

  distances.rows = dyno_graph_add (graph, "Expand", NULL, distances.rows, shape, NULL);
  distances.turned_rows = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2]", distances.rows, NULL);
  dyno_graph_pop_scope (graph);
  return distances;
}

/* The table, projected for each head and transposed: [1, heads, head width, rows]. */
static const char *
project (const DynoDisentangled *self, DynoGraph *graph, gboolean is_of_query, const char *table)
{
  /* The projections of the table are named like those of keys and queries. */
  static const char *const names[][2] = { { "pos_key_proj", "pos_query_proj" },
                                          { "key_proj", "query_proj" },
                                          { "pos_proj", "pos_q_proj" } };
  const char *name = names[self->is_first ? 2 : self->shares_projections ? 1 : 0][is_of_query ? 1 : 0];
  const gint64 first = 0;

  table = dyno_layers_linear (graph, name, table, self->width, is_of_query || !self->is_first);
  table = dyno_graph_add (graph, "Unsqueeze", NULL, table, dyno_graph_add_ints (graph, 1, &first), NULL);
  table = dyno_layers_split_heads (graph, table, self->n_heads);
  return dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2]", table, NULL);
}

static const char *
look_up (DynoGraph *graph, const char *value, const char *table, const char *rows)
{
  value = dyno_graph_add (graph, "MatMul", NULL, value, table, NULL);
  return dyno_graph_add (graph, "GatherElements", "axis=3", value, rows, NULL);
}

const char *
dyno_disentangled_bias (const DynoDisentangled *self,
                        DynoGraph *graph,
                        const DynoDisentangledDistances *distances,
                        const char *query,
                        const char *key)
{
  double divisor = sqrt ((double)((self->n_terms + 1) * self->width / self->n_heads));
  const char *bias = NULL;
  const char *term;

  if (self->content_to_position)
    bias = look_up (graph, query, project (self, graph, FALSE, distances->table), distances->rows);
  if (self->position_to_content)
    {
      term = look_up (graph, key, project (self, graph, TRUE, distances->table), distances->turned_rows);
      term = dyno_graph_add (graph, "Transpose", "perm=[0,1,3,2]", term, NULL);
      bias = bias != NULL ? dyno_graph_add (graph, "Add", NULL, bias, term, NULL) : term;
    }
  return dyno_graph_add (graph, "Div", NULL, bias, dyno_graph_add_real (graph, (float)divisor), NULL);
}

const char *
dyno_disentangled_convolve (const DynoDisentangled *self,
                            DynoGraph *graph,
                            const char *embeddings,
                            const char *value)
{
  const gint64 dims[] = { self->width, self->width / self->groups, self->kernel };
  gint64 pad = self->kernel / 2;
  double deviation = 1 / sqrt ((double)(dims[1] * dims[2]));
  g_autofree char *attributes = g_strdup_printf ("kernel_shape=[%" G_GINT64_FORMAT "] pads=[%" G_GINT64_FORMAT
                                                 ",%" G_GINT64_FORMAT "] group=%" G_GINT64_FORMAT,
                                                 self->kernel, pad, pad, self->groups);
  const char *inner;

  dyno_graph_push_scope (graph, "encoder.conv");
  inner = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", embeddings, NULL);
  inner = dyno_graph_add (graph, "Conv", attributes, inner,
                          dyno_graph_add_weight (graph, "conv.weight", 0, deviation, 3, dims),
                          dyno_graph_add_weight (graph, "conv.bias", 0, 0.02, 1, dims), NULL);
  inner = dyno_graph_add (graph, "Transpose", "perm=[0,2,1]", inner, NULL);
  inner = dyno_layers_activation (graph, self->activation, inner);
  value = dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
  value = dyno_layers_layer_norm (graph, "LayerNorm", value, self->epsilon);
  dyno_graph_pop_scope (graph);
  return value;
}
