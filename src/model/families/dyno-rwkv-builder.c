/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* RWKV-4, Peng et al. 2023: each token reads the one before it and a weighted mean of all values so far. Its
 * “rescale_every” only keeps the numbers of half precision small, and changes no result. */

/* The epsilon of the norm after the last layer is not in the config. */
#define LAST_EPSILON 1e-5

/* Random weights with a realistic decay. */
#define MEAN_DECAY -1.0
#define MEAN_FIRST -1.0
#define DEVIATION  0.5

#define EMBEDDING "rwkv.embeddings"

typedef struct
{
  gint64 vocabulary;
  gint64 width;
  gint64 attention_width;
  gint64 inner_width;
  gint64 n_layers;
  gboolean is_tied;
  double epsilon;
} Rwkv;

static const char *
slice (DynoGraph *graph, const char *value, gint64 start, gint64 end)
{
  const gint64 axis = 1;

  return dyno_graph_add (graph, "Slice", NULL, value, dyno_graph_add_ints (graph, 1, &start),
                         dyno_graph_add_ints (graph, 1, &end), dyno_graph_add_ints (graph, 1, &axis), NULL);
}

/* The token before each: [batch, sequence, width]. @what: names the cache of the last one */
static const char *
shift (const Rwkv *self, DynoGraph *graph, guint layer, const char *what, const char *value)
{
  g_autofree char *name = g_strdup_printf ("past_key_values.%u.%s", layer, what);
  g_autofree char *dimensions = g_strdup_printf ("batch, 1, %" G_GINT64_FORMAT, self->width);
  const char *past = dyno_graph_add_input (graph, name, dyno_graph_get_real_type (graph), dimensions);
  const char *all = dyno_graph_add (graph, "Concat", "axis=1", past, value, NULL);

  dyno_recurrence_add_output (graph, what, layer, slice (graph, all, -1, G_MAXINT64));
  return slice (graph, all, 0, -1);
}

/* A share of each token and the rest of the one before it. */
static const char *
mix (const Rwkv *self, DynoGraph *graph, const char *name, const char *value, const char *before)
{
  const gint64 dims[] = { 1, 1, self->width };
  const char *share = dyno_graph_add_weight (graph, name, 0.5, 0.2, 3, dims);
  const char *change = dyno_graph_add (graph, "Sub", NULL, value, before, NULL);

  return dyno_graph_add (graph, "Add", NULL, before, dyno_graph_add (graph, "Mul", NULL, change, share, NULL),
                         NULL);
}

/* Two parts of a mean, each as its sum over the power of e that is the larger one. */
typedef struct
{
  const char *larger;
  const char *old;
  const char *new;
} Shares;

static Shares
weigh (DynoGraph *graph, const char *old, const char *new)
{
  const char *larger = dyno_graph_add (graph, "Max", NULL, old, new, NULL);

  old = dyno_graph_add (graph, "Sub", NULL, old, larger, NULL);
  new = dyno_graph_add (graph, "Sub", NULL, new, larger, NULL);
  return (Shares){ larger, dyno_graph_add (graph, "Exp", NULL, old, NULL),
                   dyno_graph_add (graph, "Exp", NULL, new, NULL) };
}

static const char *
add_weighed (DynoGraph *graph, const Shares *shares, const char *old, const char *new)
{
  old = dyno_graph_add (graph, "Mul", NULL, shares->old, old, NULL);
  new = new != NULL ? dyno_graph_add (graph, "Mul", NULL, shares->new, new, NULL) : shares->new;
  return dyno_graph_add (graph, "Add", NULL, old, new, NULL);
}

/* The weights of the current token and of those before it, in single precision. */
typedef struct
{
  gint64 width;
  const char *first;
  const char *decay;
} Step;

/* The state is the sum of values, the sum of weights, and the power of e that both are multiplied by: [batch, 3, width] */
static const char *
add_step (DynoGraph *graph, const char **state, const char *const *inputs, gpointer data)
{
  const Step *self = data;
  const gint64 sizes[] = { 1, 1, 1 }, flat[] = { 0, self->width }, alone[] = { 0, 1, self->width };
  const char *parts[3], *result;
  Shares shares;

  dyno_graph_add_split (graph, *state, 1, 3, sizes, parts);
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_layers_reshape (graph, parts[i], 2, flat);
  shares = weigh (graph, parts[2], dyno_graph_add (graph, "Add", NULL, inputs[0], self->first, NULL));
  result = dyno_graph_add (graph, "Div", NULL, add_weighed (graph, &shares, parts[0], inputs[1]),
                           add_weighed (graph, &shares, parts[1], NULL), NULL);
  shares = weigh (graph, dyno_graph_add (graph, "Sub", NULL, parts[2], self->decay, NULL), inputs[0]);
  parts[0] = add_weighed (graph, &shares, parts[0], inputs[1]);
  parts[1] = add_weighed (graph, &shares, parts[1], NULL);
  parts[2] = shares.larger;
  for (guint i = 0; i < 3; i++)
    parts[i] = dyno_layers_reshape (graph, parts[i], 3, alone);
  *state = dyno_graph_add (graph, "Concat", "axis=1", parts[0], parts[1], parts[2], NULL);
  return result;
}

static const char *
add_attention (const Rwkv *self, DynoGraph *graph, guint layer, const char *value)
{
  const char *before, *key, *gate;

  dyno_graph_push_scope (graph, "attention");
  before = shift (self, graph, layer, "attention", value);
  gate = mix (self, graph, "time_mix_receptance", value, before);
  gate = dyno_layers_linear (graph, "receptance", gate, self->attention_width, FALSE);
  gate = dyno_graph_add (graph, "Sigmoid", NULL, gate, NULL);
  key = mix (self, graph, "time_mix_key", value, before);
  key = dyno_layers_linear (graph, "key", key, self->attention_width, FALSE);
  value = mix (self, graph, "time_mix_value", value, before);
  value = dyno_layers_linear (graph, "value", value, self->attention_width, FALSE);

  gint64 width = self->attention_width;
  g_autofree char *dimensions = g_strdup_printf ("batch, 3, %" G_GINT64_FORMAT, width);
  const char *first = dyno_graph_add_weight (graph, "time_first", MEAN_FIRST, DEVIATION, 1, &width);
  const char *decay = dyno_graph_add_weight (graph, "time_decay", MEAN_DECAY, DEVIATION, 1, &width);
  Step step = { width, dyno_layers_cast (graph, first, DYNO_DATA_TYPE_FLOAT), NULL };
  const char *inputs[] = { key, value }, *last;

  step.decay =
      dyno_graph_add (graph, "Exp", NULL, dyno_layers_cast (graph, decay, DYNO_DATA_TYPE_FLOAT), NULL);
  value = dyno_recurrence_scan (graph, layer, dimensions, 2, inputs, add_step, &step, &last);
  dyno_recurrence_add_output (graph, "state", layer, last);

  value = dyno_graph_add (graph, "Mul", NULL, gate, value, NULL);
  value = dyno_layers_linear (graph, "output", value, self->width, FALSE);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_layer (const Rwkv *self, DynoGraph *graph, guint layer, const char *value)
{
  const char *inner, *before, *gate;

  dyno_graph_push_scope (graph, "rwkv.blocks.%u", layer);
  if (layer == 0)
    value = dyno_layers_layer_norm (graph, "pre_ln", value, self->epsilon);
  inner = dyno_layers_layer_norm (graph, "ln1", value, self->epsilon);
  value = dyno_graph_add (graph, "Add", NULL, value, add_attention (self, graph, layer, inner), NULL);
  inner = dyno_layers_layer_norm (graph, "ln2", value, self->epsilon);

  dyno_graph_push_scope (graph, "feed_forward");
  before = shift (self, graph, layer, "feed", inner);
  gate = mix (self, graph, "time_mix_receptance", inner, before);
  gate = dyno_layers_linear (graph, "receptance", gate, self->width, FALSE);
  gate = dyno_graph_add (graph, "Sigmoid", NULL, gate, NULL);
  inner = mix (self, graph, "time_mix_key", inner, before);
  inner = dyno_layers_linear (graph, "key", inner, self->inner_width, FALSE);
  inner = dyno_graph_add (graph, "Relu", NULL, inner, NULL);
  inner = dyno_graph_add (graph, "Mul", NULL, inner, inner, NULL);
  inner = dyno_layers_linear (graph, "value", inner, self->width, FALSE);
  inner = dyno_graph_add (graph, "Mul", NULL, gate, inner, NULL);
  dyno_graph_pop_scope (graph);
  value = dyno_graph_add (graph, "Add", NULL, value, inner, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static void
build (DynoGraph *graph, DynoConfig *config)
{
  gint64 width = dyno_config_get_int (config, "hidden_size");
  const Rwkv self = {
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .width = width,
    .attention_width = dyno_config_get_int_or (config, "attention_hidden_size", width),
    .inner_width = dyno_config_get_int_or (config, "intermediate_size", 4 * MIN (width, G_MAXINT32)),
    .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
    .is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", FALSE),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_epsilon", 1e-5),
  };
  g_autofree char *dimensions = g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, self.vocabulary);
  const char *value;

  dyno_config_check_layers (config, "num_hidden_layers", self.n_layers);
  if (!dyno_config_check (config, NULL))
    return;
  value = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  dyno_graph_limit_input (graph, "input_ids", self.vocabulary);
  value = dyno_layers_embedding (graph, EMBEDDING, value, self.vocabulary, width);
  for (guint i = 0; i < self.n_layers; i++)
    value = add_layer (&self, graph, i, value);
  value = dyno_layers_layer_norm (graph, "rwkv.ln_out", value, LAST_EPSILON);
  dyno_graph_add_output (graph, "logits",
                         !self.is_tied ? dyno_layers_linear (graph, "head", value, self.vocabulary, FALSE)
                                       : dyno_layers_tied_head (graph, "head", value, EMBEDDING ".weight",
                                                                self.vocabulary, self.width),
                         dimensions);
}

static const DynoNaming naming = { "rwkv", (const DynoNamePair[]){ { EMBEDDING ".", "head." }, { NULL } } };

const DynoArchitecture dyno_rwkv_architectures[] = {
  { "rwkv", &dyno_state_space_family, "text-generation", build, &naming },
  { NULL },
};
