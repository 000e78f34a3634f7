/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-latency-interval.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"

/* How the number of a case is computed from those of its invocations. A rate is the work of all over the time
 * of all. Every step of a case does the same work, so rates are weighted by the time of their steps. */
typedef enum
{
  MEDIAN,
  SUM,
  MEAN,
  LARGEST,
  SMALLEST,
  RATE,
} Rule;

static const struct
{
  const char *name;
  Rule rule;
} rules[] = {
  { "latency_samples", SUM },
  { "latency_effective_samples", SUM },
  { "latency_batched_steps", LARGEST },
  { "throughput_items_per_sec", RATE },
  { "throughput_tokens_per_sec", RATE },
  { "audio_seconds_per_sec", RATE },
  { "prefill_tokens_per_sec", RATE },
  { "decode_tokens_per_sec", RATE },
  { "avg_bandwidth_gbps", RATE },
  { "peak_bandwidth_gbps", LARGEST },
  { "memory_peak_mb", LARGEST },
  { "device_memory_peak_mb", LARGEST },
  { "device_memory_global_peak_mb", LARGEST },
  { "temperature_max_celsius", LARGEST },
  { "clock_min_mhz", SMALLEST },
  { "throttled_periods", SUM },
  { "throttled_ms", SUM },
  { "cpu_pressure_ms", SUM },
  { "memory_pressure_ms", SUM },
  { "io_pressure_ms", SUM },
  { "group_cpu_pressure_ms", SUM },
  { "group_memory_pressure_ms", SUM },
  { "group_io_pressure_ms", SUM },
  { "voluntary_switches", SUM },
  { "involuntary_switches", SUM },
  { "steal_percent", LARGEST },
  { "others_load_processors", LARGEST },
  { "undisturbed_percent", MEAN },
  { "queue_delay_percent", MEAN },
  { "disturbed_by_queue_percent", MEAN },
  { "disturbed_by_others_percent", MEAN },
  { "disturbed_by_clock_percent", MEAN },
  { "disturbed_by_limit_percent", MEAN },
  { "disturbed_by_steal_percent", MEAN },
};

static const char *const rule_names[] = {
  [MEDIAN] = "median",   [SUM] = "sum",           [MEAN] = "mean",
  [LARGEST] = "largest", [SMALLEST] = "smallest", [RATE] = "mean by time",
};

/* The inputs of a case: its invocations that did not fail, and their steady samples, sorted together. */
typedef struct
{
  DynoResult *result;
  GPtrArray *parts;
  GArray *samples;
  GArray *undisturbed; /* likewise those of undisturbed windows; NULL if too few processes have any */
  gboolean unsteady;
} Join;

static DynoValue *
find_value (const DynoInvocation *part, const char *name)
{
  for (guint i = 0; i < part->values->len; i++)
    if (g_str_equal (dyno_value_get_name (part->values->pdata[i]), name))
      return part->values->pdata[i];
  return NULL;
}

static guint
count_diagnostics (const Join *join, const char *code)
{
  guint n = 0;

  for (guint i = 0; i < join->parts->len; i++)
    n += dyno_diagnostic_find (((const DynoInvocation *)join->parts->pdata[i])->diagnostics, code) != NULL;
  return n;
}

static gboolean
is_most (const Join *join, guint n)
{
  return 2 * n >= join->parts->len;
}

static Rule
find_rule (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (rules); i++)
    if (g_str_equal (rules[i].name, name))
      return rules[i].rule;
  return MEDIAN;
}

static double
join_rates (const Join *join, const char *name)
{
  double steps = 0, time = 0;

  for (guint i = 0; i < join->parts->len; i++)
    {
      double rate = dyno_invocation_get_number (join->parts->pdata[i], name);
      double n = dyno_invocation_get_number (join->parts->pdata[i], "latency_samples") *
                 dyno_invocation_get_number (join->parts->pdata[i], "latency_batched_steps");

      if (!(rate > 0 && n > 0))
        continue;
      steps += n;
      time += n / rate;
    }
  return steps / time;
}

static double
join_numbers (const Join *join, const char *name, Rule rule, double *sorted, gsize n)
{
  double sum = 0;

  dyno_stats_sort (sorted, n);
  switch (rule)
    {
    case SUM:
      for (gsize i = 0; i < n; i++)
        sum += sorted[i];
      return sum;
    case MEAN:
      return dyno_stats_mean (sorted, n);
    case LARGEST:
      return sorted[n - 1];
    case SMALLEST:
      return sorted[0];
    case RATE:
      return join_rates (join, name);
    case MEDIAN:
    default:
      return dyno_stats_percentile (sorted, n, 50);
    }
}

static gboolean
is_unsteady (const Join *join, const char *name)
{
  for (guint i = 0; i < join->parts->len; i++)
    {
      DynoValue *value = find_value (join->parts->pdata[i], name);

      if (value != NULL && dyno_value_get_quality (value) == DYNO_QUALITY_UNSTEADY)
        return TRUE;
    }
  return FALSE;
}

static void
take (const Join *join, DynoValue *like, double number, const char *how)
{
  const char *name = dyno_value_get_name (like);
  const char *of = dyno_value_get_source (like);
  g_autofree char *source = of != NULL ? g_strdup_printf ("%s; %s", of, how) : g_strdup (how);
  DynoQuality quality = dyno_value_get_quality (like);

  /* The case is steady or unsteady as a whole. A single process that never became steady is a diagnostic. */
  if (join->unsteady && is_unsteady (join, dyno_result_get_percentile (name) > 0 ? "latency_p50_ms" : name))
    quality = DYNO_QUALITY_UNSTEADY;
  else if (quality == DYNO_QUALITY_UNSTEADY)
    quality = DYNO_QUALITY_MEASURED;
  dyno_result_take_value (join->result,
                          dyno_value_new (name, number, dyno_value_get_unit (like), quality, source));
}

/* Returns the time on which a rate of the analysis is based. */
static const char *
get_time (const char *rate)
{
  static const char *const times[][2] = {
    { "flops_per_sec", "latency_p50_ms" },
    { "prefill_flops_per_sec", "first_token_latency_ms" },
    { "decode_flops_per_sec", "inter_token_latency_ms" },
    { "avg_bandwidth_gbps", "latency_mean_ms" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    if (g_str_equal (times[i][0], rate))
      return times[i][1];
  return NULL;
}

static double
describe_samples (const char *name, const double *sorted, gsize n)
{
  if (g_str_equal (name, "latency_mean_ms"))
    return dyno_stats_mean (sorted, n);
  if (g_str_equal (name, "latency_stddev_ms"))
    return dyno_stats_standard_deviation (sorted, n);
  if (g_str_equal (name, "latency_min_ms"))
    return sorted[0];
  if (g_str_equal (name, "latency_max_ms"))
    return sorted[n - 1];
  if (g_str_equal (name, "latency_all_p50_ms"))
    return dyno_stats_percentile (sorted, n, 50);
  if (dyno_result_get_percentile (name) > 0)
    return dyno_stats_percentile (sorted, n, dyno_result_get_percentile (name));
  return NAN;
}

/* Samples of one process are correlated, those of different processes are not. */
static double
count_effective (const Join *join)
{
  double n_effective = 0;

  for (guint i = 0; i < join->parts->len; i++)
    {
      const DynoInvocation *part = join->parts->pdata[i];
      double n = dyno_invocation_get_number (part, "latency_effective_samples");

      n_effective += isfinite (n) ? n : (double)dyno_result_get_steady (join->result, part->number).n;
    }
  return n_effective;
}

/* Statistics of the latency are those of the steady samples of all invocations. */
static gboolean
join_latency (const Join *join, DynoValue *like)
{
  const char *name = dyno_value_get_name (like);
  gboolean is_median = g_str_equal (name, "latency_p50_ms");
  const GArray *samples = is_median && join->undisturbed != NULL ? join->undisturbed : join->samples;
  gsize n = samples->len;
  double number = n > 0 ? describe_samples (name, (const double *)(gpointer)samples->data, n) : NAN;
  double percent = dyno_result_get_percentile (name);
  g_autofree char *how = g_strdup_printf ("samples of %u processes", join->parts->len);
  gsize n_effective = percent > 50 ? (gsize)count_effective (join) : n;
  g_autofree char *reason = NULL;

  if (!isfinite (number))
    return FALSE;
  if (percent <= 50 || dyno_stats_percentile_is_supported (n_effective, percent))
    {
      take (join, like, number, how);
      return TRUE;
    }
  reason = g_strdup_printf (
      _ ("This percentile needs %zu independent samples; the %zu samples of its processes count as %zu."),
      dyno_stats_percentile_min_samples (percent), n, n_effective);
  dyno_result_take_value (join->result,
                          dyno_value_new_unsupported (name, dyno_value_get_unit (like), reason));
  return TRUE;
}

/* Returns the value whose unit and source to copy: one that has a number, or a percentile that may have one
 * now; a median of the same kind of steps as that of the case. */
static DynoValue *
choose_like (const Join *join, const char *name, guint *n_numbers)
{
  gboolean is_median = g_str_equal (name, "latency_p50_ms");
  DynoValue *like = NULL;

  *n_numbers = 0;
  for (guint i = 0; i < join->parts->len; i++)
    {
      DynoValue *value = find_value (join->parts->pdata[i], name);

      if (value == NULL ||
          (is_median && isfinite (dyno_invocation_get_number (join->parts->pdata[i], "latency_all_p50_ms")) !=
                            (join->undisturbed != NULL)))
        continue;
      if (like == NULL || (*n_numbers == 0 && dyno_value_is_number (value)))
        like = value;
      *n_numbers += dyno_value_is_number (value);
    }
  return like;
}

/* Only the first invocation was analysed: its value is scaled with the case's time if it is based on that
 * time. */
static void
join_single (const Join *join, const char *name)
{
  const char *time = get_time (name);

  for (guint i = 0; i < join->parts->len; i++)
    {
      const DynoInvocation *part = join->parts->pdata[i];
      DynoValue *value = find_value (part, name);
      g_autofree char *how = g_strdup_printf ("process %u of %u", part->number + 1, join->parts->len);
      double number;

      if (value == NULL || !dyno_value_is_number (value))
        continue;
      number = dyno_value_get_number (value);
      if (time != NULL)
        number =
            number * dyno_invocation_get_number (part, time) / dyno_result_get_number (join->result, time);
      take (join, value, number, how);
    }
}

static void
join_value (const Join *join, const char *name)
{
  guint n_numbers, n_medians;
  DynoValue *like = choose_like (join, name, &n_numbers);
  DynoValue *latency = n_numbers == 0 && dyno_result_get_percentile (name) > 50
                           ? choose_like (join, "latency_p50_ms", &n_medians)
                           : NULL;
  g_autoptr (DynoValue) percentile = NULL;

  if (join->parts->len == 1)
    {
      dyno_result_take_value (join->result, dyno_value_ref (like));
      return;
    }
  if (g_str_equal (name, "latency_all_p50_ms") && join->undisturbed == NULL)
    return;
  if (latency != NULL && dyno_value_is_number (latency))
    percentile = dyno_value_new (name, 0, dyno_value_get_unit (latency), dyno_value_get_quality (latency),
                                 dyno_value_get_source (latency));
  if ((n_numbers > 0 || percentile != NULL) && join_latency (join, percentile != NULL ? percentile : like))
    return;
  if (n_numbers == 0)
    dyno_result_take_value (join->result, dyno_value_ref (like));
  else if (n_numbers == 1)
    join_single (join, name);
  else
    {
      Rule rule = find_rule (name);
      guint n;
      g_autofree double *numbers = dyno_result_dup_invocation_numbers (join->result, name, &n);
      g_autofree char *how = g_strdup_printf ("%s of %u processes", rule_names[rule], n);

      take (join, like, join_numbers (join, name, rule, numbers, n), how);
    }
}

/* Only the first process is analysed, measures energy and looks at the idle machine, so the others' silence means
 * nothing. */
static gboolean
is_of_first (const char *code)
{
  static const char *const codes[] = {
    "activations-batch",
    "activations-infinite",
    "activations-subnormal",
    "activations-unchecked",
    "activations-zero",
    "declared-shape",
    "dyno-build",
    "empty-output",
    "energy-counter",
    "energy-quantised",
    "engine-default",
    "engine-library",
    "engine-version",
    "fallback",
    "idle-power",
    "machine-load",
    "no-analysis",
    "other-sizes",
    "unknown-operators",
    "untimed-operators",
    DYNO_RESULT_NOT_ANALYSED,
    NULL,
  };

  return g_strv_contains (codes, code);
}

/* A message that all processes share appears once; else the first one appears with the number of processes. */
static char *
join_messages (const Join *join, const char *code, guint n)
{
  const char *first = NULL;
  gboolean same = TRUE;

  for (guint i = 0; i < join->parts->len; i++)
    {
      DynoDiagnostic *diagnostic =
          dyno_diagnostic_find (((const DynoInvocation *)join->parts->pdata[i])->diagnostics, code);
      const char *message = diagnostic != NULL ? dyno_diagnostic_get_message (diagnostic) : NULL;

      if (first == NULL)
        first = message;
      same = same && (message == NULL || g_str_equal (message, first));
    }
  if ((same && n == join->parts->len) || (n == 1 && is_of_first (code)))
    return g_strdup (first);
  if (same || n == 1)
    return g_strdup_printf (_ ("%s (%u of %u processes)"), first, n, join->parts->len);
  return g_strdup_printf (_ ("%s (%u of %u processes; the numbers are those of the first)"), first, n,
                          join->parts->len);
}

static void
join_diagnostic (const Join *join, const char *code)
{
  guint n = count_diagnostics (join, code);
  g_autofree char *message = join_messages (join, code, n);

  if (g_str_equal (code, "no-steady-state") && !join->unsteady)
    {
      g_autofree char *text = g_strdup_printf (
          ngettext ("The latency of %u process of %u never became steady: its whole measurement counts.",
                    "The latency of %u processes of %u never became steady: their whole measurements count.",
                    n),
          n, join->parts->len);

      dyno_result_take_diagnostic (join->result,
                                   dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "unsteady-processes", text));
    }
  else
    {
      gboolean is_minor = g_str_equal (code, "interval-not-reached") && !is_most (join, n);
      DynoSeverity worst = DYNO_SEVERITY_INFO;

      for (guint i = 0; !is_minor && i < join->parts->len; i++)
        {
          DynoDiagnostic *diagnostic =
              dyno_diagnostic_find (((const DynoInvocation *)join->parts->pdata[i])->diagnostics, code);

          if (diagnostic != NULL)
            worst = MAX (worst, dyno_diagnostic_get_severity (diagnostic));
        }
      dyno_result_take_diagnostic (join->result, dyno_diagnostic_new (worst, code, message));
    }
}

static void
join_diagnostics (const Join *join)
{
  g_autoptr (GHashTable) codes = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < join->parts->len; i++)
    {
      const DynoInvocation *part = join->parts->pdata[i];

      for (guint j = 0; j < part->diagnostics->len; j++)
        {
          const char *code = dyno_diagnostic_get_code (part->diagnostics->pdata[j]);

          if (g_hash_table_add (codes, (gpointer)code))
            join_diagnostic (join, code);
        }
    }
}

/* Undisturbed samples represent the case if as many processes have them as an interval needs, or all of fewer. */
static GArray *
pool_undisturbed (const Join *join)
{
  g_autoptr (GArray) pooled = g_array_new (FALSE, FALSE, sizeof (double));
  guint n = 0;

  for (guint i = 0; i < join->parts->len; i++)
    {
      const DynoInvocation *part = join->parts->pdata[i];
      g_autoptr (GArray) values = dyno_result_dup_undisturbed (join->result, part->number);

      if (values == NULL)
        continue;
      g_array_append_vals (pooled, values->data, values->len);
      n++;
    }
  if (n == 0 || n < MIN (join->parts->len, DYNO_INTERVAL_MIN_PROCESSES))
    return NULL;
  dyno_stats_sort ((double *)(void *)pooled->data, pooled->len);
  return g_steal_pointer (&pooled);
}

/* Returns the invocations that did not fail. */
static GPtrArray *
list_good_parts (DynoResult *result)
{
  GPtrArray *invocations = dyno_result_get_invocations (result);
  GPtrArray *parts = g_ptr_array_new ();

  for (guint i = 0; i < invocations->len; i++)
    if (((DynoInvocation *)invocations->pdata[i])->failure == NULL)
      g_ptr_array_add (parts, invocations->pdata[i]);
  return parts;
}

/* Rebuilds the values and the diagnostics of the case from those of its invocations. */
static void
sum_up (DynoResult *result)
{
  g_autoptr (GPtrArray) parts = list_good_parts (result);
  g_autoptr (GArray) groups = dyno_result_list_steady (result);
  g_autoptr (GArray) samples = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < groups->len; i++)
    {
      const DynoSample *group = &g_array_index (groups, DynoSample, i);

      g_array_append_vals (samples, group->values, (guint)group->n);
    }
  dyno_stats_sort ((double *)(void *)samples->data, samples->len);

  g_autoptr (GArray) undisturbed = NULL;
  Join join = { result, parts, samples, NULL, FALSE };
  join.undisturbed = undisturbed = pool_undisturbed (&join);
  join.unsteady = is_most (&join, count_diagnostics (&join, "no-steady-state"));
  g_ptr_array_set_size (dyno_result_get_values (result), 0);
  g_ptr_array_set_size (dyno_result_get_diagnostics (result), 0);

  /* Keeps the order of the first invocation, and appends values that only later ones have. */
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < join.parts->len; i++)
    {
      const DynoInvocation *part = join.parts->pdata[i];
      for (guint j = 0; j < part->values->len; j++)
        {
          const char *name = dyno_value_get_name (part->values->pdata[j]);

          if (g_hash_table_add (names, (gpointer)name))
            join_value (&join, name);
        }
    }

  join_diagnostics (&join);
  dyno_latency_interval_complete (result);
  dyno_result_judge_invocations (result, FALSE);
}

static void
absorb_part (DynoResult *joined, guint number, DynoResult *part)
{
  DynoInvocation *invocation = dyno_invocation_new (number, NULL);
  GPtrArray *traces = dyno_result_get_traces (part);

  for (guint i = 0; i < traces->len; i++)
    dyno_trace_set_invocation (traces->pdata[i], number);

  GPtrArray *values = dyno_result_get_values (part);

  for (guint i = 0; i < values->len; i++)
    g_ptr_array_add (invocation->values, dyno_value_ref (values->pdata[i]));

  GPtrArray *diagnostics = dyno_result_get_diagnostics (part);

  for (guint i = 0; i < diagnostics->len; i++)
    g_ptr_array_add (invocation->diagnostics, dyno_diagnostic_ref (diagnostics->pdata[i]));

  dyno_result_absorb (joined, part);
  dyno_result_take_invocation (joined, invocation);
}

DynoResult *
dyno_result_dup (DynoResult *self)
{
  DynoResult *twin;

  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);

  twin = dyno_result_new (dyno_result_get_case (self), dyno_result_get_ordinal (self));
  dyno_result_absorb (twin, self);
  return twin;
}

DynoResult *
dyno_result_join (DynoResult *self, guint number, DynoResult *part)
{
  DynoResult *joined;

  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);
  g_return_val_if_fail (DYNO_IS_RESULT (part), NULL);

  joined = dyno_result_dup (self);
  absorb_part (joined, number, part);
  sum_up (joined);
  return joined;
}

DynoResult *
dyno_result_join_all (DynoResult *self, GPtrArray *parts)
{
  DynoResult *joined = dyno_result_dup (self);

  for (guint i = 0; i < parts->len; i++)
    absorb_part (joined, i, parts->pdata[i]);
  sum_up (joined);
  return joined;
}

static DynoInvocation *
get_first (DynoResult *self)
{
  GPtrArray *invocations = dyno_result_get_invocations (self);

  return invocations->len > 0 ? invocations->pdata[0] : NULL;
}

DynoResult *
dyno_result_dup_first (DynoResult *self)
{
  const DynoInvocation *first = get_first (self);
  DynoDiagnostic *model = dyno_diagnostic_find (dyno_result_get_diagnostics (self), "model");
  DynoResult *result = dyno_result_new (dyno_result_get_case (self), dyno_result_get_ordinal (self));

  g_return_val_if_fail (first != NULL, result);

  for (guint i = 0; i < first->values->len; i++)
    dyno_result_take_value (result, dyno_value_ref (first->values->pdata[i]));
  if (model != NULL)
    dyno_result_take_diagnostic (result, dyno_diagnostic_ref (model));
  dyno_result_set_status (result, DYNO_STATUS_OK, NULL);
  return result;
}

static void
add_diagnostics (GPtrArray *known, GPtrArray *diagnostics)
{
  for (guint i = 0; i < diagnostics->len; i++)
    if (dyno_diagnostic_find (known, dyno_diagnostic_get_code (diagnostics->pdata[i])) == NULL)
      g_ptr_array_add (known, dyno_diagnostic_ref (diagnostics->pdata[i]));
}

/* Joins only the values of the analysis: a result from a store does not say which process had which diagnostic. */
static void
join_analysed_values (DynoResult *joined, GPtrArray *values)
{
  g_autoptr (GPtrArray) parts = list_good_parts (joined);
  g_autoptr (GArray) no_samples = g_array_new (FALSE, FALSE, sizeof (double));
  DynoValue *median = dyno_result_get_value (joined, "latency_p50_ms");
  const Join join = { joined, parts, no_samples, NULL,
                      median != NULL && dyno_value_get_quality (median) == DYNO_QUALITY_UNSTEADY };

  for (guint i = 0; i < values->len; i++)
    {
      const char *name = dyno_value_get_name (values->pdata[i]);
      DynoValue *earlier = dyno_result_get_value (joined, name);

      if (earlier != NULL)
        g_ptr_array_remove (dyno_result_get_values (joined), earlier);
      join_value (&join, name);
    }
}

DynoResult *
dyno_result_join_analysis (DynoResult *self, DynoResult *analysis)
{
  DynoResult *joined = dyno_result_dup (self);
  GPtrArray *operators = dyno_result_get_operators (analysis);
  DynoDiagnostic *missing =
      dyno_diagnostic_find (dyno_result_get_diagnostics (joined), DYNO_RESULT_NOT_ANALYSED);
  DynoInvocation *first;

  g_return_val_if_fail (get_first (self) != NULL, joined);

  /* Invocations do not change once they are part of a result, so the first one is replaced. */
  const DynoInvocation *before = get_first (joined);
  first = dyno_invocation_new (before->number, NULL);

  for (guint i = 0; i < before->values->len; i++)
    g_ptr_array_add (first->values, dyno_value_ref (before->values->pdata[i]));
  for (guint i = 0; i < before->diagnostics->len; i++)
    if (!g_str_equal (dyno_diagnostic_get_code (before->diagnostics->pdata[i]), DYNO_RESULT_NOT_ANALYSED))
      g_ptr_array_add (first->diagnostics, dyno_diagnostic_ref (before->diagnostics->pdata[i]));
  g_ptr_array_remove_index (dyno_result_get_invocations (joined), 0);
  g_ptr_array_insert (dyno_result_get_invocations (joined), 0, first);

  /* An analysis may know a number where the measurement had only a reason why it has none. */
  GPtrArray *values = dyno_result_get_values (analysis);
  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *earlier = find_value (first, dyno_value_get_name (values->pdata[i]));
      if (earlier != NULL)
        g_ptr_array_remove (first->values, earlier);
      g_ptr_array_add (first->values, dyno_value_ref (values->pdata[i]));
    }

  add_diagnostics (first->diagnostics, dyno_result_get_diagnostics (analysis));
  for (guint i = 0; i < operators->len; i++)
    dyno_result_take_operator (joined, g_object_ref (operators->pdata[i]));
  join_analysed_values (joined, dyno_result_get_values (analysis));
  if (missing != NULL)
    g_ptr_array_remove (dyno_result_get_diagnostics (joined), missing);
  add_diagnostics (dyno_result_get_diagnostics (joined), dyno_result_get_diagnostics (analysis));
  return joined;
}

DynoResult *
dyno_result_join_failure (DynoResult *self, guint number, const char *reason)
{
  DynoResult *joined;

  g_return_val_if_fail (DYNO_IS_RESULT (self), NULL);
  g_return_val_if_fail (reason != NULL, NULL);

  joined = dyno_result_dup (self);
  dyno_result_take_invocation (joined, dyno_invocation_new (number, reason));
  dyno_result_judge_invocations (joined, FALSE);
  return joined;
}

static guint
count_asked (DynoResult *self)
{
  return dyno_method_get_invocations (dyno_case_get_method (dyno_result_get_case (self)));
}

gboolean
dyno_result_is_complete (DynoResult *self)
{
  GPtrArray *invocations = dyno_result_get_invocations (self);

  return invocations->len == 0 || invocations->len >= count_asked (self) ||
         ((DynoInvocation *)invocations->pdata[invocations->len - 1])->failure != NULL;
}

gboolean
dyno_result_lacks_analysis (DynoResult *self)
{
  return dyno_result_get_status (self) == DYNO_STATUS_OK && dyno_result_is_complete (self) &&
         dyno_result_find_message (self, DYNO_RESULT_NOT_ANALYSED) != NULL;
}

gboolean
dyno_result_is_about_invocations (const char *code)
{
  return g_str_equal (code, "invocation-failed") || g_str_equal (code, "invocations-missing");
}

void
dyno_result_judge_invocations (DynoResult *self, gboolean is_over)
{
  GPtrArray *diagnostics, *invocations;

  g_return_if_fail (DYNO_IS_RESULT (self));

  diagnostics = dyno_result_get_diagnostics (self);
  invocations = dyno_result_get_invocations (self);
  for (guint i = diagnostics->len; i > 0; i--)
    if (dyno_result_is_about_invocations (dyno_diagnostic_get_code (diagnostics->pdata[i - 1])))
      g_ptr_array_remove_index (diagnostics, i - 1);
  for (guint i = 0; i < invocations->len; i++)
    {
      const DynoInvocation *invocation = invocations->pdata[i];
      g_autofree char *message = NULL;

      if (invocation->failure == NULL)
        continue;
      message = g_strdup_printf (_ ("Process %u of %u failed, and the numbers are those of the others: %s"),
                                 invocation->number + 1, count_asked (self), invocation->failure);
      dyno_result_take_diagnostic (self,
                                   dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "invocation-failed", message));
    }
  if (is_over && !dyno_result_is_complete (self))
    {
      g_autofree char *message =
          g_strdup_printf (_ ("The case was stopped after %u of %u processes. Run it again to measure all."),
                           dyno_result_get_invocations (self)->len, count_asked (self));

      dyno_result_take_diagnostic (
          self, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, "invocations-missing", message));
    }
}
