/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-ceilings.h"
#include "dyno-distributions.h"
#include "dyno-stats.h"
#include "dyno-unit.h"
#include "dyno-verification.h"

/* Two programs that measure the same agree within this share. */
#define RATIO_LIMIT 0.05
/* The confidence with which a check may fail. */
#define FAILING_CONFIDENCE 0.99
/* Fewer pairs of processes say nothing. */
#define MIN_PAIRS 3
/* The maximum acceptable share of false alarms. */
#define ALARM_LIMIT 0.05
/* A ceiling may exceed the one above it by this share. */
#define CEILING_LIMIT 0.05

static const struct
{
  const char *name;
  const char *label;
} words[] = {
  [DYNO_CHECK_PASS] = { "pass", N_ ("PASS") },
  [DYNO_CHECK_WARN] = { "warn", N_ ("WARN") },
  [DYNO_CHECK_FAIL] = { "fail", N_ ("FAIL") },
  [DYNO_CHECK_ABSENT] = { "not-installed", N_ ("not installed") },
  [DYNO_CHECK_UNCHECKED] = { "not-checked", N_ ("not checked") },
};

const char *
dyno_check_outcome_to_string (DynoCheckOutcome outcome)
{
  return words[outcome].name;
}

const char *
dyno_check_outcome_get_label (DynoCheckOutcome outcome)
{
  return _ (words[outcome].label);
}

DynoCheck *
dyno_check_new (const char *name, const char *title, DynoCheckOutcome outcome, char *text)
{
  DynoCheck *self = g_new (DynoCheck, 1);

  *self = (DynoCheck){ g_strdup (name), g_strdup (title), outcome, text, NAN, NAN, NAN };
  return self;
}

void
dyno_check_free (DynoCheck *self)
{
  g_free (self->name);
  g_free (self->title);
  g_free (self->text);
  g_free (self);
}

DynoCheckOutcome
dyno_check_find_worst (GPtrArray *checks)
{
  static const DynoCheckOutcome order[] = { DYNO_CHECK_FAIL, DYNO_CHECK_WARN, DYNO_CHECK_PASS };

  for (guint i = 0; i < G_N_ELEMENTS (order); i++)
    for (guint k = 0; k < checks->len; k++)
      if (((DynoCheck *)checks->pdata[k])->outcome == order[i])
        return order[i];
  return DYNO_CHECK_UNCHECKED;
}

/* Ratios */

/* The mean of the logarithms, and half of its interval. */
typedef struct
{
  double mean;
  double error;
  double freedom;
} LogRatio;

static double
get_reach (const LogRatio *self, double confidence)
{
  return self->error * dyno_stats_student_quantile (0.5 + confidence / 2, self->freedom);
}

static char *
describe_ratio (const DynoCheck *self, guint n)
{
  g_autofree char *ratio = dyno_unit_format_number (self->ratio, 3);
  g_autofree char *low = dyno_unit_format_number (self->low, 3);
  g_autofree char *high = dyno_unit_format_number (self->high, 3);
  g_autofree char *interval = g_strdup_printf ("%s (%s – %s)", ratio, low, high);
  int percent = (int)(100 * RATIO_LIMIT);

  if (self->outcome == DYNO_CHECK_PASS)
    /* Translators: a ratio with its interval, and a number of pairs of processes */
    return g_strdup_printf (_ ("Dyno takes %s times as long, by %u pairs of processes: within %d %%."),
                            interval, n, percent);
  if (self->outcome == DYNO_CHECK_FAIL)
    return g_strdup_printf (
        _ ("Dyno takes %s times as long, by %u pairs of processes: more than %d %% apart."), interval, n,
        percent);
  return g_strdup_printf (_ ("Dyno takes %s times as long, by %u pairs of processes. The machine is too "
                             "disturbed to tell whether that is within %d %%."),
                          interval, n, percent);
}

DynoCheck *
dyno_check_new_ratio (const char *name, const char *title, const double *ratios, guint n, double noise_floor)
{
  DynoCheck *self = dyno_check_new (name, title, DYNO_CHECK_UNCHECKED, NULL);
  g_autofree double *logs = NULL;
  LogRatio log_ratio;
  double limit = log1p (RATIO_LIMIT);
  double reach, distance;

  if (n < MIN_PAIRS)
    {
      self->text =
          g_strdup_printf (ngettext ("%u pair of processes was measured in time, which is too few.",
                                     "%u pairs of processes were measured in time, which is too few.", n),
                           n);
      return self;
    }
  logs = g_new (double, n);
  for (guint i = 0; i < n; i++)
    logs[i] = log (ratios[i]);
  log_ratio =
      (LogRatio){ dyno_stats_mean (logs, n), dyno_stats_standard_deviation (logs, n) / sqrt (n), n - 1.0 };
  reach = get_reach (&log_ratio, 0.95);
  self->ratio = exp (log_ratio.mean);
  self->low = exp (log_ratio.mean - reach);
  self->high = exp (log_ratio.mean + reach);
  distance = fabs (log_ratio.mean);
  if (distance + reach <= limit)
    self->outcome = DYNO_CHECK_PASS;
  else if (distance - get_reach (&log_ratio, FAILING_CONFIDENCE) >
           fmax (limit, log1p (fmax (noise_floor, 0))))
    self->outcome = DYNO_CHECK_FAIL;
  else
    self->outcome = DYNO_CHECK_WARN;
  self->text = describe_ratio (self, n);
  return self;
}

/* False alarms */

DynoCheck *
dyno_check_new_alarms (const DynoFalseAlarms *alarms, double noise_floor)
{
  double share = alarms->n_comparisons > 0 ? (double)alarms->n_alarms / alarms->n_comparisons : NAN;
  DynoCheck *self = dyno_check_new ("self-comparison", _ ("Self-comparison"), DYNO_CHECK_UNCHECKED, NULL);
  g_autofree char *floor_percent = dyno_unit_format_percent (100 * noise_floor);

  if (!isfinite (share) || !isfinite (noise_floor))
    {
      self->text = g_strdup_printf (_ ("Too few processes were measured in time: it takes %d."),
                                    DYNO_SELF_TEST_MIN_PROCESSES);
      return self;
    }
  /* The machine itself may change while it is measured, so this never fails. */
  self->outcome = share <= ALARM_LIMIT ? DYNO_CHECK_PASS : DYNO_CHECK_WARN;
  self->text =
      g_strdup_printf (ngettext ("A case was said to differ from itself in %u of %u comparison (%d %% would "
                                 "be acceptable). The noise floor is %s %%.",
                                 "A case was said to differ from itself in %u of %u comparisons (%d %% would "
                                 "be acceptable). The noise floor is %s %%.",
                                 alarms->n_comparisons),
                       alarms->n_alarms, alarms->n_comparisons, (int)(100 * ALARM_LIMIT), floor_percent);
  return self;
}

/* Ceilings */

/* A ceiling that must not be below the other one. */
typedef struct
{
  DynoCeiling *more;
  DynoCeiling *less;
} Order;

static double
get_excess (const Order *order)
{
  return dyno_ceiling_get_value (order->less) / dyno_ceiling_get_value (order->more) - 1;
}

static DynoCheckOutcome
judge_order (const Order *order)
{
  double spread = dyno_ceiling_get_spread (order->more) + dyno_ceiling_get_spread (order->less);
  double excess = get_excess (order);

  if (excess <= CEILING_LIMIT)
    return DYNO_CHECK_PASS;
  return dyno_ceiling_is_disturbed (order->more) || dyno_ceiling_is_disturbed (order->less) ||
                 excess <= CEILING_LIMIT + 2 * spread
             ? DYNO_CHECK_WARN
             : DYNO_CHECK_FAIL;
}

/* The worst of them decides. @orders holds Order. */
static DynoCheck *
judge_orders (const char *name, const char *title, GArray *orders, const char *absent)
{
  DynoCheck *self = dyno_check_new (name, title, DYNO_CHECK_PASS, NULL);
  const Order *worst = NULL;

  for (guint i = 0; i < orders->len; i++)
    {
      const Order *order = &g_array_index (orders, Order, i);
      DynoCheckOutcome outcome = judge_order (order);

      if (outcome > self->outcome ||
          (outcome == self->outcome && worst != NULL && get_excess (order) > get_excess (worst)))
        worst = order;
      self->outcome = MAX (self->outcome, outcome);
    }
  if (orders->len == 0)
    {
      self->outcome = DYNO_CHECK_UNCHECKED;
      self->text = g_strdup (absent);
    }
  else if (worst != NULL)
    {
      g_autofree char *more = dyno_ceiling_dup_title (worst->more);
      g_autofree char *less = dyno_ceiling_dup_title (worst->less);
      g_autofree char *percent = dyno_unit_format_percent (100 * get_excess (worst));

      self->text =
          self->outcome == DYNO_CHECK_FAIL
              /* Translators: two roofs, such as “L2 read with 2 threads” */
              ? g_strdup_printf (_ ("%s is %s %% above %s."), less, percent, more)
              : g_strdup_printf (_ ("%s is %s %% above %s, but the machine is too disturbed to tell."), less,
                                 percent, more);
    }
  else
    self->text = g_strdup_printf (ngettext ("%u pair of roofs is in its order.",
                                            "All %u pairs of roofs are in their order.", orders->len),
                                  orders->len);
  return self;
}

static void
add_order (GArray *orders, DynoCeiling *more, DynoCeiling *less)
{
  const Order order = { more, less };

  if (more != NULL && less != NULL)
    g_array_append_val (orders, order);
}

DynoCheck *
dyno_check_new_levels (GPtrArray *ceilings)
{
  static const char *const levels[] = { "l1-read", "l2-read", "l3-read", "dram-read" };
  g_autoptr (GArray) orders = g_array_new (FALSE, FALSE, sizeof (Order));

  for (guint i = 0; i < ceilings->len; i++)
    for (guint level = 0; level + 1 < G_N_ELEMENTS (levels); level++)
      {
        DynoCeiling *inner = ceilings->pdata[i];
        DynoCeiling *outer = NULL;

        /* A machine may lack a level. */
        for (guint other = level + 1; outer == NULL && other < G_N_ELEMENTS (levels); other++)
          outer = dyno_ceilings_find (ceilings, levels[other], dyno_ceiling_get_threads (inner));
        if (g_str_equal (dyno_ceiling_get_id (inner), levels[level]))
          add_order (orders, inner, outer);
      }
  return judge_orders ("levels", _ ("Memory levels"), orders,
                       _ ("Fewer than two levels of the memory were measured."));
}

DynoCheck *
dyno_check_new_threads (GPtrArray *ceilings)
{
  g_autoptr (GArray) orders = g_array_new (FALSE, FALSE, sizeof (Order));

  for (guint i = 0; i < ceilings->len; i++)
    {
      DynoCeiling *ceiling = ceilings->pdata[i];

      if (dyno_ceiling_get_threads (ceiling) > 1 && dyno_ceiling_get_kind (ceiling) != DYNO_CEILING_LATENCY)
        add_order (orders, ceiling, dyno_ceilings_find (ceilings, dyno_ceiling_get_id (ceiling), 1));
    }
  return judge_orders ("threads", _ ("Threads"), orders, _ ("This machine runs one thread at a time."));
}

/* Sensors */

DynoCheck *
dyno_check_new_sensors (DynoResult *result, gboolean has_two)
{
  const char *problem = dyno_result_find_message (result, "energy-counter");
  const char *title = _ ("Sensors");

  if (!has_two)
    return dyno_check_new ("sensors", title, DYNO_CHECK_ABSENT,
                           g_strdup (_ ("No part of this machine has two sensors of its power.")));
  if (problem != NULL)
    return dyno_check_new ("sensors", title, DYNO_CHECK_WARN, g_strdup (problem));
  return dyno_check_new ("sensors", title, DYNO_CHECK_PASS,
                         g_strdup (_ ("The counter of energy and the readings of power agree within 5 %.")));
}
