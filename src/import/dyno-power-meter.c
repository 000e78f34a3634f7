/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-energy-trace.h"
#include "dyno-error.h"
#include "dyno-power-meter.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)

/* Steps that follow each other closer than that are one stretch. */
#define PAUSE_NS (NS_PER_SECOND / 1000)

/* Where the meter said nothing for so many of its periods, its readings do not hold. */
#define MAX_MISSED_PERIODS 5

/* Diagnostics of readings that may be of something else, and of those that are rare. */
#define COLUMNS_GUESSED "power-columns-guessed"
#define QUANTISED       "power-meter-quantised"

/* Beyond that the time between two readings is worth a warning, in per cent of the energy. */
#define MAX_EDGE_PERCENT 5

/* What the readings of a meter are in an invocation. */
typedef struct
{
  DynoResult *result;
  DynoInvocation *invocation;
  DynoTrace *power; /* on the axis of the invocation’s traces */
  GArray *stretches;
  double period; /* of the meter, in s */
  gboolean is_bill;
  double n_steps;
  DynoEnergy energy;
  double seconds;
  double joules;
} Reading;

/* What a case is charged with where no sensor of its own told. */
static const struct
{
  const char *name;
  const char *unit;
} billed[] = {
  { "power_avg_watts", "W" },         { "energy_joules", "J" },           { "energy_per_item_joules", "J" },
  { "energy_per_token_joules", "J" }, { "throughput_per_watt", "1/s/W" },
};

static void
reading_clear (Reading *self)
{
  g_clear_object (&self->power);
  g_clear_pointer (&self->stretches, g_array_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reading, reading_clear)

/* When the zero of the invocation’s traces was, in ns since 1970, as the clock of the wall was set at @time. */
static gint64
find_zero (DynoTrace *clock, gint64 time)
{
  const gint64 *times = dyno_trace_get_times (clock);
  const double *seconds = dyno_trace_get_values (clock);
  gsize last = dyno_trace_get_length (clock) - 1;
  gint64 first_zero = (gint64)(seconds[0] * 1e9) - times[0];
  gint64 last_zero = (gint64)(seconds[last] * 1e9) - times[last];
  double share = times[last] > times[0] ? (double)(time - times[0]) / (double)(times[last] - times[0]) : 0;

  return first_zero + (gint64)(CLAMP (share, 0, 1) * (double)(last_zero - first_zero));
}

/* The index of the first reading after @time. */
static gsize
find_after (DynoTrace *trace, gint64 time)
{
  const gint64 *times = dyno_trace_get_times (trace);
  gsize low = 0;
  gsize high = dyno_trace_get_length (trace);

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (times[middle] <= time)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static gboolean
has_points (DynoTrace *trace)
{
  return trace != NULL && dyno_trace_get_length (trace) > 0;
}

/* The readings from the last before the process began to the first after it ended. */
static DynoTrace *
cut_out (DynoTrace *log, DynoTrace *clock, guint number)
{
  const gint64 *readings = dyno_trace_get_times (log);
  gsize n = dyno_trace_get_length (log);
  gint64 end = dyno_trace_get_times (clock)[dyno_trace_get_length (clock) - 1];
  gsize first = find_after (log, find_zero (clock, 0));
  gsize last = MIN (find_after (log, find_zero (clock, end) + end), n - 1);
  DynoTrace *power;

  if (first == n || last == 0)
    return NULL;
  power = dyno_trace_new (DYNO_POWER_METER_TRACE, "W", dyno_trace_get_origin (clock));
  dyno_trace_set_invocation (power, number);
  for (gsize i = first > 0 ? first - 1 : 0; i <= last; i++)
    {
      gint64 time = readings[i] - find_zero (clock, 0);

      dyno_trace_add (power, readings[i] - find_zero (clock, time), dyno_trace_get_values (log)[i]);
    }
  return power;
}

static void
add_step (GArray *stretches, gint64 start_ns, gint64 end_ns)
{
  DynoStretch *last = stretches->len > 0 ? &g_array_index (stretches, DynoStretch, stretches->len - 1) : NULL;
  DynoStretch next = { start_ns, end_ns };

  if (last != NULL && start_ns - last->end_ns < PAUSE_NS)
    last->end_ns = MAX (last->end_ns, end_ns);
  else
    g_array_append_val (stretches, next);
}

/* When steps of the steady state ran, without the pauses between. */
static void
find_stretches (Reading *self)
{
  guint number = self->invocation->number;
  DynoTrace *latency = dyno_result_get_invocation_trace (self->result, "latency", number);
  DynoSample steady = dyno_result_get_steady (self->result, number);
  double batched = dyno_invocation_get_number (self->invocation, "latency_batched_steps");
  gsize first;

  self->stretches = g_array_new (FALSE, FALSE, sizeof (DynoStretch));
  if (steady.n == 0)
    return;
  first = (gsize)(steady.values - dyno_trace_get_values (latency));
  batched = batched >= 1 ? batched : 1;
  for (gsize i = 0; i < steady.n; i++)
    {
      gint64 start = dyno_trace_get_times (latency)[first + i];

      add_step (self->stretches, start, start + (gint64)(steady.values[i] * batched * 1e6));
    }
  self->n_steps = (double)steady.n * batched;
  for (guint i = 0; i < self->stretches->len; i++)
    self->seconds += (double)(g_array_index (self->stretches, DynoStretch, i).end_ns -
                              g_array_index (self->stretches, DynoStretch, i).start_ns) /
                     1e9;
}

static double
find_longest_gap (const Reading *self)
{
  const gint64 *times = dyno_trace_get_times (self->power);
  gint64 start = g_array_index (self->stretches, DynoStretch, 0).start_ns;
  gint64 end = g_array_index (self->stretches, DynoStretch, self->stretches->len - 1).end_ns;
  gint64 gap = 0;

  for (gsize i = 1; i < dyno_trace_get_length (self->power); i++)
    if (times[i] > start && times[i - 1] < end)
      gap = MAX (gap, times[i] - times[i - 1]);
  return (double)gap / 1e9;
}

static double
find_edge_percent (const Reading *self)
{
  return 100 * self->energy.n_stretches * self->period / self->energy.seconds;
}

static gboolean
is_unsteady (const DynoInvocation *invocation)
{
  for (guint i = 0; i < invocation->values->len; i++)
    if (dyno_value_get_quality (invocation->values->pdata[i]) == DYNO_QUALITY_UNSTEADY)
      return TRUE;
  return FALSE;
}

/* Returns: (nullable): why the meter was read too seldom */
static char *
explain_gaps (Reading *self)
{
  double longest = find_longest_gap (self);
  g_autofree char *gap = dyno_unit_format (longest, "s");
  g_autofree char *period = dyno_unit_format (self->period, "s");
  g_autofree char *duration = dyno_unit_format (self->energy.seconds, "s");

  if (longest > MAX_MISSED_PERIODS * self->period)
    return g_strdup_printf (_ ("The power meter gave no reading for %s of the measurement."), gap);
  if (find_edge_percent (self) >= 100)
    return g_strdup_printf (_ ("The power meter was read every %s, too seldom for a measurement of %s. Allow "
                               "more time, or have it read more often."),
                            period, duration);
  return NULL;
}

/* Returns: why the readings give no energy, %NULL if they do */
static char *
measure (Reading *self)
{
  g_autoptr (DynoTrace) energy = dyno_energy_trace_integrate (self->power);
  char *reason;

  if (self->stretches->len == 0 || is_unsteady (self->invocation))
    return g_strdup (
        _ ("The latency never became steady, and energy is summed up over a steady state only."));
  if (!dyno_energy_trace_measure (energy, (const DynoStretch *)(void *)self->stretches->data,
                                  self->stretches->len, self->period, &self->energy))
    return g_strdup (_ ("The readings of the power meter do not cover the measurement."));
  reason = explain_gaps (self);
  if (reason == NULL)
    self->joules = self->energy.joules * (self->seconds / self->energy.seconds);
  return reason;
}

static double
get_tokens_per_item (DynoResult *result)
{
  DynoCase *kase = dyno_result_get_case (result);
  guint n_generated = dyno_case_get_generate_tokens (kase);

  return n_generated > 0 ? n_generated : dyno_case_get_sequence_length (kase);
}

static double
get_billed (const Reading *self, guint index)
{
  double n_items = self->n_steps * dyno_case_get_batch_size (dyno_result_get_case (self->result));
  const double numbers[] = {
    self->energy.joules / self->energy.seconds,
    self->joules,
    self->joules / n_items,
    self->joules / (n_items * get_tokens_per_item (self->result)),
    n_items / self->joules,
  };

  return numbers[index];
}

static void
replace_value (GPtrArray *values, DynoValue *value)
{
  for (guint i = values->len; i > 0; i--)
    if (g_str_equal (dyno_value_get_name (values->pdata[i - 1]), dyno_value_get_name (value)))
      g_ptr_array_remove_index (values, i - 1);
  g_ptr_array_add (values, value);
}

static void
put (GPtrArray *values, const char *name, double number, const char *unit, const char *source)
{
  if (isfinite (number))
    replace_value (values, dyno_value_new (name, number, unit, DYNO_QUALITY_IMPORTED, source));
}

static gboolean
has_own_sensor (GPtrArray *values)
{
  for (guint i = 0; i < values->len; i++)
    if (g_str_equal (dyno_value_get_name (values->pdata[i]), billed[0].name))
      return dyno_value_is_number (values->pdata[i]);
  return FALSE;
}

/* What GPUs take is no bill of a case that the processor ran, and what may be anything is none at all. */
static gboolean
is_bill (DynoResult *result, const DynoPowerLog *log)
{
  const char *kind = dyno_result_get_device_kind (result);

  if (log->is_guessed)
    return FALSE;
  return log->n_gpus == 0 || (kind != NULL && g_str_has_suffix (kind, "-gpu"));
}

/* What is its own, and where nothing else measures power what the case is charged with. */
static void
put_all (GPtrArray *values, const double *numbers, const char *source, gboolean is_bill)
{
  gboolean is_billed = is_bill && !has_own_sensor (values);

  put (values, "power_meter_watts", numbers[0], "W", source);
  put (values, "energy_meter_joules", numbers[1], "J", source);
  for (guint i = 0; i < G_N_ELEMENTS (billed) && is_billed; i++)
    put (values, billed[i].name, numbers[i], billed[i].unit, source);
}

/* Of one process: the readings, and what follows from them if that is possible. */
static char *
add_to_invocation (Reading *self, const char *source)
{
  double numbers[G_N_ELEMENTS (billed)];
  char *reason;

  find_stretches (self);
  reason = measure (self);
  dyno_result_take_trace (self->result, g_object_ref (self->power));
  if (reason != NULL)
    return reason;
  for (guint i = 0; i < G_N_ELEMENTS (billed); i++)
    numbers[i] = get_billed (self, i);
  put_all (self->invocation->values, numbers, source, self->is_bill);
  return NULL;
}

static double
find_median (DynoResult *result, const char *name)
{
  GPtrArray *invocations = dyno_result_get_invocations (result);
  g_autofree double *numbers = g_new (double, MAX (invocations->len, 1));
  gsize n = 0;

  for (guint i = 0; i < invocations->len; i++)
    {
      double number = dyno_invocation_get_number (invocations->pdata[i], name);

      if (isfinite (number))
        numbers[n++] = number;
    }
  if (n == 0)
    return NAN;
  dyno_stats_sort (numbers, n);
  return dyno_stats_percentile (numbers, n, 50);
}

static void
join (DynoResult *result, const char *source, const char *reason, gboolean is_bill)
{
  GPtrArray *values = dyno_result_get_values (result);
  double watts = find_median (result, "power_meter_watts");
  g_autofree char *of_all = g_strdup_printf ("%s; median of the processes", source);
  gboolean is_billed = is_bill && !has_own_sensor (values);

  if (isnan (watts))
    {
      replace_value (values, dyno_value_new_unsupported ("power_meter_watts", "W", reason));
      replace_value (values, dyno_value_new_unsupported ("energy_meter_joules", "J", reason));
      return;
    }
  put (values, "power_meter_watts", watts, "W", of_all);
  put (values, "energy_meter_joules", find_median (result, "energy_meter_joules"), "J", of_all);
  for (guint i = 0; i < G_N_ELEMENTS (billed) && is_billed; i++)
    put (values, billed[i].name, find_median (result, billed[i].name), billed[i].unit, of_all);
}

static void
warn_of_edges (DynoResult *result, double period, double percent)
{
  g_autofree char *seconds = dyno_unit_format (period, "s");
  g_autofree char *message = NULL;

  if (percent <= MAX_EDGE_PERCENT)
    return;
  message = g_strdup_printf (_ ("The power meter was read every %s, so its energy is uncertain by up to "
                                "±%.0f %%. Allow more time."),
                             seconds, percent);
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, QUANTISED, message));
}

/* The usual time between two readings, in s. */
static double
find_period (DynoTrace *power)
{
  gsize n = dyno_trace_get_length (power) - 1;
  g_autofree double *periods = g_new (double, n);

  for (gsize i = 0; i < n; i++)
    periods[i] = (double)(dyno_trace_get_times (power)[i + 1] - dyno_trace_get_times (power)[i]) / 1e9;
  dyno_stats_sort (periods, n);
  return dyno_stats_percentile (periods, n, 50);
}

static void
warn_of_guess (DynoResult *result)
{
  dyno_result_take_diagnostic (
      result,
      dyno_diagnostic_new (
          DYNO_SEVERITY_WARNING, COLUMNS_GUESSED,
          _ ("The columns of the power log have no names. They were taken for the power of GPUs in W, as "
             "Zeus "
             "writes it, and the case is not charged with it. To have it charged, write a first line "
             "such as “time,0,1” for two GPUs, or “time,power_w” for a meter, and import the file again.")));
}

static char *
describe_source (const DynoPowerLog *log, const char *file_name)
{
  if (log->is_guessed)
    return g_strdup_printf (
        "power log: %s, by the clock; columns without names, taken for the power of %u GPU%s", file_name,
        log->n_gpus, log->n_gpus > 1 ? "s" : "");
  if (log->n_gpus > 0)
    return g_strdup_printf ("power log of %u GPU%s: %s, by the clock; nothing else", log->n_gpus,
                            log->n_gpus > 1 ? "s" : "", file_name);
  return g_strdup_printf ("external power meter: %s, column “%s”, by the clock; all that is connected to it",
                          file_name, log->column);
}

/**
 * dyno_power_meter_add_to_result:
 * @result: a case that Dyno measured; changed
 * @log: what a power meter has recorded
 * @file_name: the file that it is from
 *
 * Finds the readings of the time at which each process measured, by the wall clock that was kept with it, and works out the
 * power and energy of its steady state. They have the quality *imported*. Where no sensor of the machine measured power,
 * they are also what the case is charged with, unless the log is of GPUs and the case ran on none, or nothing says what the
 * log is of.
 *
 * Returns: whether there are readings for it
 */
gboolean
dyno_power_meter_add_to_result (DynoResult *result, const DynoPowerLog *log, const char *file_name)
{
  GPtrArray *invocations = dyno_result_get_invocations (result);
  g_autofree char *source = describe_source (log, file_name);
  g_autofree char *reason = NULL;
  double period = find_period (log->power);
  double percent = 0;
  guint n = 0;

  for (guint i = 0; i < invocations->len; i++)
    {
      DynoInvocation *invocation = invocations->pdata[i];
      DynoTrace *clock = dyno_result_get_invocation_trace (result, DYNO_TRACE_WALL_CLOCK, invocation->number);
      g_auto (Reading) reading = {
        .result = result, .invocation = invocation, .period = period, .is_bill = is_bill (result, log)
      };

      reading.power = has_points (clock) ? cut_out (log->power, clock, invocation->number) : NULL;
      if (reading.power == NULL)
        continue;
      n++;
      g_free (reason);
      reason = add_to_invocation (&reading, source);
      if (reason == NULL)
        percent = MAX (percent, find_edge_percent (&reading));
    }
  if (n == 0)
    return FALSE;
  join (result, source, reason, is_bill (result, log));
  warn_of_edges (result, period, percent);
  if (log->is_guessed)
    warn_of_guess (result);
  return TRUE;
}

/* The runs */

static gboolean
has_readings (DynoResult *result)
{
  return dyno_result_get_trace (result, DYNO_POWER_METER_TRACE) != NULL;
}

/**
 * dyno_power_meter_count_cases:
 * @run: a run
 *
 * Returns: how many of its cases have readings of a power meter
 */
guint
dyno_power_meter_count_cases (DynoRun *run)
{
  GListModel *results = dyno_run_get_results (run);
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      n += has_readings (result);
    }
  return n;
}

static gboolean
is_same (DynoTrace *one, DynoTrace *other)
{
  gsize n = dyno_trace_get_length (one);

  return n == dyno_trace_get_length (other) &&
         memcmp (dyno_trace_get_times (one), dyno_trace_get_times (other), n * sizeof (gint64)) == 0 &&
         memcmp (dyno_trace_get_values (one), dyno_trace_get_values (other), n * sizeof (double)) == 0;
}

/* Whether the log has readings of it, and others than it has. */
static gboolean
has_others (DynoResult *result, const DynoPowerLog *log)
{
  GPtrArray *invocations = dyno_result_get_invocations (result);

  for (guint i = 0; i < invocations->len; i++)
    {
      guint number = ((DynoInvocation *)invocations->pdata[i])->number;
      DynoTrace *clock = dyno_result_get_invocation_trace (result, DYNO_TRACE_WALL_CLOCK, number);
      DynoTrace *present = dyno_result_get_invocation_trace (result, DYNO_POWER_METER_TRACE, number);
      g_autoptr (DynoTrace) power = has_points (clock) ? cut_out (log->power, clock, number) : NULL;

      if (power != NULL && (present == NULL || !is_same (power, present)))
        return TRUE;
    }
  return FALSE;
}

/* The readings that are imported last count: the file before may have been the wrong one, or of a clock that was. */
static gboolean
are_wanted (DynoResult *result, const DynoPowerLog *log)
{
  gboolean is_guess = dyno_result_find_message (result, COLUMNS_GUESSED) != NULL;

  if (log->is_guessed && has_readings (result) && !is_guess)
    return FALSE;
  return has_others (result, log) || (is_guess && !log->is_guessed);
}

static gboolean
is_of_meter (DynoValue *value)
{
  static const char *const own[] = { "power_meter_watts", "energy_meter_joules", NULL };
  const char *name = dyno_value_get_name (value);

  for (guint i = 0; i < G_N_ELEMENTS (billed); i++)
    if (g_str_equal (billed[i].name, name))
      return dyno_value_get_quality (value) == DYNO_QUALITY_IMPORTED;
  return g_strv_contains (own, name);
}

/* What it was charged with is not known any more, unless the next readings tell. */
static void
forget_values (GPtrArray *values)
{
  for (guint i = 0; i < values->len; i++)
    {
      DynoValue *value = values->pdata[i];

      if (!is_of_meter (value))
        continue;
      values->pdata[i] = dyno_value_new_unsupported (
          dyno_value_get_name (value), dyno_value_get_unit (value),
          _ ("No sensor measured it, and the power log is not of what the case ran on."));
      dyno_value_unref (value);
    }
}

static void
drop_readings (DynoResult *result)
{
  static const char *const codes[] = { COLUMNS_GUESSED, QUANTISED, NULL };
  GPtrArray *invocations = dyno_result_get_invocations (result);
  GPtrArray *traces = dyno_result_get_traces (result);
  GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

  for (guint i = traces->len; i > 0; i--)
    if (g_str_equal (dyno_trace_get_name (traces->pdata[i - 1]), DYNO_POWER_METER_TRACE))
      g_ptr_array_remove_index (traces, i - 1);
  for (guint i = diagnostics->len; i > 0; i--)
    if (g_strv_contains (codes, dyno_diagnostic_get_code (diagnostics->pdata[i - 1])))
      g_ptr_array_remove_index (diagnostics, i - 1);
  for (guint i = 0; i < invocations->len; i++)
    forget_values (((DynoInvocation *)invocations->pdata[i])->values);
  forget_values (dyno_result_get_values (result));
}

/**
 * dyno_power_meter_add_to_run:
 * @run: a run that Dyno measured; changed
 * @log: what a power meter has recorded
 * @file_name: the file that it is from
 *
 * Readings that cases have already give way to others of the same time.
 *
 * Returns: how many cases got readings that they had not
 */
guint
dyno_power_meter_add_to_run (DynoRun *run, const DynoPowerLog *log, const char *file_name)
{
  GListModel *results = dyno_run_get_results (run);
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      if (!are_wanted (result, log))
        continue;
      drop_readings (result);
      n += dyno_power_meter_add_to_result (result, log, file_name);
    }
  return n;
}
