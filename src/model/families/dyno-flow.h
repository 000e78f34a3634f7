/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoFlow:
 * @n_levels: number of timesteps of training
 * @least: share of the noise at which the last of several steps starts; 0 if all steps have the same length before they are
 *   shifted
 * @shift: how strongly steps are drawn towards the noise
 * @is_dynamic: whether the size of the picture decides about that instead
 * @is_linear: whether it then does so itself, else its exponential
 * @shifts: the shifts of a picture of @lengths tokens
 * @lengths: two numbers of tokens
 *
 * How rectified flow, Liu et al. 2022, turns noise into a picture: straight from one to the other, as Stable Diffusion 3 and
 * Flux do it.
 */
typedef struct
{
  gint64 n_levels;
  double least;
  double shift;
  gboolean is_dynamic;
  gboolean is_linear;
  double shifts[2];
  gint64 lengths[2];
} DynoFlow;

/**
 * DynoFlowStep:
 * @from: share of the noise at the start
 * @to: share of the noise at the end
 *
 * A step.
 */
typedef struct
{
  const char *from;
  const char *to;
} DynoFlowStep;

/* Returns its steps. @config: a config of a scheduler of Diffusers, which fails if it is invalid.
 * @has_least: whether the last of several steps starts with the noise of the lowest timestep of training,
 * shifted twice, as in Stable Diffusion 3, instead of at equal steps, as in Flux. */
DynoFlow dyno_flow_read (DynoConfig *config, gboolean has_least);

/* Returns the input DYNO_SCHEDULE_STEPS with which step it is and how many there are, [steps, 2]. */
const char *dyno_flow_add_input (DynoGraph *graph, gint64 n_steps);
/* Returns the step, in single precision in any graph. @steps: the row of the step, [1, 2]. */
DynoFlowStep
dyno_flow_add_step (const DynoFlow *self, DynoGraph *graph, const char *steps, const char *n_tokens);
/* Returns the timestep at which the model is asked, [1]. */
const char *dyno_flow_add_time (const DynoFlow *self, DynoGraph *graph, const DynoFlowStep *step);
/* Returns the latents at its end. @sample: latents at its start, [batch, channels, height, width].
 * @answer: their velocity from the picture to the noise, which the model predicts. */
const char *
dyno_flow_move (DynoGraph *graph, const DynoFlowStep *step, const char *sample, const char *answer);

G_END_DECLS
