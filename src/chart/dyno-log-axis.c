/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <float.h>
#include <math.h>

#include "dyno-log-axis.h"
#include "dyno-unit.h"

struct _DynoLogAxis
{
  DynoAxis parent_instance;

  guint base;
};

G_DEFINE_FINAL_TYPE (DynoLogAxis, dyno_log_axis, DYNO_TYPE_AXIS)

static double
dyno_log_axis_scale (DynoAxis *axis, double value)
{
  return log2 (MAX (value, DBL_MIN));
}

static double
dyno_log_axis_unscale (DynoAxis *axis, double scaled)
{
  return exp2 (scaled);
}

static void
dyno_log_axis_widen (DynoAxis *axis, double *low, double *high)
{
  if (*high <= 0)
    *low = *high = 1;
  if (*low <= 0)
    *low = MIN (*high, 1) / 1000;
  if (*low == *high)
    {
      *low /= 2;
      *high *= 2;
    }
}

static char *
format_tick (DynoAxis *axis, double value)
{
  DynoUnit chosen;
  double low, high;

  dyno_axis_get_visible (axis, &low, &high);
  dyno_unit_choose (dyno_axis_get_unit (axis), high, &chosen);
  return dyno_unit_format_significant (value * chosen.factor);
}

/* Powers of two below 1 read best as what they are: 1/8. */
static char *
format_power (DynoAxis *axis, double value, int exponent)
{
  return exponent < 0 && exponent > -10 ? g_strdup_printf ("1/%d", 1 << -exponent)
                                        : format_tick (axis, value);
}

/* The multiples that get a label when @n_decades are seen. */
static gboolean
is_labelled (int multiple, double n_decades)
{
  return multiple == 1 || (n_decades < 2.5 && (multiple == 2 || multiple == 5));
}

static void
add_decades (DynoAxis *axis, double low, double high, guint n_wanted, GArray *ticks)
{
  double n_decades = log10 (high) - log10 (low);
  int stride = MAX ((int)ceil (n_decades / n_wanted), 1);

  for (int exponent = (int)floor (log10 (low)); exponent <= (int)ceil (log10 (high)); exponent++)
    for (int multiple = 1; multiple < 10; multiple++)
      {
        double value = multiple * pow (10, exponent);
        gboolean minor = !is_labelled (multiple, n_decades) || exponent % stride != 0;

        if (value < low * (1 - 1e-12) || value > high * (1 + 1e-12) || (stride > 1 && multiple > 1))
          continue;
        value = CLAMP (value, low, high);
        dyno_axis_add_tick (ticks, value, minor, minor ? NULL : format_tick (axis, value));
      }
}

static void
add_powers (DynoAxis *axis, double low, double high, guint n_wanted, GArray *ticks)
{
  int first = (int)ceil (log2 (low) - 1e-12);
  int last = (int)floor (log2 (high) + 1e-12);
  int stride = MAX ((int)ceil ((last - first + 1) / (double)n_wanted), 1);

  for (int exponent = first; exponent <= last; exponent++)
    {
      double value = CLAMP (exp2 (exponent), low, high);
      gboolean minor = (exponent - first) % stride != 0;

      dyno_axis_add_tick (ticks, value, minor, minor ? NULL : format_power (axis, value, exponent));
    }
}

static guint
count_labels (GArray *ticks)
{
  guint n_labels = 0;

  for (guint i = 0; i < ticks->len; i++)
    n_labels += g_array_index (ticks, DynoTick, i).label != NULL;
  return n_labels;
}

static void
dyno_log_axis_add_ticks (DynoAxis *axis, double low, double high, guint n_wanted, GArray *ticks)
{
  if (DYNO_LOG_AXIS (axis)->base == 2)
    add_powers (axis, low, high, n_wanted, ticks);
  else
    add_decades (axis, low, high, n_wanted, ticks);
  if (count_labels (ticks) >= 2)
    return;
  g_array_set_size (ticks, 0);
  dyno_axis_add_even_ticks (axis, low, high, n_wanted, ticks);
}

static void
dyno_log_axis_class_init (DynoLogAxisClass *klass)
{
  DynoAxisClass *axis_class = DYNO_AXIS_CLASS (klass);

  axis_class->scale = dyno_log_axis_scale;
  axis_class->unscale = dyno_log_axis_unscale;
  axis_class->widen = dyno_log_axis_widen;
  axis_class->add_ticks = dyno_log_axis_add_ticks;
}

static void
dyno_log_axis_init (DynoLogAxis *self)
{
  self->base = 10;
}

/**
 * dyno_log_axis_new:
 * @title: what runs along it
 * @unit: the unit of its values
 * @base: 2 or 10, whose powers are marked
 *
 * Returns: (transfer full): an axis
 */
DynoAxis *
dyno_log_axis_new (const char *title, const char *unit, guint base)
{
  DynoLogAxis *self;

  g_return_val_if_fail (base == 2 || base == 10, NULL);

  self = g_object_new (DYNO_TYPE_LOG_AXIS, NULL);
  self->base = base;
  dyno_axis_set_title (DYNO_AXIS (self), title);
  dyno_axis_set_unit (DYNO_AXIS (self), unit);
  dyno_axis_set_range (DYNO_AXIS (self), 1, base);
  return DYNO_AXIS (self);
}
