/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-layers.h"
#include "dyno-model-families-private.h"

static const DynoConfigFixed fixed[] = {
  { "_class_name", "\"FlowMatchEulerDiscreteScheduler\"" },
  { "invert_sigmas", "false" },
  { "shift_terminal", "null" },
  { "use_karras_sigmas", "false" },
  { "use_exponential_sigmas", "false" },
  { "use_beta_sigmas", "false" },
  { "stochastic_sampling", "false" },
};

DynoFlow
dyno_flow_read (DynoConfig *config, gboolean has_least)
{
  const char *type = dyno_config_get_string_or (config, "time_shift_type", "exponential");
  DynoFlow self = {
    .n_levels = dyno_config_get_int_or (config, "num_train_timesteps", 1000),
    .shift = dyno_config_get_double_or (config, "shift", 1),
    .is_dynamic = dyno_config_get_boolean_or (config, "use_dynamic_shifting", FALSE),
    .is_linear = g_str_equal (type, "linear"),
    .shifts = { dyno_config_get_double_or (config, "base_shift", 0.5),
                dyno_config_get_double_or (config, "max_shift", 1.15) },
    .lengths = { dyno_config_get_int_or (config, "base_image_seq_len", 256),
                 dyno_config_get_int_or (config, "max_image_seq_len", 4096) },
  };

  if (has_least)
    {
      double shift = self.is_dynamic ? 1 : self.shift, share = 1.0 / (double)self.n_levels;

      self.least = shift * share / (1 + (shift - 1) * share);
    }
  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));

  if (!g_str_equal (type, "exponential") && !g_str_equal (type, "linear"))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), type, "time_shift_type");
  if (!(self.shift > 0))
    dyno_config_fail (config, _ ("its “%s” is %g, but must be above 0"), "shift", self.shift);
  if (self.lengths[0] == self.lengths[1])
    dyno_config_fail (config, _ ("its “%s” and “%s” do not go together"), "base_image_seq_len",
                      "max_image_seq_len");

  return self;
}

const char *
dyno_flow_add_input (DynoGraph *graph, gint64 n_steps)
{
  g_autofree char *dimensions = g_strdup_printf ("steps=%" G_GINT64_FORMAT ", 2", n_steps);

  return dyno_graph_add_input (graph, DYNO_SCHEDULE_STEPS, DYNO_DATA_TYPE_INT64, dimensions);
}

static const char *
add_level (
    const DynoFlow *self, DynoGraph *graph, const char *index, const char *n_steps, const char *n_tokens)
{
  const char *one = dyno_graph_add_float (graph, 1);
  double slope = (self->shifts[1] - self->shifts[0]) / ((double)self->lengths[1] - (double)self->lengths[0]);
  double start = self->shifts[0] - slope * (double)self->lengths[0];
  const char *shift;

  if (!self->is_dynamic)
    shift = dyno_graph_add_float (graph, (float)self->shift);
  else
    {
      /* The shift of a picture follows a line through both published ones. */
      shift = dyno_layers_cast (graph, n_tokens, DYNO_DATA_TYPE_FLOAT);
      shift = dyno_graph_add (graph, "Mul", NULL, shift, dyno_graph_add_float (graph, (float)slope), NULL);
      shift = dyno_graph_add (graph, "Add", NULL, shift, dyno_graph_add_float (graph, (float)start), NULL);
      if (!self->is_linear)
        shift = dyno_graph_add (graph, "Exp", NULL, shift, NULL);
    }

  const char *step = dyno_graph_add_int (graph, 1);
  const char *n_gaps = dyno_graph_add (graph, "Sub", NULL, n_steps, step, NULL);
  const char *is_step = dyno_graph_add (graph, "Greater", NULL, n_steps, index, NULL);
  const char *progress = dyno_layers_cast (graph, index, DYNO_DATA_TYPE_FLOAT);
  const char *share, *divisor;

  n_gaps = dyno_graph_add (graph, "Clip", NULL, n_gaps, step, NULL);
  progress = dyno_graph_add (
      graph, "Div", NULL, progress,
      dyno_layers_cast (graph, self->least > 0 ? n_gaps : n_steps, DYNO_DATA_TYPE_FLOAT), NULL);
  progress = dyno_graph_add (graph, "Mul", NULL, progress,
                             dyno_graph_add_float (graph, (float)(1 - self->least)), NULL);
  progress = dyno_graph_add (graph, "Where", NULL, is_step, progress, dyno_graph_add_float (graph, 1), NULL);

  share = dyno_graph_add (graph, "Sub", NULL, one, progress, NULL);
  share = dyno_graph_add (graph, "Mul", NULL, share, shift, NULL);
  divisor = dyno_graph_add (graph, "Add", NULL, share, progress, NULL);
  return dyno_graph_add (graph, "Div", NULL, share, divisor, NULL);
}

static const char *
pick (DynoGraph *graph, const char *steps, gint64 which)
{
  steps = dyno_graph_add (graph, "Gather", "axis=0", steps, dyno_graph_add_int (graph, 0), NULL);
  return dyno_graph_add (graph, "Gather", "axis=0", steps, dyno_graph_add_int (graph, which), NULL);
}

DynoFlowStep
dyno_flow_add_step (const DynoFlow *self, DynoGraph *graph, const char *steps, const char *n_tokens)
{
  const char *index, *next, *n_steps;
  DynoFlowStep step;

  dyno_graph_push_scope (graph, "schedule");
  index = pick (graph, steps, 0);
  n_steps = pick (graph, steps, 1);
  next = dyno_graph_add (graph, "Add", NULL, index, dyno_graph_add_int (graph, 1), NULL);
  step.from = add_level (self, graph, index, n_steps, n_tokens);
  step.to = add_level (self, graph, next, n_steps, n_tokens);
  dyno_graph_pop_scope (graph);
  return step;
}

const char *
dyno_flow_add_time (const DynoFlow *self, DynoGraph *graph, const DynoFlowStep *step)
{
  const gint64 one = 1;
  const char *time;

  dyno_graph_push_scope (graph, "schedule");
  time = dyno_graph_add (graph, "Mul", NULL, step->from, dyno_graph_add_float (graph, (float)self->n_levels),
                         NULL);
  time = dyno_layers_reshape (graph, time, 1, &one);
  dyno_graph_pop_scope (graph);
  return time;
}

const char *
dyno_flow_move (DynoGraph *graph, const DynoFlowStep *step, const char *sample, const char *answer)
{
  const char *length;

  dyno_graph_push_scope (graph, "schedule");
  sample = dyno_layers_cast (graph, sample, DYNO_DATA_TYPE_FLOAT);
  answer = dyno_layers_cast (graph, answer, DYNO_DATA_TYPE_FLOAT);
  length = dyno_graph_add (graph, "Sub", NULL, step->to, step->from, NULL);
  answer = dyno_graph_add (graph, "Mul", NULL, answer, length, NULL);
  sample = dyno_graph_add (graph, "Add", NULL, sample, answer, NULL);
  sample = dyno_layers_cast (graph, sample, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  return sample;
}
