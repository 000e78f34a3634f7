/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "dyno-chart-base-private.h"
#include "dyno-unit.h"

/* Beyond these, numbers and fractions are too long for labels. */
#define LEAST_BINARY    (1 / 1024.0)
#define LONGEST_BINARY  65536.0
#define LEAST_DECIMAL   1e-4
#define LONGEST_DECIMAL 1e7
/* Beyond this ratio of the largest to the smallest size in the plan. */
#define SIZES_RATIO 40
/* The least range that is shown, as a ratio. */
#define LEAST_RATIO 1.02

struct _DynoLogAxis
{
  DynoAxis parent_instance;

  guint base;
};

typedef struct
{
  double factor;
  gboolean powers;
} Notation;

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

/* Short units are written with every label, so that nobody has to combine labels with the title: 1 ms, 10 ms,
 * 1 s. */
static gboolean
names_units (DynoAxis *axis)
{
  static const char *const units[] = { "ms", "s", "MB", "J", "W" };

  for (guint i = 0; DYNO_LOG_AXIS (axis)->base == 10 && i < G_N_ELEMENTS (units); i++)
    if (strcmp (dyno_axis_get_unit (axis), units[i]) == 0)
      return TRUE;
  return FALSE;
}

static char *
format_power (guint base, int multiple, int exponent)
{
  static const char *const digits[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  g_autofree char *plain = g_strdup_printf ("%d", exponent);
  g_autoptr (GString) raised = g_string_new (NULL);

  for (const char *digit = plain; *digit != '\0'; digit++)
    g_string_append (raised, *digit == '-' ? "⁻" : digits[*digit - '0']);
  return multiple == 1 ? g_strdup_printf ("%u%s", base, raised->str)
                       : g_strdup_printf ("%d·%u%s", multiple, base, raised->str);
}

static void
choose_notation (DynoAxis *axis, double low, double high, Notation *notation)
{
  DynoUnit chosen;

  dyno_axis_choose_unit (axis, &chosen);
  notation->factor = chosen.factor;
  /* All labels of an axis have one form: plain numbers, or powers if some numbers would be too long. */
  notation->powers = DYNO_LOG_AXIS (axis)->base == 2
                         ? low * chosen.factor < LEAST_BINARY || high * chosen.factor > LONGEST_BINARY
                         : low * chosen.factor < LEAST_DECIMAL || high * chosen.factor > LONGEST_DECIMAL;
}

static void
add_decades (DynoAxis *axis, double low, double high, guint n_wanted, GArray *ticks)
{
  double n_decades = log10 (high) - log10 (low);
  int stride = MAX ((int)ceil (n_decades / n_wanted), 1);
  gboolean has_room = n_decades < 2.5 && 3 * n_decades <= n_wanted;
  /* A single labelled power gives little orientation: fives are then written even if there is little room. */
  gboolean is_single = floor (log10 (high) + 1e-12) - ceil (log10 (low) - 1e-12) < 1;
  Notation notation;

  choose_notation (axis, low, high, &notation);
  for (int exponent = (int)floor (log10 (low)); exponent <= (int)ceil (log10 (high)); exponent++)
    for (int multiple = 1; multiple < 10; multiple++)
      {
        double value = multiple * pow (10, exponent);
        gboolean is_labelled =
            multiple == 1 || (multiple == 2 && has_room) || (multiple == 5 && (has_room || is_single));
        gboolean minor = !is_labelled || exponent % stride != 0;
        int shown = exponent + (int)lround (log10 (notation.factor));
        char *label = NULL;

        if (value < low * (1 - 1e-12) || value > high * (1 + 1e-12) || (stride > 1 && multiple > 1))
          continue;
        value = CLAMP (value, low, high);
        /* The fewest digits that show the power of ten and its multiple. */
        if (!minor && names_units (axis))
          label = dyno_unit_format (multiple * pow (10, exponent), dyno_axis_get_unit (axis));
        else if (!minor && notation.powers)
          label = format_power (10, multiple, shown);
        else if (!minor)
          label = dyno_unit_format_number (multiple * pow (10, shown), MAX (-shown, 0));
        dyno_axis_add_tick (ticks, value, minor, label);
      }
}

static void
dyno_log_axis_add_ticks (DynoAxis *axis, double low, double high, guint n_wanted, GArray *ticks)
{
  if (DYNO_LOG_AXIS (axis)->base == 2)
    {
      int first = (int)ceil (log2 (low) - 1e-12);
      int last = (int)floor (log2 (high) + 1e-12);
      int stride = MAX ((int)ceil ((last - first + 1) / (double)n_wanted), 1);
      Notation notation;

      choose_notation (axis, low, high, &notation);
      for (int exponent = first; exponent <= last; exponent++)
        {
          double value = CLAMP (exp2 (exponent), low, high);
          /* Values without a unit are counts: there is no half of a batch. */
          gboolean minor =
              (exponent - first) % stride != 0 || (exponent < 0 && *dyno_axis_get_unit (axis) == '\0');
          char *label = NULL;

          if (!minor && notation.factor != 1)
            label = dyno_unit_format_significant (exp2 (exponent) * notation.factor);
          else if (!minor && notation.powers)
            label = format_power (2, 1, exponent);
          else if (!minor)
            /* Powers of two below 1 read best as fractions: 1/8. */
            label = exponent < 0 ? g_strdup_printf ("1/%d", 1 << -exponent)
                                 : dyno_unit_format_number (exp2 (exponent), 0);
          dyno_axis_add_tick (ticks, value, minor, label);
        }
    }
  else
    add_decades (axis, low, high, n_wanted, ticks);
  if (dyno_axis_count_labels (ticks) >= 2)
    return;
  for (guint n = MAX (n_wanted / 2, 2); dyno_axis_count_labels (ticks) < 2 && n <= MAX (n_wanted, 2); n *= 2)
    {
      g_array_set_size (ticks, 0);
      dyno_axis_add_even_ticks (axis, low, high, n, ticks);
    }
  for (guint i = 0; names_units (axis) && i < ticks->len; i++)
    {
      DynoTick *tick = &g_array_index (ticks, DynoTick, i);

      g_free (tick->label);
      tick->label = dyno_unit_format (tick->value, dyno_axis_get_unit (axis));
    }
}

static const char *
dyno_log_axis_get_tick_unit (DynoAxis *axis)
{
  return names_units (axis) ? "" : DYNO_AXIS_CLASS (dyno_log_axis_parent_class)->get_tick_unit (axis);
}

static void
dyno_log_axis_class_init (DynoLogAxisClass *klass)
{
  DynoAxisClass *axis_class = DYNO_AXIS_CLASS (klass);

  axis_class->scale = dyno_log_axis_scale;
  axis_class->unscale = dyno_log_axis_unscale;
  axis_class->widen = dyno_log_axis_widen;
  axis_class->add_ticks = dyno_log_axis_add_ticks;
  axis_class->get_tick_unit = dyno_log_axis_get_tick_unit;
}

static void
dyno_log_axis_init (DynoLogAxis *self)
{
  self->base = 10;
}

DynoAxis *
dyno_log_axis_new (const char *title, const char *unit, guint base)
{
  g_return_val_if_fail (base == 2 || base == 10, NULL);

  DynoLogAxis *self = g_object_new (DYNO_TYPE_LOG_AXIS, NULL);
  self->base = base;
  dyno_axis_set_title (DYNO_AXIS (self), title);
  dyno_axis_set_unit (DYNO_AXIS (self), unit);
  dyno_axis_set_range (DYNO_AXIS (self), 1, base);
  return DYNO_AXIS (self);
}

DynoAxis *
dyno_log_axis_new_around (
    const char *title, const char *unit, double least, double most, double below, double above)
{
  DynoAxis *self = dyno_log_axis_new (title, unit, 10);

  if (least > 0)
    {
      double ratio = MAX (most / least, LEAST_RATIO);

      dyno_axis_set_range (self, least / pow (ratio, below), most * pow (ratio, above));
    }
  else
    dyno_axis_set_range (self, least, most);
  return self;
}

gboolean
dyno_log_axis_suits_sizes (double least, double most)
{
  return least > 0 && most / least > SIZES_RATIO;
}
