/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-bootstrap.h"
#include "dyno-latency-interval.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"

#define LOW  "latency_median_low_ms"
#define HIGH "latency_median_high_ms"

/* The same samples always give the same interval. */
#define SEED 1

DynoIntervalKind
dyno_latency_interval_get_kind (DynoResult *result)
{
  guint n = dyno_result_get_n_invocations (result);

  if (n >= DYNO_INTERVAL_MIN_PROCESSES)
    return DYNO_INTERVAL_BETWEEN_PROCESSES;
  return n > 1 ? DYNO_INTERVAL_RANGE : DYNO_INTERVAL_WITHIN_PROCESS;
}

const char *
dyno_latency_interval_kind_to_string (DynoIntervalKind kind)
{
  static const char *const names[] = {
    [DYNO_INTERVAL_WITHIN_PROCESS] = "within-process",
    [DYNO_INTERVAL_RANGE] = "range",
    [DYNO_INTERVAL_BETWEEN_PROCESSES] = "between-processes",
  };

  g_return_val_if_fail (kind < G_N_ELEMENTS (names), NULL);
  return names[kind];
}

char *
dyno_latency_interval_dup_words (DynoResult *result)
{
  guint n = dyno_result_get_n_invocations (result);

  switch (dyno_latency_interval_get_kind (result))
    {
    case DYNO_INTERVAL_BETWEEN_PROCESSES:
      /* Translators: there are five processes or more */
      return g_strdup_printf (_ ("95 %% interval of the median over %u processes"), n);
    case DYNO_INTERVAL_RANGE:
      /* Translators: from the lowest to the highest; there are two processes or more */
      return g_strdup_printf (_ ("range of the medians of %u processes"), n);
    case DYNO_INTERVAL_WITHIN_PROCESS:
    default:
      return g_strdup (/* xgettext:no-c-format */ _ ("95 % interval of the median, within this process"));
    }
}

static gboolean
has_interval (DynoResult *result)
{
  return isfinite (dyno_result_get_number (result, LOW)) && isfinite (dyno_result_get_number (result, HIGH));
}

const char *
dyno_latency_interval_get_heading (GPtrArray *results, gboolean is_high)
{
  guint n = 0, n_ranges = 0;

  for (guint i = 0; i < results->len; i++)
    if (has_interval (results->pdata[i]))
      {
        n++;
        n_ranges += dyno_latency_interval_get_kind (results->pdata[i]) == DYNO_INTERVAL_RANGE;
      }
  if (n_ranges == 0)
    return is_high ? _ ("95 % interval to") : _ ("95 % interval from");
  if (n_ranges == n)
    return is_high ? _ ("Range to") : _ ("Range from");
  return is_high ? /* xgettext:no-c-format */ _ ("95 % interval or range to")
                 : /* xgettext:no-c-format */ _ ("95 % interval or range from");
}

static char *
dup_common_kind (GPtrArray *results)
{
  g_autofree char *common = NULL;

  for (guint i = 0; i < results->len; i++)
    {
      g_autofree char *words =
          has_interval (results->pdata[i]) ? dyno_latency_interval_dup_words (results->pdata[i]) : NULL;

      if (common == NULL)
        common = g_steal_pointer (&words);
      else if (words != NULL && !g_str_equal (common, words))
        return g_strdup (
            /* xgettext:no-c-format */ _ (
                "95 % interval of the median over processes; range of fewer than five; within the process "
                "of a single one"));
    }
  return common != NULL ? g_steal_pointer (&common)
                        : g_strdup (/* xgettext:no-c-format */ _ ("95 % interval of the median"));
}

/* Returns the part of the time that the medians are of, such as “61” or “61 to 93”, in per cent; NULL if it is all.
 * @n (out): the number of results with a median of undisturbed time. */
static char *
dup_undisturbed (GPtrArray *results, guint *n)
{
  double least = 100, most = 0;

  *n = 0;
  for (guint i = 0; i < results->len; i++)
    if (dyno_result_is_undisturbed (results->pdata[i]))
      {
        double percent = dyno_result_get_number (results->pdata[i], "undisturbed_percent");

        (*n)++;
        least = fmin (least, percent);
        most = fmax (most, percent);
      }
  if (*n == 0 || round (least) >= 100)
    return NULL;
  if (round (least) == round (most))
    return g_strdup_printf ("%.0f", least);
  /* Translators: from one to another per cent */
  return g_strdup_printf (_ ("%.0f to %.0f"), least, most);
}

char *
dyno_latency_interval_dup_common_words (GPtrArray *results)
{
  g_autofree char *kind = dup_common_kind (results);
  guint n;
  g_autofree char *percent = dup_undisturbed (results, &n);

  if (percent == NULL)
    return g_steal_pointer (&kind);
  if (n < results->len)
    /* Translators: “95 % interval of the median, of some cases in the undisturbed 61 to 93 % of the time” */
    return g_strdup_printf (_ ("%s, of some cases in the undisturbed %s %% of the time"), kind, percent);
  /* Translators: “95 % interval of the median, in the undisturbed 61 % of the time” */
  return g_strdup_printf (_ ("%s, in the undisturbed %s %% of the time"), kind, percent);
}

static void
replace (DynoResult *result, DynoValue *value)
{
  GPtrArray *values = dyno_result_get_values (result);

  for (guint i = 0; i < values->len; i++)
    if (g_str_equal (dyno_value_get_name (values->pdata[i]), dyno_value_get_name (value)))
      {
        dyno_value_unref (values->pdata[i]);
        values->pdata[i] = value;
        return;
      }
  g_ptr_array_add (values, value);
}

/* The ends of an imported median are imported as well. */
static void
set_ends (DynoResult *result, double low, double high, const char *source)
{
  DynoValue *median = dyno_result_get_value (result, "latency_p50_ms");
  gboolean is_imported = median != NULL && dyno_value_get_quality (median) == DYNO_QUALITY_IMPORTED;
  DynoQuality quality = is_imported ? DYNO_QUALITY_IMPORTED : DYNO_QUALITY_MEASURED;

  replace (result, dyno_value_new (LOW, low, "ms", quality, source));
  replace (result, dyno_value_new (HIGH, high, "ms", quality, source));
}

static void
refuse (DynoResult *result, const char *reason)
{
  replace (result, dyno_value_new_unsupported (LOW, "ms", reason));
  replace (result, dyno_value_new_unsupported (HIGH, "ms", reason));
}

void
dyno_latency_interval_complete (DynoResult *result)
{
  DynoIntervalKind kind = dyno_latency_interval_get_kind (result);

  if (kind == DYNO_INTERVAL_WITHIN_PROCESS)
    return;
  if (dyno_result_get_state (result) == DYNO_CASE_STATE_UNSTEADY)
    refuse (result, _ ("The latency never became steady, so there is no interval."));
  else if (kind == DYNO_INTERVAL_RANGE)
    {
      guint n;
      g_autofree double *medians = dyno_result_dup_process_medians (result, &n);
      g_autofree char *source = g_strdup_printf ("range of the medians of %u processes", n);

      if (n != 0)
        {
          dyno_stats_sort (medians, n);
          if (n > 1)
            set_ends (result, medians[0], medians[n - 1], source);
          else
            refuse (result, _ ("Only one of its processes has a steady median, so there is no range."));
        }
    }
  else
    {
      g_autoptr (GPtrArray) samples = dyno_result_list_median_samples (result);
      g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (DynoSample));
      g_autoptr (DynoBootstrap) bootstrap = NULL;
      g_autofree char *source = NULL;
      DynoInterval interval;

      for (guint i = 0; i < samples->len; i++)
        {
          const GArray *values = samples->pdata[i];
          DynoSample group = { (const double *)(gpointer)values->data, values->len };

          g_array_append_val (groups, group);
        }
      if (groups->len >= DYNO_INTERVAL_MIN_PROCESSES)
        {
          source = g_strdup_printf ("95 %% interval over %u processes, hierarchical bootstrap", groups->len);
          bootstrap = dyno_bootstrap_new_median ((const DynoSample *)(void *)groups->data, groups->len, SEED);
          dyno_bootstrap_get_interval (bootstrap, 0.95, &interval);
          set_ends (result, interval.low, interval.high, source);
        }
    }
}

void
dyno_latency_interval_complete_run (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (dyno_case_state_has_numbers (dyno_result_get_state (result)))
        dyno_latency_interval_complete (result);
    }
}
