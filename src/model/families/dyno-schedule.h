/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoSolver:
 * @DYNO_SOLVER_PLAIN: a step uses one answer of the model: DDIM, and Euler's method, which is the same in
 * other variables
 * @DYNO_SOLVER_LINEAR: a linear multistep method, PNDM of Liu et al. 2022 without Runge-Kutta steps: a step
 * uses up to four answers, and the second corrects the first
 * @DYNO_SOLVER_EXPONENTIAL: the multistep method of second order of DPM-Solver++, Lu et al. 2022
 * @DYNO_SOLVER_ANCESTRAL: Euler's method down to less noise than that of the next level, and new noise up
 * to it
 *
 * How a step follows from the model's predictions.
 */
typedef enum
{
  DYNO_SOLVER_PLAIN,
  DYNO_SOLVER_LINEAR,
  DYNO_SOLVER_EXPONENTIAL,
  DYNO_SOLVER_ANCESTRAL,
} DynoSolver;

/**
 * DynoSchedule:
 * @solver: how a step is computed
 * @n_levels: number of noise levels: those of training, and zero noise
 * @signal: (array length=n_levels): share of the signal in the latents at each level
 * @noise: (array length=n_levels): share of the noise in the latents at each level
 * @spacing: the levels of steps
 * @is_between: whether levels are between those of training
 * @has_karras: whether they then are at the distances of Karras et al. 2022, else at equal ones
 * @rounds_time: whether the model then gets the nearest level of training
 * @has_velocity: whether the model predicts the velocity, Salimans and Ho 2022, instead of the noise
 *
 * The noise schedule of a diffusion model, from zero noise on.
 */
typedef struct
{
  DynoSolver solver;
  gint64 n_levels;
  float *signal;
  float *noise;
  DynoSpacing spacing;
  gboolean is_between;
  gboolean has_karras;
  gboolean rounds_time;
  gboolean has_velocity;
} DynoSchedule;

/* The input with one row per step: the level that the model gets, and the level at which the step ends;
 * for DPM-Solver++ also that of the step before, or 0; for PNDM also the level at which the step starts,
 * and its index among the first steps, at most DYNO_INPUTS_LAST_KIND. */
#define DYNO_SCHEDULE_INPUT "noise_levels"

/* Used instead if levels are between those of training: the index of the step, from 0, the number of steps,
 * and the levels of the first and of the last. */
#define DYNO_SCHEDULE_STEPS "denoising_steps"

/* The new noise of each step of a stochastic solver. */
#define DYNO_SCHEDULE_NOISE "step_noise"

/* Returns its noise levels. @config: a config of a scheduler of Diffusers, which fails if it is invalid. */
DynoSchedule *dyno_schedule_new (DynoConfig *config);
void dyno_schedule_free (DynoSchedule *self);

/* Returns the timestep at which the model is asked, [1], between two of training a fraction. @levels: the
 * row of the step, [1, columns]. */
const char *dyno_schedule_add_time (const DynoSchedule *self, DynoGraph *graph, const char *levels);
/* Returns the input DYNO_SCHEDULE_INPUT or DYNO_SCHEDULE_STEPS. */
const char *dyno_schedule_add_levels (const DynoSchedule *self, DynoGraph *graph, const char *n_steps);
/* Adds a step, in single precision in any graph: that of DDIM, Song et al. 2020, after a multistep method
 * has combined the answer with earlier ones, or a stochastic step with the noise. These are further inputs
 * and outputs. Returns the denoised latents. @levels: the row of the step, [1, columns]. @sample: latents,
 * [batch, channels, height, width]. */
const char *dyno_schedule_add_step (const DynoSchedule *self,
                                    DynoGraph *graph,
                                    const char *levels,
                                    const char *sample,
                                    const char *answer,
                                    const char *dimensions);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSchedule, dyno_schedule_free)

G_END_DECLS
