/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-layers.h"
#include "dyno-schedule.h"

/* Each level has a row in a table of the graph. */
#define MAX_LEVELS 100000

#define MAX_BETA 0.999

/* The remaining signal after a fraction of the time, Nichol and Dhariwal 2021. */
static double
cosine_at (double time)
{
  double cosine = cos ((time + 0.008) / 1.008 * G_PI / 2);

  return cosine * cosine;
}

/* The fraction of the remaining signal that each level removes (β). */
static double
beta_at (const char *kind, double first, double last, gint64 index, gint64 n)
{
  double share = n > 1 ? (double)index / (double)(n - 1) : 0;
  double root;

  if (g_str_equal (kind, "linear"))
    return first + share * (last - first);
  if (g_str_equal (kind, "squaredcos_cap_v2"))
    return MIN (1 - cosine_at ((double)(index + 1) / (double)n) / cosine_at ((double)index / (double)n),
                MAX_BETA);
  root = sqrt (first) + share * (sqrt (last) - sqrt (first));
  return root * root;
}

static const DynoConfigFixed fixed[] = {
  { "trained_betas", "null" },
  { "thresholding", "false" },
  { "clip_sample", "false" },
  { "rescale_betas_zero_snr", "false" },
};

static void
fill (DynoSchedule *self, DynoConfig *config, const char *kind)
{
  double first = dyno_config_get_double_or (config, "beta_start", 0.0001);
  double last = dyno_config_get_double_or (config, "beta_end", 0.02);
  gint64 n = self->n_levels - 1;
  double left = 1;

  for (gint64 i = 0; i < n; i++)
    {
      left *= 1 - beta_at (kind, first, last, i, n);
      self->signal[i + 1] = (float)sqrt (MAX (left, 0));
      self->noise[i + 1] = (float)sqrt (1 - MAX (left, 0));
    }
  self->signal[0] = 1;
  if (!dyno_config_get_boolean_or (config, "set_alpha_to_one", TRUE))
    {
      self->signal[0] = self->signal[1];
      self->noise[0] = self->noise[1];
    }
  if (!(self->signal[n] > 0))
    dyno_config_fail (config, _ ("its “beta_start” and “beta_end” leave nothing of a picture"));
}

/**
 * dyno_schedule_new:
 * @config: a config of a scheduler of Diffusers, which fails if it is invalid
 *
 * Returns: (transfer full): its noise levels
 */
DynoSchedule *
dyno_schedule_new (DynoConfig *config)
{
  static const char *const kinds[] = { "linear", "scaled_linear", "squaredcos_cap_v2", NULL };
  DynoSchedule *self = g_new0 (DynoSchedule, 1);
  const char *kind = dyno_config_get_string_or (config, "beta_schedule", "linear");
  const char *type = dyno_config_get_string_or (config, "prediction_type", "epsilon");
  gint64 n = dyno_config_get_int_or (config, "num_train_timesteps", 1000);

  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));
  if (n > MAX_LEVELS)
    dyno_config_fail (config, _ ("its “num_train_timesteps” are too many"));
  if (!g_strv_contains (kinds, kind))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), kind, "beta_schedule");
  if (!g_str_equal (type, "epsilon") && !g_str_equal (type, "v_prediction"))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), type, "prediction_type");
  self->has_velocity = g_str_equal (type, "v_prediction");
  self->n_levels = MIN (n, MAX_LEVELS) + 1;
  self->signal = g_new0 (float, self->n_levels);
  self->noise = g_new0 (float, self->n_levels);
  fill (self, config, kind);
  return self;
}

void
dyno_schedule_free (DynoSchedule *self)
{
  g_free (self->signal);
  g_free (self->noise);
  g_free (self);
}

/* The level at which a step starts or ends. */
static const char *
pick (DynoGraph *graph, const char *levels, gint64 which)
{
  levels = dyno_graph_add (graph, "Gather", "axis=0", levels, dyno_graph_add_int (graph, 0), NULL);
  return dyno_graph_add (graph, "Gather", "axis=0", levels, dyno_graph_add_int (graph, which), NULL);
}

/**
 * dyno_schedule_add_time:
 * @self: a schedule
 * @graph: a graph
 * @levels: start and end level of the step, [1, 2]
 *
 * Returns: (transfer none): the timestep of the level at which it starts, [1]
 */
const char *
dyno_schedule_add_time (const DynoSchedule *self, DynoGraph *graph, const char *levels)
{
  const gint64 one = 1;
  const char *time;

  dyno_graph_push_scope (graph, "schedule");
  time = dyno_graph_add (graph, "Sub", NULL, pick (graph, levels, 0), dyno_graph_add_ints (graph, 1, &one),
                         NULL);
  dyno_graph_pop_scope (graph);
  return time;
}

static const char *
look_up (DynoGraph *graph, const float *table, gint64 n, const char *level)
{
  return dyno_graph_add (graph, "Gather", "axis=0", dyno_graph_add_floats (graph, (guint)n, table), level,
                         NULL);
}

static const char *
mix (DynoGraph *graph, const char *a, const char *x, const char *op_type, const char *b, const char *y)
{
  x = dyno_graph_add (graph, "Mul", NULL, x, a, NULL);
  y = dyno_graph_add (graph, "Mul", NULL, y, b, NULL);
  return dyno_graph_add (graph, op_type, NULL, x, y, NULL);
}

/**
 * dyno_schedule_add_step:
 * @self: a schedule
 * @graph: a graph
 * @levels: start and end level of the step, [1, 2]
 * @sample: latents, [batch, channels, height, width]
 * @answer: the prediction of the model
 *
 * A deterministic step of DDIM, Song et al. 2020, in single precision in any graph.
 *
 * Returns: (transfer none): the denoised latents
 */
const char *
dyno_schedule_add_step (
    const DynoSchedule *self, DynoGraph *graph, const char *levels, const char *sample, const char *answer)
{
  const char *from, *to, *signal, *noise, *picture;

  dyno_graph_push_scope (graph, "schedule");
  from = pick (graph, levels, 0);
  to = pick (graph, levels, 1);
  sample = dyno_layers_cast (graph, sample, DYNO_DATA_TYPE_FLOAT);
  answer = dyno_layers_cast (graph, answer, DYNO_DATA_TYPE_FLOAT);
  signal = look_up (graph, self->signal, self->n_levels, from);
  noise = look_up (graph, self->noise, self->n_levels, from);
  if (self->has_velocity)
    {
      picture = mix (graph, signal, sample, "Sub", noise, answer);
      answer = mix (graph, signal, answer, "Add", noise, sample);
    }
  else
    {
      picture = dyno_graph_add (graph, "Mul", NULL, answer, noise, NULL);
      picture = dyno_graph_add (graph, "Sub", NULL, sample, picture, NULL);
      picture = dyno_graph_add (graph, "Div", NULL, picture, signal, NULL);
    }
  signal = look_up (graph, self->signal, self->n_levels, to);
  noise = look_up (graph, self->noise, self->n_levels, to);
  sample = mix (graph, signal, picture, "Add", noise, answer);
  sample = dyno_layers_cast (graph, sample, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  return sample;
}
