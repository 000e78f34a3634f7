/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoSpacingKind:
 * @DYNO_SPACING_TRAILING: equal distances, with the highest level of training
 * @DYNO_SPACING_LEADING: equal distances of whole levels, with the lowest one of training
 * @DYNO_SPACING_LINSPACE: equal distances, with both
 *
 * The spacing of the steps of a diffusion model among the levels of its training: `timestep_spacing` of
 * Diffusers.
 */
typedef enum
{
  DYNO_SPACING_TRAILING,
  DYNO_SPACING_LEADING,
  DYNO_SPACING_LINSPACE,
} DynoSpacingKind;

/**
 * DynoSpacing:
 * @kind: the spacing of the steps
 * @offset: added to leading levels, `steps_offset`
 * @has_end: whether the end of the last step is one of the distances, instead of its start
 * @has_stride: whether the length of a step is the levels of training divided by the steps, regardless of
 * the next one's start
 *
 * The levels at which the steps of a diffusion model start and end. Level 0 is without noise, and timestep
 * 0 is level 1.
 */
typedef struct
{
  DynoSpacingKind kind;
  gint64 offset;
  gboolean has_end;
  gboolean has_stride;
} DynoSpacing;

/* Returns the level at which the model is asked, from @n_levels for the most noise to 1. @step: one of
 * them, from 0. */
gint64 dyno_spacing_get_start (const DynoSpacing *self, gint64 n_levels, gint64 n_steps, gint64 step);
/* Returns the level at which the step ends, 0 for no noise. @step: one of them, from 0. */
gint64 dyno_spacing_get_end (const DynoSpacing *self, gint64 n_levels, gint64 n_steps, gint64 step);

G_END_DECLS
