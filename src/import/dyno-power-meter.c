/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-energy-trace.h"
#include "dyno-power-meter.h"
#include "dyno-result-samples.h"
#include "dyno-stats.h"
#include "dyno-unit.h"

#define NS_PER_SECOND G_GINT64_CONSTANT (1000000000)

/* Steps with a shorter pause between them are one stretch. */
#define PAUSE_NS (NS_PER_SECOND / 1000)

/* After this many periods without a reading, the readings are invalid. */
#define MAX_MISSED_PERIODS 5

/* Diagnostics of readings that may be of another device, and of rare ones. */
#define COLUMNS_GUESSED "power-columns-guessed"
#define QUANTISED       "power-meter-quantised"

/* If the time between two readings is a larger part of the energy, in per cent, there is a warning. */
#define MAX_EDGE_PERCENT 5

/* The readings of a meter during an invocation. */
typedef struct
{
  DynoResult *result;
  DynoInvocation *invocation;
  DynoTrace *power;   /* on the axis of the invocation’s traces */
  DynoTrace *present; /* nullable: the readings that it already has */
  GArray *stretches;
  double period; /* of the meter, in s */
  gboolean is_bill;
  double n_steps;
  DynoEnergy energy;
  double seconds;
  double joules;
  gboolean is_added;
} Reading;

/* The values of power and energy of a case, if no sensor of the machine measured them. */
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

/* Returns the zero of the invocation’s traces, in ns since 1970, by the wall clock as it was set at @time.
 **/
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

/* Returns the index of the first reading after @time. */
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

/* Finds when steps of the steady state ran, without the pauses between them. */
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
      DynoStretch next = { start, start + (gint64)(steady.values[i] * batched * 1e6) };
      DynoStretch *last =
          i > 0 ? &g_array_index (self->stretches, DynoStretch, self->stretches->len - 1) : NULL;

      if (last != NULL && start - last->end_ns < PAUSE_NS)
        last->end_ns = MAX (last->end_ns, next.end_ns);
      else
        g_array_append_val (self->stretches, next);
    }
  self->n_steps = (double)steady.n * batched;
  for (guint i = 0; i < self->stretches->len; i++)
    self->seconds += (double)(g_array_index (self->stretches, DynoStretch, i).end_ns -
                              g_array_index (self->stretches, DynoStretch, i).start_ns) /
                     1e9;
}

static double
find_edge_percent (const Reading *self)
{
  return 100 * self->energy.n_stretches * self->period / self->energy.seconds;
}

/* Returns: why the readings give no energy, NULL if they do */
static char *
measure (Reading *self)
{
  g_autoptr (DynoTrace) energy = dyno_energy_trace_integrate (self->power);
  gboolean is_steady = self->stretches->len > 0;

  for (guint i = 0; i < self->invocation->values->len; i++)
    is_steady =
        is_steady && dyno_value_get_quality (self->invocation->values->pdata[i]) != DYNO_QUALITY_UNSTEADY;
  if (!is_steady)
    return g_strdup (
        _ ("The latency never became steady, and energy is summed up over a steady state only."));
  if (!dyno_energy_trace_measure (energy, (const DynoStretch *)(void *)self->stretches->data,
                                  self->stretches->len, self->period, &self->energy))
    return g_strdup (_ ("The readings of the power meter do not cover the measurement."));

  const gint64 *times = dyno_trace_get_times (self->power);
  gint64 start = g_array_index (self->stretches, DynoStretch, 0).start_ns;
  gint64 end = g_array_index (self->stretches, DynoStretch, self->stretches->len - 1).end_ns;
  gint64 longest_ns = 0;

  for (gsize i = 1; i < dyno_trace_get_length (self->power); i++)
    if (times[i] > start && times[i - 1] < end)
      longest_ns = MAX (longest_ns, times[i] - times[i - 1]);

  double longest = (double)longest_ns / 1e9;
  g_autofree char *gap = dyno_unit_format (longest, "s");
  g_autofree char *period = dyno_unit_format (self->period, "s");
  g_autofree char *duration = dyno_unit_format (self->energy.seconds, "s");

  if (longest > MAX_MISSED_PERIODS * self->period)
    return g_strdup_printf (_ ("The power meter gave no reading for %s of the measurement."), gap);
  if (find_edge_percent (self) >= 100)
    return g_strdup_printf (_ ("The power meter was read every %s, too seldom for a measurement of %s. Allow "
                               "more time, or have it read more often."),
                            period, duration);
  self->joules = self->energy.joules * (self->seconds / self->energy.seconds);
  return NULL;
}

static double
get_billed (const Reading *self, guint index)
{
  DynoCase *kase = dyno_result_get_case (self->result);
  guint n_generated = dyno_case_get_generate_tokens (kase);
  double n_items = self->n_steps * dyno_case_get_batch_size (kase);
  double n_tokens = n_items * (n_generated > 0 ? n_generated : dyno_case_get_sequence_length (kase));
  const double numbers[] = {
    self->energy.joules / self->energy.seconds,
    self->joules,
    self->joules / n_items,
    self->joules / n_tokens,
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

/* Returns whether the value is from a meter, not from a sensor of the machine. */
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

static gboolean
has_own_sensor (GPtrArray *values)
{
  for (guint i = 0; i < values->len; i++)
    if (g_str_equal (dyno_value_get_name (values->pdata[i]), billed[0].name))
      return dyno_value_is_number (values->pdata[i]) && !is_of_meter (values->pdata[i]);
  return FALSE;
}

/* The power of GPUs is not that of a case that ran on the processor, and a guessed log is never that of a
 * case. */
static gboolean
is_bill (DynoResult *result, const DynoPowerLog *log)
{
  const char *kind = dyno_result_get_device_kind (result);

  if (log->is_guessed)
    return FALSE;
  return log->n_gpus == 0 || (kind != NULL && g_str_has_suffix (kind, "-gpu"));
}

static gboolean
is_same (DynoTrace *one, DynoTrace *other)
{
  gsize n = dyno_trace_get_length (one);

  return n == dyno_trace_get_length (other) &&
         memcmp (dyno_trace_get_times (one), dyno_trace_get_times (other), n * sizeof (gint64)) == 0 &&
         memcmp (dyno_trace_get_values (one), dyno_trace_get_values (other), n * sizeof (double)) == 0;
}

/* Adds the readings of one process, and the values that follow from them. The latest imported readings count,
 * because earlier ones may be of the wrong meter or of a wrong clock; but values of earlier ones are not
 * replaced by readings that give none. Returns: (nullable): why they are of no use. */
static char *
take (Reading *self, const DynoPowerLog *log, const char *source)
{
  gboolean was_guessed = dyno_result_find_message (self->result, COLUMNS_GUESSED) != NULL;

  if (self->present != NULL && was_guessed == log->is_guessed && is_same (self->power, self->present))
    return NULL;
  /* Known readings are not replaced by a guess. */
  if (self->present != NULL && log->is_guessed && !was_guessed)
    return g_strdup (
        _ ("The case has readings of a power meter already, and the columns of this log have no names, so it "
           "may be of anything. Write a first line that names each of them, and import it again."));

  GPtrArray *traces = dyno_result_get_traces (self->result);
  GPtrArray *values = self->invocation->values;
  gboolean is_billed;
  double numbers[G_N_ELEMENTS (billed)];
  char *reason;

  find_stretches (self);
  reason = measure (self);
  if (reason != NULL && isfinite (dyno_invocation_get_number (self->invocation, "energy_meter_joules")))
    return reason;

  for (guint i = traces->len; i > 0; i--)
    if (g_str_equal (dyno_trace_get_name (traces->pdata[i - 1]), DYNO_POWER_METER_TRACE) &&
        dyno_trace_get_invocation (traces->pdata[i - 1]) == self->invocation->number)
      g_ptr_array_remove_index (traces, i - 1);
  for (guint i = values->len; i > 0; i--)
    if (is_of_meter (values->pdata[i - 1]))
      g_ptr_array_remove_index (values, i - 1);
  dyno_result_take_trace (self->result, g_object_ref (self->power));
  self->is_added = TRUE;
  if (reason != NULL)
    return reason;
  for (guint i = 0; i < G_N_ELEMENTS (billed); i++)
    numbers[i] = get_billed (self, i);

  /* The case gets values of its own only if nothing else measures power. */
  is_billed = self->is_bill && !has_own_sensor (values);
  put (values, "power_meter_watts", numbers[0], "W", source);
  put (values, "energy_meter_joules", numbers[1], "J", source);
  for (guint i = 0; i < G_N_ELEMENTS (billed) && is_billed; i++)
    put (values, billed[i].name, numbers[i], billed[i].unit, source);
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
join_value (DynoResult *result, const char *name, const char *unit, const char *source, const char *reason)
{
  double median = find_median (result, name);

  if (isfinite (median))
    put (dyno_result_get_values (result), name, median, unit, source);
  else
    replace_value (dyno_result_get_values (result), dyno_value_new_unsupported (name, unit, reason));
}

/* Joins all processes. Values of the case from other readings are removed. */
static void
join (DynoResult *result, const char *reason)
{
  GPtrArray *values = dyno_result_get_values (result);
  g_autofree char *source = NULL;
  const char *not_billed =
      reason != NULL ? reason
                     : _ ("No sensor measured it, and the power log is not of what the case ran on.");
  gboolean has_sensor = has_own_sensor (values);

  /* Processes may have readings of several files. */
  GPtrArray *invocations = dyno_result_get_invocations (result);
  g_autoptr (GPtrArray) sources = g_ptr_array_new_null_terminated (2, NULL, TRUE);

  for (guint i = 0; i < invocations->len; i++)
    {
      GPtrArray *own = ((DynoInvocation *)invocations->pdata[i])->values;

      for (guint k = 0; k < own->len; k++)
        if (g_str_equal (dyno_value_get_name (own->pdata[k]), "power_meter_watts") &&
            !g_ptr_array_find_with_equal_func (sources, dyno_value_get_source (own->pdata[k]), g_str_equal,
                                               NULL))
          g_ptr_array_add (sources, (gpointer)dyno_value_get_source (own->pdata[k]));
    }
  g_ptr_array_add (sources, (gpointer) "median of the processes");
  source = g_strjoinv ("; ", (char **)sources->pdata);
  join_value (result, "power_meter_watts", "W", source, reason);
  join_value (result, "energy_meter_joules", "J", source, reason);
  for (guint i = 0; i < G_N_ELEMENTS (billed) && !has_sensor; i++)
    {
      DynoValue *present = dyno_result_get_value (result, billed[i].name);

      if (isfinite (find_median (result, billed[i].name)) || (present != NULL && is_of_meter (present)))
        join_value (result, billed[i].name, billed[i].unit, source, not_billed);
    }
}

static void
warn_of_edges (DynoResult *result, double period, double percent)
{
  g_autofree char *seconds = dyno_unit_format (period, "s");
  g_autofree char *message = NULL;

  if (percent <= MAX_EDGE_PERCENT || dyno_result_find_message (result, QUANTISED) != NULL)
    return;
  message = g_strdup_printf (
      _ ("The power meter was read every %s, so its energy is uncertain by up to ±%.0f %%. Allow more time."),
      seconds, percent);
  dyno_result_take_diagnostic (result, dyno_diagnostic_new (DYNO_SEVERITY_WARNING, QUANTISED, message));
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

/* The result of adding readings to a case. */
typedef struct
{
  guint n_added; /* processes */
  guint n_present;
  double edge_percent;
  char *reason; /* nullable: the last reason */
} Outcome;

static void
outcome_clear (Outcome *self)
{
  g_free (self->reason);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Outcome, outcome_clear)

static void
take_for_invocation (DynoResult *result,
                     DynoInvocation *invocation,
                     const DynoPowerLog *log,
                     const char *source,
                     Outcome *outcome)
{
  DynoTrace *clock = dyno_result_get_invocation_trace (result, DYNO_TRACE_WALL_CLOCK, invocation->number);
  g_auto (Reading) reading = {
    .result = result,
    .invocation = invocation,
    .period = log->period,
    .is_bill = is_bill (result, log),
    .present = dyno_result_get_invocation_trace (result, DYNO_POWER_METER_TRACE, invocation->number),
  };
  char *reason;

  if (clock != NULL && dyno_trace_get_length (clock) > 0)
    {
      /* The readings from the last before the process began to the first after it ended. */
      const gint64 *readings = dyno_trace_get_times (log->power);
      gsize n = dyno_trace_get_length (log->power);
      gint64 end = dyno_trace_get_times (clock)[dyno_trace_get_length (clock) - 1];
      gsize first = find_after (log->power, find_zero (clock, 0));
      gsize last = MIN (find_after (log->power, find_zero (clock, end) + end), n - 1);

      if (first == n || last == 0)
        return;
      reading.power = dyno_trace_new (DYNO_POWER_METER_TRACE, "W", dyno_trace_get_origin (clock));
      dyno_trace_set_invocation (reading.power, invocation->number);
      for (gsize i = first > 0 ? first - 1 : 0; i <= last; i++)
        {
          gint64 time = readings[i] - find_zero (clock, 0);

          dyno_trace_add (reading.power, readings[i] - find_zero (clock, time),
                          dyno_trace_get_values (log->power)[i]);
        }
    }

  if (reading.power == NULL)
    return;
  reason = take (&reading, log, source);
  outcome->n_added += reading.is_added;
  outcome->n_present += !reading.is_added && reason == NULL;
  if (reading.is_added && reason == NULL)
    outcome->edge_percent = MAX (outcome->edge_percent, find_edge_percent (&reading));
  if (reason == NULL)
    return;
  g_free (outcome->reason);
  outcome->reason = reason;
}

void
dyno_power_meter_add_to_result (DynoResult *result,
                                const DynoPowerLog *log,
                                const char *file_name,
                                DynoPowerReceipt *receipt)
{
  GPtrArray *invocations = dyno_result_get_invocations (result);
  g_autofree char *source = describe_source (log, file_name);
  g_auto (Outcome) outcome = { 0 };

  for (guint i = 0; i < invocations->len; i++)
    take_for_invocation (result, invocations->pdata[i], log, source, &outcome);
  receipt->n_added += outcome.n_added > 0;
  receipt->n_present += outcome.n_added == 0 && outcome.n_present > 0;
  if (outcome.n_added == 0 && outcome.reason != NULL && receipt->reason == NULL)
    receipt->reason = g_strdup (outcome.reason);
  if (outcome.n_added == 0)
    return;
  join (result, outcome.reason);

  GPtrArray *traces = dyno_result_get_traces (result);
  guint n = 0;

  for (guint i = 0; i < traces->len; i++)
    n += g_str_equal (dyno_trace_get_name (traces->pdata[i]), DYNO_POWER_METER_TRACE);
  if (outcome.n_added == n)
    {
      /* The readings that the warnings are about have all been replaced. */
      static const char *const codes[] = { COLUMNS_GUESSED, QUANTISED, NULL };
      GPtrArray *diagnostics = dyno_result_get_diagnostics (result);

      for (guint i = diagnostics->len; i > 0; i--)
        if (g_strv_contains (codes, dyno_diagnostic_get_code (diagnostics->pdata[i - 1])))
          g_ptr_array_remove_index (diagnostics, i - 1);
    }
  warn_of_edges (result, log->period, outcome.edge_percent);
  if (log->is_guessed)
    {
      const char *message = _ (
          "The columns of the power log have no names. They were taken for the power of GPUs in W, as Zeus "
          "writes it, and the case is not charged with it. To have it charged, write a first line that names "
          "each column, such as “time,0,1” for two GPUs or “time,volt,power_w” for a meter, and import the "
          "file again.");

      if (dyno_result_find_message (result, COLUMNS_GUESSED) == NULL)
        dyno_result_take_diagnostic (result,
                                     dyno_diagnostic_new (DYNO_SEVERITY_WARNING, COLUMNS_GUESSED, message));
    }
}

void
dyno_power_meter_add_to_run (DynoRun *run,
                             const DynoPowerLog *log,
                             const char *file_name,
                             DynoPowerReceipt *receipt)
{
  GListModel *results = dyno_run_get_results (run);

  for (guint i = 0; i < g_list_model_get_n_items (results); i++)
    {
      g_autoptr (DynoResult) result = g_list_model_get_item (results, i);

      dyno_power_meter_add_to_result (result, log, file_name, receipt);
    }
}

void
dyno_power_receipt_clear (DynoPowerReceipt *self)
{
  g_clear_pointer (&self->reason, g_free);
}
