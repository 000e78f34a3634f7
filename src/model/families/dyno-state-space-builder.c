/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-config-checks.h"
#include "dyno-json.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* Random weights with realistic steps. */
#define MEAN_STEP -3.0
#define DEVIATION 0.5

#define ROOT      "backbone"
#define EMBEDDING ROOT ".embeddings"

static DynoStateSpace
read_common (DynoConfig *config)
{
  gint64 width = dyno_config_get_int (config, "hidden_size");
  DynoStateSpace self = {
    .vocabulary = dyno_config_get_int (config, "vocab_size"),
    .width = width,
    .inner_width = dyno_config_get_int_or (config, "expand", 2) * width,
    .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
    .state_width = dyno_config_get_int (config, "state_size"),
    .kernel = dyno_config_get_int_or (config, "conv_kernel", 4),
    .is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", TRUE),
    .has_bias = dyno_config_get_boolean_or (config, "use_bias", FALSE),
    .has_kernel_bias = dyno_config_get_boolean_or (config, "use_conv_bias", TRUE),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_epsilon", 1e-5),
    .activation = dyno_config_get_string_or (config, "hidden_act", "silu"),
  };

  dyno_config_check_layers (config, "num_hidden_layers", self.n_layers);
  if (self.kernel < 2)
    dyno_config_fail (config, _ ("its “%s” is 1, but must be at least 2"), "conv_kernel");
  dyno_config_check_activation (config, "hidden_act", self.activation);
  return self;
}

static const char *
unsqueeze (DynoGraph *graph, const char *value, gint64 axis)
{
  return dyno_graph_add (graph, "Unsqueeze", NULL, value, dyno_graph_add_ints (graph, 1, &axis), NULL);
}

static const char *
add_convolution (DynoStateSpaceLayers *self, const char *value)
{
  const DynoKernel kernel = { self->model->kernel, self->model->has_kernel_bias };
  const char *last;

  value = dyno_recurrence_convolve (&kernel, self->graph, self->layer, "conv1d", value, &last);
  g_ptr_array_add (self->kernels, (gpointer)last);
  return dyno_layers_activation (self->graph, self->model->activation, value);
}

/* The body of a step, and its further values. */
typedef struct
{
  const DynoStateSpace *model;
  const char *decay;
} Step;

/* The heads of a group share B and C: [batch, groups, state] to [batch, heads, state] */
static const char *
repeat_groups (const DynoStateSpace *model, DynoGraph *graph, const char *value)
{
  const gint64 factors[] = { 1, 1, model->n_heads / model->n_groups, 1 };
  const gint64 target[] = { 0, model->n_heads, model->state_width };

  value = dyno_graph_add (graph, "Expand", NULL, unsqueeze (graph, value, 2),
                          dyno_graph_add_ints (graph, 4, factors), NULL);
  return dyno_layers_reshape (graph, value, 3, target);
}

/* The same per head: A is one number per head. */
static const char *
add_head_step (DynoGraph *graph, const char **state, const char *const *inputs, gpointer data)
{
  const Step *self = data;
  const char *step = unsqueeze (graph, inputs[0], -1);
  const char *kept = dyno_graph_add (graph, "Mul", NULL, inputs[0], self->decay, NULL);
  const char *taken = dyno_graph_add (graph, "Mul", NULL, step, inputs[1], NULL);
  const char *in = repeat_groups (self->model, graph, inputs[2]);
  const char *out = repeat_groups (self->model, graph, inputs[3]);

  kept = unsqueeze (graph, unsqueeze (graph, dyno_graph_add (graph, "Exp", NULL, kept, NULL), -1), -1);
  kept = dyno_graph_add (graph, "Mul", NULL, kept, *state, NULL);
  taken = dyno_graph_add (graph, "Mul", NULL, unsqueeze (graph, taken, -1), unsqueeze (graph, in, 2), NULL);
  *state = dyno_graph_add (graph, "Add", NULL, kept, taken, NULL);
  return dyno_graph_add (graph, "MatMul", NULL, *state, unsqueeze (graph, out, -1), NULL);
}

static const char *
add_mixer (DynoStateSpaceLayers *self, const char *value)
{
  const DynoStateSpace *model = self->model;
  DynoGraph *graph = self->graph;
  const gint64 sizes[] = { model->inner_width, model->inner_width };
  const DynoSelective selective = { model->state_width, model->step_rank, model->selected_epsilon, FALSE };
  const char *parts[2], *last;

  dyno_graph_push_scope (graph, "mixer");
  value = dyno_layers_linear (graph, "in_proj", value, 2 * model->inner_width, model->has_bias);
  dyno_graph_add_split (graph, value, 2, 2, sizes, parts);

  /* Mamba 1. */
  value = add_convolution (self, parts[0]);
  value = dyno_recurrence_select (&selective, graph, self->layer, value, &last);
  g_ptr_array_add (self->states, (gpointer)last);

  value = dyno_graph_add (graph, "Mul", NULL, value,
                          dyno_layers_activation (graph, model->activation, parts[1]), NULL);
  value = dyno_layers_linear (graph, "out_proj", value, model->width, model->has_bias);
  dyno_graph_pop_scope (graph);
  return value;
}

/* Mamba 2 (Dao and Gu 2024): Δ, B and C are projected together with the input, and A is one number per head. */
static const char *
add_head_scan (DynoStateSpaceLayers *self, const char *const *parts, const char *step)
{
  const DynoStateSpace *model = self->model;
  DynoGraph *graph = self->graph;
  const gint64 heads[] = { 0, 0, model->n_heads, model->head_width };
  const gint64 groups[] = { 0, 0, model->n_groups, model->state_width };
  const gint64 flat[] = { 0, 0, model->inner_width };
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT, model->n_heads,
                       model->head_width, model->state_width);
  const char *value = dyno_layers_reshape (graph, parts[0], 4, heads);
  const char *skip = dyno_graph_add_weight (graph, "D", 1, 0.02, 1, &model->n_heads);
  const char *inputs[] = { step, value, dyno_layers_reshape (graph, parts[1], 4, groups),
                           dyno_layers_reshape (graph, parts[2], 4, groups) };
  Step state = { model, dyno_recurrence_add_decay (graph, 1, &model->n_heads) };
  const char *last;
  const char *result =
      dyno_recurrence_scan (graph, self->layer, dimensions, 4, inputs, add_head_step, &state, &last);

  g_ptr_array_add (self->states, (gpointer)last);
  skip = dyno_graph_add (graph, "Mul", NULL, value, unsqueeze (graph, skip, -1), NULL);
  return dyno_graph_add (graph, "Add", NULL, dyno_layers_reshape (graph, result, 3, flat),
                         dyno_layers_reshape (graph, skip, 3, flat), NULL);
}

const char *
dyno_state_space_add_mixer2 (DynoStateSpaceLayers *self, const char *name, const char *value)
{
  const DynoStateSpace *model = self->model;
  DynoGraph *graph = self->graph;
  gint64 shared = model->n_groups * model->state_width;
  const gint64 sizes[] = { model->inner_width, model->inner_width + 2 * shared, model->n_heads };
  const gint64 inner_sizes[] = { model->inner_width, shared, shared };
  const char *outer[3], *parts[3];
  const char *step, *weight;

  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_layers_linear (graph, "in_proj", value, sizes[0] + sizes[1] + sizes[2], model->has_bias);
  dyno_graph_add_split (graph, value, 2, 3, sizes, outer);
  value = add_convolution (self, outer[1]);
  dyno_graph_add_split (graph, value, 2, 3, inner_sizes, parts);
  step = dyno_graph_add_weight (graph, "dt_bias", MEAN_STEP, DEVIATION, 1, &model->n_heads);
  step = dyno_graph_add (graph, "Add", NULL, outer[2], step, NULL);
  step = dyno_graph_add (graph, "Softplus", NULL, step, NULL);
  if (model->least_step > 0)
    step = dyno_graph_add (graph, "Clip", NULL, step, dyno_graph_add_real (graph, (float)model->least_step),
                           NULL);
  value = add_head_scan (self, parts, step);

  /* Normalises each group separately, after the gate. */
  const char *gate = outer[0];
  const gint64 groups[] = { 0, 0, model->n_groups, model->inner_width / model->n_groups };
  const gint64 flat[] = { 0, 0, model->inner_width };

  dyno_graph_push_scope (graph, "norm");
  gate = dyno_layers_activation (graph, "silu", dyno_layers_cast (graph, gate, DYNO_DATA_TYPE_FLOAT));
  value = dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
  value = dyno_graph_add (graph, "Mul", NULL, value, gate, NULL);
  value = dyno_layers_normal (graph, dyno_layers_reshape (graph, value, 4, groups), model->epsilon);
  value =
      dyno_layers_cast (graph, dyno_layers_reshape (graph, value, 3, flat), dyno_graph_get_real_type (graph));
  weight = dyno_graph_add_weight (graph, "weight", 1, 0.02, 1, &model->inner_width);
  value = dyno_graph_add (graph, "Mul", NULL, value, weight, NULL);
  dyno_graph_pop_scope (graph);

  value = dyno_layers_linear (graph, "out_proj", value, model->width, model->has_bias);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
add_mixer2 (DynoStateSpaceLayers *self, const char *value)
{
  return dyno_state_space_add_mixer2 (self, "mixer", value);
}

void
dyno_state_space_add_outputs (DynoStateSpaceLayers *self, const char *logits)
{
  g_autofree char *dimensions =
      g_strdup_printf ("batch, sequence, %" G_GINT64_FORMAT, self->model->vocabulary);

  dyno_graph_add_output (self->graph, "logits", logits, dimensions);
  for (guint i = 0; i < self->states->len; i++)
    {
      dyno_recurrence_add_output (self->graph, "conv", i, self->kernels->pdata[i]);
      dyno_recurrence_add_output (self->graph, "state", i, self->states->pdata[i]);
    }
}

static void
build (DynoGraph *graph,
       DynoConfig *config,
       const DynoStateSpace *model,
       const char *(*add) (DynoStateSpaceLayers *self, const char *value))
{
  g_autoptr (GPtrArray) kernels = g_ptr_array_new ();
  g_autoptr (GPtrArray) states = g_ptr_array_new ();
  DynoStateSpaceLayers self = { model, graph, kernels, states, 0 };
  const char *value, *inner;

  if (!dyno_config_check (config, NULL))
    return;
  value = dyno_graph_add_input (graph, "input_ids", DYNO_DATA_TYPE_INT64, "batch, sequence");
  dyno_graph_limit_input (graph, "input_ids", model->vocabulary);
  value = dyno_layers_embedding (graph, EMBEDDING, value, model->vocabulary, model->width);
  for (self.layer = 0; self.layer < model->n_layers; self.layer++)
    {
      dyno_graph_push_scope (graph, ROOT ".layers.%u", self.layer);
      inner = dyno_layers_rms_norm (graph, "norm", value, model->epsilon);
      value = dyno_graph_add (graph, "Add", NULL, value, add (&self, inner), NULL);
      dyno_graph_pop_scope (graph);
    }
  value = dyno_layers_rms_norm (graph, ROOT ".norm_f", value, model->epsilon);
  value = model->is_tied ? dyno_layers_tied_head (graph, "lm_head", value, EMBEDDING ".weight",
                                                  model->vocabulary, model->width)
                         : dyno_layers_linear (graph, "lm_head", value, model->vocabulary, FALSE);
  dyno_state_space_add_outputs (&self, value);
}

/* Configs contain the inner width beside its ratio to the width, and the inner width counts. */
static DynoStateSpace
read_mamba (DynoConfig *config)
{
  DynoStateSpace self = read_common (config);

  self.inner_width = dyno_config_get_int_or (config, "intermediate_size", self.inner_width);
  self.step_rank = dyno_config_get_int_or (config, "time_step_rank", (self.width + 15) / 16);
  return self;
}

static void
build_mamba (DynoGraph *graph, DynoConfig *config)
{
  DynoStateSpace model = read_mamba (config);

  build (graph, config, &model, add_mixer);
}

/* Falcon Mamba, Zuo et al. 2024: Δ, B and C are normalised. */
static void
build_falcon_mamba (DynoGraph *graph, DynoConfig *config)
{
  DynoStateSpace model = read_mamba (config);

  model.selected_epsilon = dyno_config_get_double_or (config, "mixer_rms_eps", 1e-6);
  if (!(model.selected_epsilon > 0))
    dyno_config_fail (config, _ ("its “%s” is %g, but must be above 0"), "mixer_rms_eps",
                      model.selected_epsilon);
  build (graph, config, &model, add_mixer);
}

/* Published models do not limit Δ, which JSON can only express by omitting the limit. */
/* The number that dyno_json_text_dup_strict() writes for “Infinity”. */
#define NO_LIMIT 1.7e308

/* Returns whether a limit means no limit: 0 below, and above a number without bound, or the form in which
 * Transformers 5 writes it. */
static gboolean
is_no_limit (JsonNode *node, gboolean is_upper)
{
  JsonObject *named = dyno_json_node_get_object (node);

  if (named != NULL)
    return is_upper &&
           g_strcmp0 (json_object_get_string_member_with_default (named, "__float__", NULL), "Infinity") == 0;
  return JSON_NODE_HOLDS_VALUE (node) &&
         (is_upper ? json_node_get_double (node) >= NO_LIMIT : !(json_node_get_double (node) > 0));
}

static void
build_mamba2 (DynoGraph *graph, DynoConfig *config)
{
  DynoStateSpace model = read_common (config);
  JsonArray *limits = dyno_config_get_array (config, "time_step_limit");

  if (limits != NULL &&
      (json_array_get_length (limits) != 2 || !is_no_limit (json_array_get_element (limits, 0), FALSE) ||
       !is_no_limit (json_array_get_element (limits, 1), TRUE)))
    dyno_config_fail (config, _ ("limits of the steps (“time_step_limit”) are not supported"));

  model.is_tied = dyno_config_get_boolean_or (config, "tie_word_embeddings", FALSE);
  model.n_heads = dyno_config_get_int (config, "num_heads");
  model.head_width = dyno_config_get_int (config, "head_dim");
  model.n_groups = dyno_config_get_int_or (config, "n_groups", 8);
  if (model.n_heads * model.head_width != model.inner_width)
    dyno_config_fail (config,
                      _ ("its “num_heads”, %" PRId64 ", times its “head_dim”, %" PRId64 ", are not %" PRId64),
                      model.n_heads, model.head_width, model.inner_width);
  if (model.n_heads % model.n_groups != 0)
    dyno_config_fail (config, _ ("its %" PRId64 " heads cannot be parted into %" PRId64 " groups (“%s”)"),
                      model.n_heads, model.n_groups, "n_groups");
  build (graph, config, &model, add_mixer2);
}

const DynoFamily dyno_state_space_family = { "state-space", N_ ("State space model"),
                                             N_ ("State Space Models") };

static const DynoNaming naming = { "backbone", (const DynoNamePair[]){ { EMBEDDING ".", "lm_head." },
                                                                       { EMBEDDING ".", ROOT ".embedding." },
                                                                       { NULL } } };

const DynoArchitecture dyno_state_space_architectures[] = {
  { "falcon_mamba", &dyno_state_space_family, "text-generation", build_falcon_mamba, &naming },
  { "mamba", &dyno_state_space_family, "text-generation", build_mamba, &naming },
  { "mamba2", &dyno_state_space_family, "text-generation", build_mamba2, &naming },
  { NULL },
};
