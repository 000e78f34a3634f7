/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-spacing.h"

/* Rounded to even numbers in the middle, as by NumPy. */
static gint64
divide (gint64 product, gint64 divisor)
{
  return (gint64)rint ((double)product / (double)divisor);
}

gint64
dyno_spacing_get_start (const DynoSpacing *self, gint64 n_levels, gint64 n_steps, gint64 step)
{
  gint64 n_places = n_steps + (self->has_end ? 1 : 0);
  gint64 n_left = n_places - 1 - step;
  gint64 level;

  switch (self->kind)
    {
    case DYNO_SPACING_LEADING:
      level = n_left * (n_levels / n_places) + self->offset + 1;
      break;
    case DYNO_SPACING_LINSPACE:
      level = divide ((n_levels - 1) * n_left, MAX (n_places - 1, 1)) + 1;
      break;
    case DYNO_SPACING_TRAILING:
    default:
      level = divide (n_levels * (n_steps - step), n_steps);
      break;
    }
  return CLAMP (level, 1, n_levels);
}

gint64
dyno_spacing_get_end (const DynoSpacing *self, gint64 n_levels, gint64 n_steps, gint64 step)
{
  if (self->has_stride)
    return MAX (dyno_spacing_get_start (self, n_levels, n_steps, step) - n_levels / n_steps, 0);
  return step + 1 < n_steps ? dyno_spacing_get_start (self, n_levels, n_steps, step + 1) : 0;
}
