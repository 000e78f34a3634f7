/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-axis.h"

/* The deepest zoom shows this share of the data range, which is far above the rounding error of doubles. */
#define MIN_SHARE 1e-7

typedef struct
{
  double low;
  double high;
} Range;

/* The range that an axis can show: its own, or that of all axes it was joined with. */
typedef struct
{
  Range data;
  Range home;
  double limit;
  double lone_value; /* NaN unless the data have one value only */
} Extent;

typedef struct
{
  char *title;
  char *unit;
  char *left; /* (nullable) */
  char *right;
  gboolean zoomable;
  gboolean counts;
  gboolean is_turned;
  double first;
  Extent own;
  Extent joined; /* the same as its own until it is joined */
  Range visible;
} DynoAxisPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (DynoAxis, dyno_axis, G_TYPE_OBJECT)

static double
scale (DynoAxis *self, double value)
{
  return DYNO_AXIS_GET_CLASS (self)->scale (self, value);
}

static double
unscale (DynoAxis *self, double scaled)
{
  return DYNO_AXIS_GET_CLASS (self)->unscale (self, scaled);
}

static double
dyno_axis_real_scale (DynoAxis *self, double value)
{
  return value;
}

static void
dyno_axis_real_widen (DynoAxis *self, double *low, double *high)
{
  double room = *low != 0 ? fabs (*low) * 0.1 : 1;

  if (*low == *high)
    {
      *low = *low >= 0 ? MAX (*low - room, 0) : *low - room;
      *high += room;
    }
}

static const char *
dyno_axis_real_get_tick_unit (DynoAxis *self)
{
  DynoUnit chosen;

  dyno_axis_choose_unit (self, &chosen);
  return chosen.name;
}

static char *
dyno_axis_real_format (DynoAxis *self, double value)
{
  return dyno_unit_format (value, dyno_axis_get_unit (self));
}

static void
dyno_axis_finalize (GObject *object)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (DYNO_AXIS (object));

  g_free (priv->title);
  g_free (priv->unit);
  g_free (priv->left);
  g_free (priv->right);

  G_OBJECT_CLASS (dyno_axis_parent_class)->finalize (object);
}

static void
dyno_axis_class_init (DynoAxisClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_axis_finalize;
  klass->scale = dyno_axis_real_scale;
  klass->unscale = dyno_axis_real_scale;
  klass->widen = dyno_axis_real_widen;
  klass->add_ticks = dyno_axis_add_even_ticks;
  klass->format = dyno_axis_real_format;
  klass->get_tick_unit = dyno_axis_real_get_tick_unit;
}

static void
dyno_axis_init (DynoAxis *self)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  priv->title = g_strdup ("");
  priv->unit = g_strdup ("");
  priv->visible = (Range){ 0, 1 };
  priv->own = priv->joined = (Extent){ priv->visible, priv->visible, INFINITY, NAN };
}

const char *
dyno_axis_get_title (DynoAxis *self)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_val_if_fail (DYNO_IS_AXIS (self), NULL);
  return priv->title;
}

void
dyno_axis_set_title (DynoAxis *self, const char *title)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  g_return_if_fail (title != NULL);
  g_free (priv->title);
  priv->title = g_strdup (title);
}

const char *
dyno_axis_get_unit (DynoAxis *self)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_val_if_fail (DYNO_IS_AXIS (self), NULL);
  return priv->unit;
}

void
dyno_axis_set_unit (DynoAxis *self, const char *unit)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  g_return_if_fail (unit != NULL);
  g_free (priv->unit);
  priv->unit = g_strdup (unit);
}

gboolean
dyno_axis_get_zoomable (DynoAxis *self)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_val_if_fail (DYNO_IS_AXIS (self), FALSE);
  return priv->zoomable;
}

void
dyno_axis_set_zoomable (DynoAxis *self, gboolean zoomable)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  priv->zoomable = zoomable;
}

void
dyno_axis_set_counts (DynoAxis *self, gboolean counts)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  priv->counts = counts;
}

void
dyno_axis_set_turned (DynoAxis *self, gboolean is_turned)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  priv->is_turned = is_turned;
}

gboolean
dyno_axis_get_turned (DynoAxis *self)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_val_if_fail (DYNO_IS_AXIS (self), FALSE);
  return priv->is_turned;
}

void
dyno_axis_set_sides (DynoAxis *self, const char *left, const char *right)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  g_free (priv->left);
  g_free (priv->right);
  priv->left = g_strdup (left);
  priv->right = g_strdup (right);
}

void
dyno_axis_set_limit (DynoAxis *self, double limit)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  priv->own.limit = priv->joined.limit = limit;
}

void
dyno_axis_set_lone (DynoAxis *self, gboolean lone)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  priv->own.lone_value = priv->joined.lone_value = lone ? priv->first : NAN;
}

void
dyno_axis_choose_unit (DynoAxis *self, DynoUnit *chosen)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));

  dyno_unit_choose (priv->unit, MAX (fabs (priv->joined.home.low), fabs (priv->joined.home.high)), chosen);
}

char *
dyno_axis_dup_label (DynoAxis *self)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_val_if_fail (DYNO_IS_AXIS (self), NULL);

  const char *unit = DYNO_AXIS_GET_CLASS (self)->get_tick_unit (self);
  g_autofree char *label =
      *unit == '\0' ? g_strdup (priv->title) : g_strdup_printf ("%s (%s)", priv->title, unit);
  return priv->left == NULL ? g_steal_pointer (&label)
                            : g_strdup_printf ("◀ %s · %s · %s ▶", priv->left, label, priv->right);
}

void
dyno_axis_set_range (DynoAxis *self, double low, double high)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));

  if (!isfinite (low) || !isfinite (high) || low > high)
    low = high = 0;
  priv->first = low;
  DYNO_AXIS_GET_CLASS (self)->widen (self, &low, &high);
  priv->visible = (Range){ low, high };
  priv->own.data = priv->own.home = priv->joined.data = priv->joined.home = priv->visible;
}

void
dyno_axis_set_home (DynoAxis *self, double low, double high)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  g_return_if_fail (low < high);
  priv->own.home = priv->joined.home = priv->visible = (Range){ low, high };
}

void
dyno_axis_get_range (DynoAxis *self, double *low, double *high)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  *low = priv->joined.data.low;
  *high = priv->joined.data.high;
}

void
dyno_axis_get_visible (DynoAxis *self, double *low, double *high)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  *low = priv->visible.low;
  *high = priv->visible.high;
}

/* Moves the requested visible range, in scaled numbers, into the bounds and applies it. */
static void
show (DynoAxis *self, double low, double high)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);
  double least = scale (self, MIN (priv->joined.data.low, priv->joined.home.low));
  double most = scale (self, MAX (priv->joined.data.high, priv->joined.home.high));
  double length = CLAMP (high - low, (most - least) * MIN_SHARE, most - least);

  low = CLAMP (low, least, most - length);
  priv->visible.low = low <= least ? MIN (priv->joined.data.low, priv->joined.home.low) : unscale (self, low);
  priv->visible.high = low + length >= most ? MAX (priv->joined.data.high, priv->joined.home.high)
                                            : unscale (self, low + length);
}

void
dyno_axis_set_visible (DynoAxis *self, double low, double high)
{
  g_return_if_fail (DYNO_IS_AXIS (self));
  g_return_if_fail (low < high);
  show (self, scale (self, low), scale (self, high));
}

double
dyno_axis_normalize (DynoAxis *self, double value)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);
  double low = scale (self, priv->visible.low);
  double position = (scale (self, value) - low) / (scale (self, priv->visible.high) - low);

  return priv->is_turned ? 1 - position : position;
}

double
dyno_axis_denormalize (DynoAxis *self, double position)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);
  double low = scale (self, priv->visible.low);

  if (priv->is_turned)
    position = 1 - position;
  return unscale (self, low + position * (scale (self, priv->visible.high) - low));
}

static void
clear_tick (gpointer data)
{
  g_clear_pointer (&((DynoTick *)data)->label, g_free);
}

GArray *
dyno_axis_list_ticks (DynoAxis *self, guint n_wanted)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);
  GArray *ticks = g_array_new (FALSE, FALSE, sizeof (DynoTick));

  g_return_val_if_fail (DYNO_IS_AXIS (self), ticks);

  g_array_set_clear_func (ticks, clear_tick);
  if (!isnan (priv->joined.lone_value))
    {
      dyno_axis_add_tick (ticks, priv->joined.lone_value, FALSE,
                          dyno_axis_format (self, priv->joined.lone_value));
      return ticks;
    }
  DYNO_AXIS_GET_CLASS (self)->add_ticks (self, priv->visible.low, priv->visible.high, MAX (n_wanted, 2),
                                         ticks);
  while (ticks->len > 0 && g_array_index (ticks, DynoTick, ticks->len - 1).value > priv->joined.limit)
    g_array_set_size (ticks, ticks->len - 1);
  for (guint i = 0; priv->is_turned && i < ticks->len / 2; i++)
    {
      DynoTick *one = &g_array_index (ticks, DynoTick, i);
      DynoTick *other = &g_array_index (ticks, DynoTick, ticks->len - 1 - i);
      DynoTick kept = *one;

      *one = *other;
      *other = kept;
    }
  return ticks;
}

guint
dyno_axis_count_labels (GArray *ticks)
{
  guint n_labels = 0;

  for (guint i = 0; i < ticks->len; i++)
    n_labels += g_array_index (ticks, DynoTick, i).label != NULL;
  return n_labels;
}

char *
dyno_axis_format (DynoAxis *self, double value)
{
  g_return_val_if_fail (DYNO_IS_AXIS (self), NULL);
  return DYNO_AXIS_GET_CLASS (self)->format (self, value);
}

void
dyno_axis_zoom (DynoAxis *self, double factor, double position)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  g_return_if_fail (factor > 0);

  if (priv->is_turned)
    position = 1 - position;
  double low = scale (self, priv->visible.low);
  double length = scale (self, priv->visible.high) - low;
  double fixed = low + position * length;
  show (self, fixed - position * length / factor, fixed + (1 - position) * length / factor);
}

void
dyno_axis_pan (DynoAxis *self, double distance)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));

  double low = scale (self, priv->visible.low);
  double high = scale (self, priv->visible.high);
  double step = (priv->is_turned ? -distance : distance) * (high - low);
  show (self, low + step, high + step);
}

void
dyno_axis_reset (DynoAxis *self)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_if_fail (DYNO_IS_AXIS (self));
  priv->visible = priv->joined.home;
}

gboolean
dyno_axis_is_zoomed (DynoAxis *self)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);

  g_return_val_if_fail (DYNO_IS_AXIS (self), FALSE);
  return priv->visible.low != priv->joined.home.low || priv->visible.high != priv->joined.home.high;
}

void
dyno_axis_copy_zoom (DynoAxis *self, DynoAxis *from)
{
  DynoAxisPrivate *old = dyno_axis_get_instance_private (from);

  g_return_if_fail (DYNO_IS_AXIS (self));
  if (dyno_axis_is_zoomed (from))
    dyno_axis_set_visible (self, old->visible.low, old->visible.high);
}

void
dyno_axis_join (GPtrArray *axes)
{
  Extent all = { { INFINITY, -INFINITY }, { INFINITY, -INFINITY }, -INFINITY, NAN };

  for (guint i = 0; i < axes->len; i++)
    {
      const Extent *own = &((DynoAxisPrivate *)dyno_axis_get_instance_private (axes->pdata[i]))->own;

      all.data = (Range){ MIN (all.data.low, own->data.low), MAX (all.data.high, own->data.high) };
      all.home = (Range){ MIN (all.home.low, own->home.low), MAX (all.home.high, own->home.high) };
      all.limit = MAX (all.limit, own->limit);
      all.lone_value = i == 0 || all.lone_value == own->lone_value ? own->lone_value : NAN;
    }
  for (guint i = 0; i < axes->len; i++)
    {
      DynoAxisPrivate *priv = dyno_axis_get_instance_private (axes->pdata[i]);
      gboolean was_zoomed = dyno_axis_is_zoomed (axes->pdata[i]);

      priv->joined = all;
      if (was_zoomed)
        dyno_axis_set_visible (axes->pdata[i], priv->visible.low, priv->visible.high);
      else
        priv->visible = all.home;
    }
}

gboolean
dyno_axis_is_like (DynoAxis *self, DynoAxis *other)
{
  g_return_val_if_fail (DYNO_IS_AXIS (self) && DYNO_IS_AXIS (other), FALSE);
  return G_OBJECT_TYPE (self) == G_OBJECT_TYPE (other) &&
         g_str_equal (dyno_axis_get_title (self), dyno_axis_get_title (other)) &&
         g_str_equal (dyno_axis_get_unit (self), dyno_axis_get_unit (other));
}

void
dyno_axis_add_tick (GArray *ticks, double value, gboolean minor, char *label)
{
  DynoTick tick = { value, minor, label };

  g_array_append_val (ticks, tick);
}

double
dyno_axis_get_nice_step (double raw)
{
  double decade = pow (10, floor (log10 (raw)));
  double share = raw / decade;

  return decade * (share <= 1.0 + 1e-9 ? 1 : share <= 2.0 + 1e-9 ? 2 : share <= 5.0 + 1e-9 ? 5 : 10);
}

void
dyno_axis_add_even_ticks (DynoAxis *self, double low, double high, guint n_wanted, GArray *ticks)
{
  DynoAxisPrivate *priv = dyno_axis_get_instance_private (self);
  DynoUnit chosen;

  dyno_axis_choose_unit (self, &chosen);
  double step = dyno_axis_get_nice_step ((high - low) * chosen.factor / MAX (n_wanted, 1));
  step = priv->counts ? MAX (step, 1) : step;
  int decimals = CLAMP ((int)ceil (-log10 (step) - 1e-9), 0, 12);
  gboolean plain = MAX (fabs (low), fabs (high)) * chosen.factor < 1e9 && step >= 1e-9;
  double first = ceil (low * chosen.factor / step - 1e-9);
  for (guint i = 0; i <= 2 * n_wanted && (first + i) * step <= high * chosen.factor + step * 1e-9; i++)
    {
      double shown = (first + i) * step;
      double value = CLAMP (shown / chosen.factor, low, high);

      dyno_axis_add_tick (ticks, value, FALSE,
                          plain ? dyno_unit_format_number (shown, decimals) : g_strdup_printf ("%g", shown));
    }
}
