/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-inputs.h"
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

static const DynoConfigFixed fixed_linear[] = {
  { "skip_prk_steps", "true" },
};

static const DynoConfigFixed fixed_exponential[] = {
  { "algorithm_type", "\"dpmsolver++\"" }, { "solver_order", "2" },     { "solver_type", "\"midpoint\"" },
  { "final_sigmas_type", "\"zero\"" },     { "variance_type", "null" },
};

/* Levels between those of training. */
static const DynoConfigFixed fixed_levels[] = {
  { "interpolation_type", "\"linear\"" }, { "use_karras_sigmas", "false" },
  { "use_exponential_sigmas", "false" },  { "use_beta_sigmas", "false" },
  { "use_flow_sigmas", "false" },         { "use_lu_lambdas", "false" },
};

/* The schedulers of Diffusers by name; whether the last step ends without noise whatever else the config says. */
static const struct
{
  const char *name;
  DynoSolver solver;
  gboolean ends_clean;
  const DynoConfigFixed *fixed;
  guint n_fixed;
} solvers[] = {
  { "DDIMScheduler", DYNO_SOLVER_PLAIN, FALSE, NULL, 0 },
  { "EulerDiscreteScheduler", DYNO_SOLVER_PLAIN, TRUE, NULL, 0 },
  { "PNDMScheduler", DYNO_SOLVER_LINEAR, FALSE, fixed_linear, G_N_ELEMENTS (fixed_linear) },
  { "DPMSolverMultistepScheduler", DYNO_SOLVER_EXPONENTIAL, TRUE, fixed_exponential,
    G_N_ELEMENTS (fixed_exponential) },
};

/* Index of the scheduler, the first if the config has failed. */
static guint
find_solver (DynoConfig *config)
{
  const char *name = dyno_config_get_string_or (config, "_class_name", solvers[0].name);

  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++)
    if (g_str_equal (solvers[i].name, name))
      return i;
  dyno_config_fail (
      config,
      _ ("Dyno does not know the scheduler “%s”, only “DDIMScheduler”, “EulerDiscreteScheduler”, "
         "“PNDMScheduler” and “DPMSolverMultistepScheduler”. Put one of these in its "
         "“_class_name”; all of them run the same network"),
      name);
  return 0;
}

static void
fill (DynoSchedule *self, DynoConfig *config, const char *kind, gboolean ends_clean)
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
  if (!ends_clean &&
      !dyno_config_get_boolean_or (config, "set_alpha_to_one", self->solver == DYNO_SOLVER_PLAIN))
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
  guint solver = find_solver (config);

  self->solver = solvers[solver].solver;
  dyno_config_check_fixed (config, fixed, G_N_ELEMENTS (fixed));
  dyno_config_check_fixed (config, fixed_levels, G_N_ELEMENTS (fixed_levels));
  dyno_config_check_fixed (config, solvers[solver].fixed, solvers[solver].n_fixed);
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
  fill (self, config, kind, solvers[solver].ends_clean);
  return self;
}

void
dyno_schedule_free (DynoSchedule *self)
{
  g_free (self->signal);
  g_free (self->noise);
  g_free (self);
}

/**
 * dyno_schedule_add_levels:
 * @self: a schedule
 * @graph: a graph
 * @n_steps: the usual number of steps
 *
 * Returns: (transfer none): the input %DYNO_SCHEDULE_INPUT
 */
const char *
dyno_schedule_add_levels (const DynoSchedule *self, DynoGraph *graph, const char *n_steps)
{
  static const guint n_columns[] = { 2, 4, 3 };
  g_autofree char *dimensions = g_strdup_printf ("steps=%s, %u", n_steps, n_columns[self->solver]);
  const char *levels = dyno_graph_add_input (graph, DYNO_SCHEDULE_INPUT, DYNO_DATA_TYPE_INT64, dimensions);

  dyno_graph_limit_input (graph, DYNO_SCHEDULE_INPUT, self->n_levels);
  return levels;
}

/* One number of the row of a step. */
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
 * @levels: the row of the step, [1, columns]
 *
 * Returns: (transfer none): the timestep at which the model is asked, [1]
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

/* Values that a step takes from the one before. The first step takes whatever is given, and does not use it. */
static const char *
take_earlier (DynoGraph *graph, const char *name, const char *dimensions)
{
  const char *value = dyno_graph_add_input (graph, name, dyno_graph_get_real_type (graph), dimensions);

  return dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
}

static void
give_next (DynoGraph *graph, const char *name, const char *value, const char *dimensions)
{
  g_autofree char *next = g_strconcat ("next_", name, NULL);

  dyno_graph_add_output (graph, next, dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph)),
                         dimensions);
}

static const char *
choose (DynoGraph *graph, const char *is_so, const char *value, const char *other)
{
  return dyno_graph_add (graph, "Where", NULL, is_so, value, other, NULL);
}

/* By which an answer and the three before it are multiplied, in each of the first steps and then always: the second step
 * starts where the first did, and replaces its answer by the mean of both. */
static const float factors[4][DYNO_INPUTS_LAST_KIND + 1] = {
  { 1.0f, 0.5f, 3.0f / 2, 23.0f / 12, 55.0f / 24 },
  { 0, 0.5f, -1.0f / 2, -16.0f / 12, -59.0f / 24 },
  { 0, 0, 0, 5.0f / 12, 37.0f / 24 },
  { 0, 0, 0, 0, -9.0f / 24 },
};

/* The sum of the answers, and the sample to which it belongs. */
static const char *
add_linear (
    DynoGraph *graph, const char *levels, const char **sample, const char *answer, const char *dimensions)
{
  static const char *const names[] = { "answer_1", "answer_2", "answer_3" };
  const char *kind = pick (graph, levels, 3);
  const char *is_second = dyno_graph_add (graph, "Equal", NULL, kind, dyno_graph_add_int (graph, 1), NULL);
  const char *earlier = take_earlier (graph, "earlier_sample", dimensions);
  const char *last = answer, *sum;

  sum = dyno_graph_add (graph, "Mul", NULL, answer,
                        look_up (graph, factors[0], G_N_ELEMENTS (factors[0]), kind), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *value = take_earlier (graph, names[i], dimensions);
      const char *share = look_up (graph, factors[i + 1], G_N_ELEMENTS (factors[0]), kind);

      share = dyno_graph_add (graph, "Mul", NULL, value, share, NULL);
      sum = dyno_graph_add (graph, "Add", NULL, sum, share, NULL);
      give_next (graph, names[i], choose (graph, is_second, value, last), dimensions);
      last = value;
    }
  *sample = choose (graph, is_second, earlier, *sample);
  give_next (graph, "earlier_sample", *sample, dimensions);
  return sum;
}

/* The logarithm of signal over noise; the clean level gets any finite number, because it is not used. */
static const char *
look_up_ratio (const DynoSchedule *self, DynoGraph *graph, const char *level)
{
  g_autofree float *ratios = g_new (float, self->n_levels);

  for (gint64 i = 0; i < self->n_levels; i++)
    ratios[i] = self->noise[i] > 0 ? logf (self->signal[i] / self->noise[i]) : 100;
  return look_up (graph, ratios, self->n_levels, level);
}

static const char *
is_noisy (DynoGraph *graph, const char *level)
{
  return dyno_graph_add (graph, "Greater", NULL, level, dyno_graph_add_int (graph, 0), NULL);
}

/* Extrapolates the picture from the one that the step before saw, except in the first step, and in one that ends without
 * noise. */
static const char *
add_exponential (const DynoSchedule *self,
                 DynoGraph *graph,
                 const char *levels,
                 const char *picture,
                 const char *dimensions)
{
  const char *to = pick (graph, levels, 1), *before = pick (graph, levels, 2);
  const char *middle = look_up_ratio (self, graph, pick (graph, levels, 0));
  const char *earlier = take_earlier (graph, "earlier_picture", dimensions);
  const char *step, *last, *share;

  step = dyno_graph_add (graph, "Sub", NULL, look_up_ratio (self, graph, to), middle, NULL);
  last = dyno_graph_add (graph, "Sub", NULL, middle, look_up_ratio (self, graph, before), NULL);
  share = dyno_graph_add (graph, "Div", NULL, step, last, NULL);
  share = dyno_graph_add (graph, "Mul", NULL, share, dyno_graph_add_float (graph, 0.5f), NULL);
  share = choose (graph,
                  dyno_graph_add (graph, "And", NULL, is_noisy (graph, to), is_noisy (graph, before), NULL),
                  share, dyno_graph_add_float (graph, 0));
  step = dyno_graph_add (graph, "Sub", NULL, picture, earlier, NULL);
  step = dyno_graph_add (graph, "Mul", NULL, step, share, NULL);
  give_next (graph, "earlier_picture", picture, dimensions);
  return dyno_graph_add (graph, "Add", NULL, picture, step, NULL);
}

/* The picture without noise that an answer says is in the sample. */
static const char *
add_picture (
    const DynoSchedule *self, DynoGraph *graph, const char *from, const char *sample, const char *answer)
{
  const char *signal = look_up (graph, self->signal, self->n_levels, from);
  const char *noise = look_up (graph, self->noise, self->n_levels, from);

  if (self->has_velocity)
    return mix (graph, signal, sample, "Sub", noise, answer);
  answer = dyno_graph_add (graph, "Mul", NULL, answer, noise, NULL);
  sample = dyno_graph_add (graph, "Sub", NULL, sample, answer, NULL);
  return dyno_graph_add (graph, "Div", NULL, sample, signal, NULL);
}

/* What is left of a sample without a picture. */
static const char *
add_noise (
    const DynoSchedule *self, DynoGraph *graph, const char *from, const char *sample, const char *picture)
{
  const char *signal = look_up (graph, self->signal, self->n_levels, from);

  picture = dyno_graph_add (graph, "Mul", NULL, picture, signal, NULL);
  sample = dyno_graph_add (graph, "Sub", NULL, sample, picture, NULL);
  return dyno_graph_add (graph, "Div", NULL, sample, look_up (graph, self->noise, self->n_levels, from),
                         NULL);
}

/**
 * dyno_schedule_add_step:
 * @self: a schedule
 * @graph: a graph
 * @levels: the row of the step, [1, columns]
 * @sample: latents, [batch, channels, height, width]
 * @answer: the prediction of the model
 * @dimensions: the dimensions of latents
 *
 * A deterministic step in single precision in any graph: that of DDIM, Song et al. 2020, after what a multistep method
 * makes of the answer and of earlier ones, which are further inputs and outputs.
 *
 * Returns: (transfer none): the denoised latents
 */
const char *
dyno_schedule_add_step (const DynoSchedule *self,
                        DynoGraph *graph,
                        const char *levels,
                        const char *sample,
                        const char *answer,
                        const char *dimensions)
{
  const char *from, *to, *signal, *noise, *picture;

  dyno_graph_push_scope (graph, "schedule");
  from = pick (graph, levels, self->solver == DYNO_SOLVER_LINEAR ? 2 : 0);
  to = pick (graph, levels, 1);
  sample = dyno_layers_cast (graph, sample, DYNO_DATA_TYPE_FLOAT);
  answer = dyno_layers_cast (graph, answer, DYNO_DATA_TYPE_FLOAT);
  if (self->solver == DYNO_SOLVER_LINEAR)
    answer = add_linear (graph, levels, &sample, answer, dimensions);
  picture = add_picture (self, graph, from, sample, answer);
  if (self->solver == DYNO_SOLVER_EXPONENTIAL)
    picture = add_exponential (self, graph, levels, picture, dimensions);
  if (self->solver == DYNO_SOLVER_EXPONENTIAL || self->has_velocity)
    answer = add_noise (self, graph, from, sample, picture);
  signal = look_up (graph, self->signal, self->n_levels, to);
  noise = look_up (graph, self->noise, self->n_levels, to);
  sample = mix (graph, signal, picture, "Add", noise, answer);
  sample = dyno_layers_cast (graph, sample, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  return sample;
}
