/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-inputs.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"

/* Each level has a row in a table of the graph. */
#define MAX_LEVELS 100000

#define MAX_BETA 0.999

/* The exponent of the distances between levels, the default of Karras et al. 2022. */
#define KARRAS_EXPONENT 7.0f

/* Less noise than at any level, so that its logarithm exists. */
#define LEAST_NOISE 1e-10f

/* The remaining signal after a fraction of the time, Nichol and Dhariwal 2021. */
static double
cosine_at (double time)
{
  double cosine = cos ((time + 0.008) / 1.008 * G_PI / 2);

  return cosine * cosine;
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
  { "interpolation_type", "\"linear\"" }, { "use_exponential_sigmas", "false" },
  { "use_beta_sigmas", "false" },         { "use_flow_sigmas", "false" },
  { "use_lu_lambdas", "false" },
};

/* The schedulers of Diffusers by name; whether a step ends where the next one starts, and the last without
 * noise in any case; and whether they can use the levels of Karras et al. */
static const struct
{
  const char *name;
  DynoSolver solver;
  gboolean ends_clean;
  gboolean knows_karras;
  const char *spacing; /* its default */
  const DynoConfigFixed *fixed;
  guint n_fixed;
} solvers[] = {
  { "DDIMScheduler", DYNO_SOLVER_PLAIN, FALSE, FALSE, "leading", NULL, 0 },
  { "EulerDiscreteScheduler", DYNO_SOLVER_PLAIN, TRUE, TRUE, "linspace", NULL, 0 },
  { "EulerAncestralDiscreteScheduler", DYNO_SOLVER_ANCESTRAL, TRUE, FALSE, "linspace", NULL, 0 },
  { "PNDMScheduler", DYNO_SOLVER_LINEAR, FALSE, FALSE, "leading", fixed_linear, G_N_ELEMENTS (fixed_linear) },
  { "DPMSolverMultistepScheduler", DYNO_SOLVER_EXPONENTIAL, TRUE, TRUE, "linspace", fixed_exponential,
    G_N_ELEMENTS (fixed_exponential) },
};

static void
fill (DynoSchedule *self, DynoConfig *config, const char *kind, gboolean ends_clean)
{
  double first = dyno_config_get_double_or (config, "beta_start", 0.0001);
  double last = dyno_config_get_double_or (config, "beta_end", 0.02);
  gint64 n = self->n_levels - 1;
  double left = 1;

  for (gint64 i = 0; i < n; i++)
    {
      double share = n > 1 ? (double)i / (double)(n - 1) : 0;
      double root = sqrt (first) + share * (sqrt (last) - sqrt (first));
      /* The fraction of the remaining signal that each level removes (β). */
      double beta = root * root;

      if (g_str_equal (kind, "linear"))
        beta = first + share * (last - first);
      else if (g_str_equal (kind, "squaredcos_cap_v2"))
        beta =
            MIN (1 - cosine_at ((double)(i + 1) / (double)n) / cosine_at ((double)i / (double)n), MAX_BETA);
      left *= 1 - beta;
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

/* Euler's methods take the fractions of equal distances; all others round them. */
static void
read_spacing (DynoSchedule *self, DynoConfig *config, const char *usual, gboolean has_next)
{
  static const char *const kinds[] = { "trailing", "leading", "linspace" };
  const char *name = dyno_config_get_string_or (config, "timestep_spacing", usual);
  guint kind = 0;

  while (kind < G_N_ELEMENTS (kinds) && !g_str_equal (kinds[kind], name))
    kind++;
  if (kind == G_N_ELEMENTS (kinds))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), name, "timestep_spacing");
  self->spacing = (DynoSpacing){
    .kind = (DynoSpacingKind)kind,
    .offset = dyno_config_get_count_or (config, "steps_offset", 0),
    .has_end = self->solver == DYNO_SOLVER_EXPONENTIAL,
    .has_stride = !has_next,
  };
  self->is_between =
      self->has_karras || (self->spacing.kind == DYNO_SPACING_LINSPACE && has_next && !self->spacing.has_end);
}

DynoSchedule *
dyno_schedule_new (DynoConfig *config)
{
  static const char *const kinds[] = { "linear", "scaled_linear", "squaredcos_cap_v2", NULL };
  DynoSchedule *self = g_new0 (DynoSchedule, 1);
  const char *kind = dyno_config_get_string_or (config, "beta_schedule", "linear");
  const char *type = dyno_config_get_string_or (config, "prediction_type", "epsilon");
  gint64 n = dyno_config_get_int_or (config, "num_train_timesteps", 1000);
  const char *name = dyno_config_get_string_or (config, "_class_name", solvers[0].name);
  guint solver = 0;

  while (solver < G_N_ELEMENTS (solvers) && !g_str_equal (solvers[solver].name, name))
    solver++;
  if (solver == G_N_ELEMENTS (solvers))
    {
      dyno_config_fail (
          config,
          _ ("Dyno does not know the scheduler “%s”, only “DDIMScheduler”, “EulerDiscreteScheduler”, "
             "“EulerAncestralDiscreteScheduler”, “PNDMScheduler” and “DPMSolverMultistepScheduler”. Put one "
             "of these in its “_class_name”; all of them run the same network"),
          name);
      solver = 0;
    }
  self->solver = solvers[solver].solver;
  self->has_karras = solvers[solver].knows_karras && n > 1 &&
                     dyno_config_get_boolean_or (config, "use_karras_sigmas", FALSE);
  read_spacing (self, config, solvers[solver].spacing, solvers[solver].ends_clean);
  self->rounds_time = self->solver == DYNO_SOLVER_EXPONENTIAL && !g_str_equal (kind, "squaredcos_cap_v2");
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

const char *
dyno_schedule_add_levels (const DynoSchedule *self, DynoGraph *graph, const char *n_steps)
{
  static const guint n_columns[] = { 2, 4, 3, 2 };
  const char *name = self->is_between ? DYNO_SCHEDULE_STEPS : DYNO_SCHEDULE_INPUT;
  g_autofree char *dimensions =
      g_strdup_printf ("steps=%s, %u", n_steps, self->is_between ? 4 : n_columns[self->solver]);

  dyno_graph_add_input (graph, name, DYNO_DATA_TYPE_INT64, dimensions);
  dyno_graph_limit_input (graph, name, self->n_levels);
  dyno_graph_space_steps (graph, &self->spacing);
  return name;
}

/* One number of the row of a step. */
static const char *
pick (DynoGraph *graph, const char *levels, gint64 which)
{
  levels = dyno_graph_add (graph, "Gather", "axis=0", levels, dyno_graph_add_int (graph, 0), NULL);
  return dyno_graph_add (graph, "Gather", "axis=0", levels, dyno_graph_add_int (graph, which), NULL);
}

static const char *
look_up (DynoGraph *graph, const float *table, gint64 n, const char *level)
{
  return dyno_graph_add (graph, "Gather", "axis=0", dyno_graph_add_floats (graph, (guint)n, table), level,
                         NULL);
}

static const char *
choose (DynoGraph *graph, const char *is_so, const char *value, const char *other)
{
  return dyno_graph_add (graph, "Where", NULL, is_so, value, other, NULL);
}

static double
get_sigma (const DynoSchedule *self, gint64 level)
{
  return (double)self->noise[level] / (double)self->signal[level];
}

/* The noise per signal (σ) at which the first or the last step begins, to the inverse of the exponent of
 * Karras et al. For DPM-Solver++ these are the highest and the lowest of training, for any spacing. */
static const char *
add_bound (const DynoSchedule *self, DynoGraph *graph, const char *levels, gboolean is_last)
{
  g_autofree float *roots = g_new0 (float, self->n_levels);

  for (gint64 i = 1; i < self->n_levels; i++)
    roots[i] = (float)pow (get_sigma (self, i), 1 / (double)KARRAS_EXPONENT);
  if (self->solver == DYNO_SOLVER_EXPONENTIAL)
    return dyno_graph_add_float (graph, roots[is_last ? 1 : self->n_levels - 1]);
  return look_up (graph, roots, self->n_levels, pick (graph, levels, is_last ? 3 : 2));
}

/* The timestep at a share of the steps, from the highest down to 0. A single step is at 0. */
static const char *
add_linear_time (const DynoSchedule *self, DynoGraph *graph, const char *levels, const char *share)
{
  const char *is_single =
      dyno_graph_add (graph, "Equal", NULL, pick (graph, levels, 1), dyno_graph_add_int (graph, 1), NULL);
  const char *left = dyno_graph_add (graph, "Sub", NULL, dyno_graph_add_float (graph, 1), share, NULL);

  left = dyno_graph_add (graph, "Mul", NULL, left, dyno_graph_add_float (graph, (float)(self->n_levels - 2)),
                         NULL);
  left = dyno_graph_add (graph, "Clip", NULL, left, dyno_graph_add_float (graph, 0),
                         dyno_graph_add_float (graph, (float)(self->n_levels - 2)), NULL);
  return choose (graph, is_single, dyno_graph_add_float (graph, 0), left);
}

/* Returns the share of the distances between steps that are before one. */
static const char *
add_share (DynoGraph *graph, const char *levels, const char *step)
{
  const char *one = dyno_graph_add_int (graph, 1);
  const char *n_gaps = dyno_graph_add (graph, "Sub", NULL, pick (graph, levels, 1), one, NULL);

  n_gaps = dyno_graph_add (graph, "Clip", NULL, n_gaps, one, NULL);
  return dyno_graph_add (graph, "Div", NULL, dyno_layers_cast (graph, step, DYNO_DATA_TYPE_FLOAT),
                         dyno_layers_cast (graph, n_gaps, DYNO_DATA_TYPE_FLOAT), NULL);
}

/* The columns of DYNO_SCHEDULE_INPUT. */
typedef enum
{
  LEVEL_ASKED,
  LEVEL_END,
  LEVEL_START, /* of PNDM */
  LEVEL_BEFORE = LEVEL_START,
} Column;

/* A level: its index, or its σ if levels are between those of training. */
static const char *
pick_level (const DynoSchedule *self, DynoGraph *graph, const char *levels, Column column)
{
  static const gint64 offsets[] = { 0, 1, -1 };

  if (self->is_between)
    {
      /* The σ at which a step begins; 0 after the last step and before the first. */
      const char *step = dyno_graph_add (graph, "Add", NULL, pick (graph, levels, 0),
                                         dyno_graph_add_int (graph, offsets[column]), NULL);
      const char *is_step = dyno_graph_add (
          graph, "And", NULL, dyno_graph_add (graph, "Greater", NULL, pick (graph, levels, 1), step, NULL),
          dyno_graph_add (graph, "Greater", NULL, step, dyno_graph_add_int (graph, -1), NULL), NULL);
      const char *share = add_share (graph, levels, step);
      const char *sigma;

      if (self->has_karras)
        {
          /* Equation 5 of Karras et al. 2022: the σ at a share of the steps. */
          const char *first = add_bound (self, graph, levels, FALSE);
          const char *last = add_bound (self, graph, levels, TRUE);

          sigma = dyno_graph_add (graph, "Sub", NULL, last, first, NULL);
          sigma = dyno_graph_add (graph, "Mul", NULL, sigma, share, NULL);
          sigma = dyno_graph_add (graph, "Add", NULL, sigma, first, NULL);
          sigma =
              dyno_graph_add (graph, "Pow", NULL, sigma, dyno_graph_add_float (graph, KARRAS_EXPONENT), NULL);
        }
      else
        {
          /* The σ of a timestep, between those of the two next to it. */
          g_autofree float *sigmas = g_new (float, self->n_levels);
          const char *time = add_linear_time (self, graph, levels, share);
          const char *low = dyno_layers_cast (graph, time, DYNO_DATA_TYPE_INT64);
          const char *rest = dyno_graph_add (graph, "Sub", NULL, time,
                                             dyno_layers_cast (graph, low, DYNO_DATA_TYPE_FLOAT), NULL);
          const char *from, *to;

          for (gint64 i = 0; i < self->n_levels; i++)
            sigmas[i] = (float)get_sigma (self, MIN (i + 1, self->n_levels - 1));
          from = look_up (graph, sigmas, self->n_levels, low);
          to = look_up (graph, sigmas, self->n_levels,
                        dyno_graph_add (graph, "Add", NULL, low, dyno_graph_add_int (graph, 1), NULL));
          to = dyno_graph_add (graph, "Sub", NULL, to, from, NULL);
          to = dyno_graph_add (graph, "Mul", NULL, to, rest, NULL);
          sigma = dyno_graph_add (graph, "Add", NULL, from, to, NULL);
        }

      return choose (graph, is_step, sigma, dyno_graph_add_float (graph, 0));
    }
  return pick (graph, levels, column);
}

static const char *
signal_at (const DynoSchedule *self, DynoGraph *graph, const char *level)
{
  const char *one = dyno_graph_add_float (graph, 1);

  if (!self->is_between)
    return look_up (graph, self->signal, self->n_levels, level);
  level = dyno_graph_add (graph, "Mul", NULL, level, level, NULL);
  level = dyno_graph_add (graph, "Sqrt", NULL, dyno_graph_add (graph, "Add", NULL, level, one, NULL), NULL);
  return dyno_graph_add (graph, "Div", NULL, one, level, NULL);
}

static const char *
noise_at (const DynoSchedule *self, DynoGraph *graph, const char *level)
{
  if (!self->is_between)
    return look_up (graph, self->noise, self->n_levels, level);
  return dyno_graph_add (graph, "Mul", NULL, signal_at (self, graph, level), level, NULL);
}

static const char *
add_log_sigma (DynoGraph *graph, const char *sigma)
{
  sigma = dyno_graph_add (graph, "Clip", NULL, sigma, dyno_graph_add_float (graph, LEAST_NOISE), NULL);
  return dyno_graph_add (graph, "Log", NULL, sigma, NULL);
}

const char *
dyno_schedule_add_time (const DynoSchedule *self, DynoGraph *graph, const char *levels)
{
  const gint64 one = 1, zero = 0;
  const char *time, *table, *low, *from, *width, *share;

  dyno_graph_push_scope (graph, "schedule");
  time = pick_level (self, graph, levels, LEVEL_ASKED);
  if (self->has_karras)
    {
      /* The level of training with that σ, between two by the logarithm: [1] */
      guint n = (guint)self->n_levels - 1;
      g_autofree float *logarithms = g_new (float, n);
      const gint64 axis = 0;

      for (guint i = 0; i < n; i++)
        logarithms[i] = (float)log (get_sigma (self, i + 1));
      time = add_log_sigma (graph, time);
      table = dyno_graph_add_floats (graph, n, logarithms);
      low = dyno_graph_add (graph, "LessOrEqual", NULL, table, time, NULL);
      low = dyno_layers_cast (graph, low, DYNO_DATA_TYPE_INT64);
      low =
          dyno_graph_add (graph, "ReduceSum", "keepdims=1", low, dyno_graph_add_ints (graph, 1, &axis), NULL);
      low = dyno_graph_add (graph, "Sub", NULL, low, dyno_graph_add_int (graph, 1), NULL);
      low = dyno_graph_add (graph, "Clip", NULL, low, dyno_graph_add_int (graph, 0),
                            dyno_graph_add_int (graph, n - 2), NULL);
      from = dyno_graph_add (graph, "Gather", "axis=0", table, low, NULL);
      width = dyno_graph_add (graph, "Add", NULL, low, dyno_graph_add_int (graph, 1), NULL);
      width = dyno_graph_add (graph, "Gather", "axis=0", table, width, NULL);
      width = dyno_graph_add (graph, "Sub", NULL, width, from, NULL);
      share = dyno_graph_add (graph, "Sub", NULL, time, from, NULL);
      share = dyno_graph_add (graph, "Div", NULL, share, width, NULL);
      share = dyno_graph_add (graph, "Clip", NULL, share, dyno_graph_add_float (graph, 0),
                              dyno_graph_add_float (graph, 1), NULL);
      low = dyno_layers_cast (graph, low, DYNO_DATA_TYPE_FLOAT);
      low = dyno_graph_add (graph, "Add", NULL, low, share, NULL);
      time = self->rounds_time ? dyno_graph_add (graph, "Round", NULL, low, NULL) : low;
    }
  else if (self->is_between)
    {
      /* The timestep of a step at equal distances: [1] */
      share = add_share (graph, levels, pick (graph, levels, 0));
      time = add_linear_time (self, graph, levels, share);
      time = dyno_graph_add (graph, "Unsqueeze", NULL, time, dyno_graph_add_ints (graph, 1, &zero), NULL);
    }
  else
    time = dyno_graph_add (graph, "Sub", NULL, time, dyno_graph_add_ints (graph, 1, &one), NULL);
  dyno_graph_pop_scope (graph);
  return time;
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

/* The factors of an answer and the three before it, in each of the first steps and then always: the second
 * step starts where the first did, and replaces its answer by the mean of both. */
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

  if (self->is_between)
    return dyno_graph_add (graph, "Neg", NULL, add_log_sigma (graph, level), NULL);
  for (gint64 i = 0; i < self->n_levels; i++)
    ratios[i] = self->noise[i] > 0 ? logf (self->signal[i] / self->noise[i]) : 100;
  return look_up (graph, ratios, self->n_levels, level);
}

static const char *
is_noisy (const DynoSchedule *self, DynoGraph *graph, const char *level)
{
  return dyno_graph_add (graph, "Greater", NULL, level,
                         self->is_between ? dyno_graph_add_float (graph, 0) : dyno_graph_add_int (graph, 0),
                         NULL);
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
  const char *to = pick_level (self, graph, levels, LEVEL_END);
  const char *before = pick_level (self, graph, levels, LEVEL_BEFORE);
  const char *middle = look_up_ratio (self, graph, pick_level (self, graph, levels, LEVEL_ASKED));
  const char *earlier = take_earlier (graph, "earlier_picture", dimensions);
  const char *step, *last, *share;

  step = dyno_graph_add (graph, "Sub", NULL, look_up_ratio (self, graph, to), middle, NULL);
  last = dyno_graph_add (graph, "Sub", NULL, middle, look_up_ratio (self, graph, before), NULL);
  share = dyno_graph_add (graph, "Div", NULL, step, last, NULL);
  share = dyno_graph_add (graph, "Mul", NULL, share, dyno_graph_add_float (graph, 0.5f), NULL);
  share = choose (
      graph,
      dyno_graph_add (graph, "And", NULL, is_noisy (self, graph, to), is_noisy (self, graph, before), NULL),
      share, dyno_graph_add_float (graph, 0));
  step = dyno_graph_add (graph, "Sub", NULL, picture, earlier, NULL);
  step = dyno_graph_add (graph, "Mul", NULL, step, share, NULL);
  give_next (graph, "earlier_picture", picture, dimensions);
  return dyno_graph_add (graph, "Add", NULL, picture, step, NULL);
}

/* An ancestral step, Song et al. 2021 and Karras et al. 2022: of the noise that is left at the end (1), a
 * part is the model's prediction and the rest is new. With σ for noise per signal, and t for the end, the
 * part is σt / σ. */
static const char *
add_new_noise (const DynoSchedule *self,
               DynoGraph *graph,
               const char *from,
               const char *to,
               const char *answer,
               const char *dimensions)
{
  const char *start =
      dyno_graph_add (graph, "Div", NULL, noise_at (self, graph, from), signal_at (self, graph, from), NULL);
  const char *end =
      dyno_graph_add (graph, "Div", NULL, noise_at (self, graph, to), signal_at (self, graph, to), NULL);
  const char *kept = dyno_graph_add (graph, "Div", NULL, end, start, NULL);
  const char *renewed = dyno_graph_add (graph, "Mul", NULL, kept, kept, NULL);

  renewed = dyno_graph_add (graph, "Sub", NULL, dyno_graph_add_float (graph, 1), renewed, NULL);
  renewed = dyno_graph_add (graph, "Sqrt", NULL, renewed, NULL);

  /* The noise of a step of @dimensions, which is drawn before. */
  g_autofree char *of_steps = g_strconcat ("steps, ", dimensions, NULL);
  const char *noise =
      dyno_graph_add_input (graph, DYNO_SCHEDULE_NOISE, dyno_graph_get_real_type (graph), of_steps);

  noise = dyno_graph_add (graph, "Gather", "axis=0", noise, dyno_graph_add_int (graph, 0), NULL);
  return mix (graph, kept, answer, "Add", renewed, dyno_layers_cast (graph, noise, DYNO_DATA_TYPE_FLOAT));
}

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
  from = pick_level (self, graph, levels, self->solver == DYNO_SOLVER_LINEAR ? LEVEL_START : LEVEL_ASKED);
  to = pick_level (self, graph, levels, LEVEL_END);
  sample = dyno_layers_cast (graph, sample, DYNO_DATA_TYPE_FLOAT);
  answer = dyno_layers_cast (graph, answer, DYNO_DATA_TYPE_FLOAT);
  if (self->solver == DYNO_SOLVER_LINEAR)
    answer = add_linear (graph, levels, &sample, answer, dimensions);

  /* The picture without noise, according to the answer. */
  signal = signal_at (self, graph, from);
  noise = noise_at (self, graph, from);
  if (self->has_velocity)
    picture = mix (graph, signal, sample, "Sub", noise, answer);
  else
    {
      picture = dyno_graph_add (graph, "Mul", NULL, answer, noise, NULL);
      picture = dyno_graph_add (graph, "Sub", NULL, sample, picture, NULL);
      picture = dyno_graph_add (graph, "Div", NULL, picture, signal, NULL);
    }
  if (self->solver == DYNO_SOLVER_EXPONENTIAL)
    picture = add_exponential (self, graph, levels, picture, dimensions);
  if (self->solver == DYNO_SOLVER_EXPONENTIAL || self->has_velocity)
    {
      /* The noise that remains of the sample without the picture. */
      signal = signal_at (self, graph, from);
      answer = dyno_graph_add (graph, "Mul", NULL, picture, signal, NULL);
      answer = dyno_graph_add (graph, "Sub", NULL, sample, answer, NULL);
      answer = dyno_graph_add (graph, "Div", NULL, answer, noise_at (self, graph, from), NULL);
    }
  if (self->solver == DYNO_SOLVER_ANCESTRAL)
    answer = add_new_noise (self, graph, from, to, answer, dimensions);
  sample = mix (graph, signal_at (self, graph, to), picture, "Add", noise_at (self, graph, to), answer);
  sample = dyno_layers_cast (graph, sample, dyno_graph_get_real_type (graph));
  dyno_graph_pop_scope (graph);
  return sample;
}
