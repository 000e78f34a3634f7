/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-config.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/**
 * DynoSchedule:
 * @n_levels: number of noise levels: those of training, and zero noise
 * @signal: (array length=n_levels): share of the signal in the latents at each level
 * @noise: (array length=n_levels): share of the noise in the latents at each level
 * @has_velocity: whether the model predicts the velocity, Salimans and Ho 2022, instead of the noise
 *
 * The noise schedule of a diffusion model, from zero noise on.
 */
typedef struct
{
  gint64 n_levels;
  float *signal;
  float *noise;
  gboolean has_velocity;
} DynoSchedule;

/* The input with the start and end level of each step: one row per step. */
#define DYNO_SCHEDULE_INPUT "noise_levels"

DynoSchedule *dyno_schedule_new (DynoConfig *config);
void dyno_schedule_free (DynoSchedule *self);

const char *dyno_schedule_add_time (const DynoSchedule *self, DynoGraph *graph, const char *levels);
const char *dyno_schedule_add_step (
    const DynoSchedule *self, DynoGraph *graph, const char *levels, const char *sample, const char *answer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSchedule, dyno_schedule_free)

G_END_DECLS
