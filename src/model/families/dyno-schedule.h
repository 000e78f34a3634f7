/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoSchedule:
 * @n_levels: how many levels of noise there are: those of training, and none
 * @signal: (array length=n_levels): how much of latents is left of a picture at each level
 * @noise: (array length=n_levels): how much of them is noise
 * @has_velocity: whether the model tells the velocity, Salimans and Ho 2022, and not the noise
 *
 * How much noise a diffusion model was trained with, from no noise on.
 */
typedef struct
{
  gint64 n_levels;
  float *signal;
  float *noise;
  gboolean has_velocity;
} DynoSchedule;

/* The input that says from which level to which a step goes: one row for each step, with two columns. */
#define DYNO_SCHEDULE_INPUT "noise_levels"

DynoSchedule *dyno_schedule_new (DynoConfig *config);
void dyno_schedule_free (DynoSchedule *self);

const char *dyno_schedule_add_time (const DynoSchedule *self, DynoGraph *graph, const char *levels);
const char *dyno_schedule_add_step (
    const DynoSchedule *self, DynoGraph *graph, const char *levels, const char *sample, const char *answer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSchedule, dyno_schedule_free)

G_END_DECLS
