/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <float.h>
#include <math.h>

#include "dyno-metric.h"
#include "dyno-metrics-sources-private.h"
#include "dyno-unit.h"

/* A window of this many periods, or this long, makes a counter's steps negligible. */
#define MIN_PERIODS        100
#define MAX_WINDOW_SECONDS 5

/* The processor takes a moment to become idle. */
#define IDLE_SHARE_SKIPPED 0.2

/* Above this share of the load's power, the power net of the idle machine is mostly uncertainty. */
#define MAX_IDLE_SHARE 0.8

/* Idle power that changes by more cannot be subtracted from the load's. */
#define MAX_IDLE_PERCENT 10

#define MAX_QUANTISATION_PERCENT 5

/* A counter and the power readings beside it normally differ by less; if they differ by such a factor, one of them is
 * wrong. */
#define MAX_COUNTER_PERCENT 5
#define MAX_DISAGREEMENT    10

static const char no_energy[] = N_ ("Energy is summed up over a steady state only.");

/* Power and energy of the part that did the work, over the steady state: gross, net of the idle machine, and for each
 * item, token and operation; and the power of every part over time. Parts that contain each other are kept apart. */
G_DECLARE_FINAL_TYPE (DynoPowerMetric, dyno_power_metric, DYNO, POWER_METRIC, DynoMetric)

struct _DynoPowerMetric
{
  DynoMetric parent_instance;

  GPtrArray *parts;
  DynoPowerPart *billed; /* known once the model is loaded */
  DynoRandom random;
};

G_DEFINE_FINAL_TYPE (DynoPowerMetric, dyno_power_metric, DYNO_TYPE_METRIC)

/* The part that a case is charged with, and its energy. */
typedef struct
{
  DynoMeasurement *measurement;
  DynoPowerPart *part;
  char *source;
  DynoEnergy energy;
  double seconds; /* of the stretches, whatever the engine reports for its steps */
  double watts;
  double joules;
} Bill;

static const struct
{
  const char *name;
  const char *unit;
} values[] = {
  { "power_avg_watts", "W" },
  { "power_max_watts", "W" },
  { "energy_joules", "J" },
  { "idle_power_watts", "W" },
  { "energy_net_joules", "J" },
  { "energy_per_item_joules", "J" },
  { "energy_per_token_joules", "J" },
  { "gflops_per_watt", "GFLOP/s/W" },
  { "ops_per_watt", "FLOP/s/W" },
  { "throughput_per_watt", "1/s/W" },
  { "energy_quantisation_percent", "%" },
};

static void
dyno_power_metric_finalize (GObject *object)
{
  g_ptr_array_unref (DYNO_POWER_METRIC (object)->parts);

  G_OBJECT_CLASS (dyno_power_metric_parent_class)->finalize (object);
}

static DynoPowerPart *
ensure_part (DynoPowerMetric *self, const DynoSensorInfo *info)
{
  DynoPowerPart *part;

  for (guint i = 0; i < self->parts->len; i++)
    {
      part = g_ptr_array_index (self->parts, i);
      if (g_str_equal (part->info->name, info->name))
        return part;
    }
  part = dyno_power_part_new (info);
  g_ptr_array_add (self->parts, part);
  return part;
}

static void
dyno_power_metric_start (DynoMetric *metric, DynoMeasurement *measurement)
{
  guint n = measurement->sensors != NULL ? dyno_sensor_set_get_n_sensors (measurement->sensors) : 0;

  for (guint i = 0; i < n; i++)
    {
      DynoSensor *sensor = dyno_sensor_set_get_sensor (measurement->sensors, i);
      const DynoSensorInfo *info = dyno_sensor_get_info (sensor);
      g_autofree char *name =
          g_strconcat (info->kind == DYNO_SENSOR_ENERGY ? "energy_" : "power_", info->name, NULL);

      if (info->kind != DYNO_SENSOR_ENERGY && info->kind != DYNO_SENSOR_POWER)
        continue;
      dyno_power_part_take_trace (
          ensure_part (DYNO_POWER_METRIC (metric), info), info,
          dyno_sampler_add (measurement->sampler, sensor, name, measurement->power_milliseconds));
      if (info->domain != DYNO_DOMAIN_OTHER && !info->estimated)
        measurement->rest_seconds = measurement->idle_seconds;
    }
}

/* @reason: why there is none, if not just for lack of a sensor. */
static DynoPowerPart *
choose_part (DynoPowerMetric *self, DynoMeasurement *measurement, char **reason)
{
  const DynoSensorInfo *device = dyno_measurement_find_device_sensor (measurement, reason);

  if (dyno_measurement_explain_unseen (measurement) != NULL)
    {
      *reason = g_strdup (dyno_measurement_explain_unseen (measurement));
      return NULL;
    }
  return dyno_power_part_choose (self->parts, dyno_measurement_is_on_device (measurement), device);
}

static void
dyno_power_metric_loaded (DynoMetric *metric, DynoMeasurement *measurement)
{
  g_autofree char *reason = NULL;
  DynoPowerPart *part = choose_part (DYNO_POWER_METRIC (metric), measurement, &reason);

  DYNO_POWER_METRIC (metric)->billed = part;
  dyno_random_init (&DYNO_POWER_METRIC (metric)->random, measurement->seed);
  if (part != NULL)
    measurement->window_seconds =
        MAX (measurement->window_seconds, MIN (MIN_PERIODS * part->info->period_seconds, MAX_WINDOW_SECONDS));
}

/* The next stretch begins at another point in the period of a polled sensor. */
static void
dyno_power_metric_rest (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoPowerMetric *self = DYNO_POWER_METRIC (metric);
  double seconds = 0;

  if (self->billed != NULL)
    {
      const DynoSamples *samples = measurement->samples != NULL ? measurement->samples : measurement->warm_up;
      gsize n = samples != NULL ? dyno_samples_get_length (samples) : 0;
      guint n_steps = samples == measurement->warm_up ? 1 : measurement->steps_per_sample;

      seconds = dyno_power_part_draw_phase (
          self->billed, n > 0 ? (double)samples->durations[n - 1] / 1e9 / n_steps : 0, &self->random);
    }
  if (seconds > 0)
    g_usleep ((gulong)(seconds * G_USEC_PER_SEC));
}

static void
add_unsupported (DynoMeasurement *measurement, const char *reason)
{
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    dyno_measurement_add_unsupported (measurement, values[i].name, values[i].unit, reason);
}

static const char *
get_unit (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (g_str_equal (values[i].name, name))
      return values[i].unit;
  g_return_val_if_reached ("");
}

static void
add_value (const Bill *bill, const char *name, double number)
{
  if (bill->part->info->estimated)
    dyno_measurement_add_estimated (bill->measurement, name, number, get_unit (name), bill->source);
  else
    dyno_measurement_add_measured (bill->measurement, name, number, get_unit (name), bill->source);
}

static void
say_why_not (const Bill *bill, const char *name, const char *reason)
{
  dyno_measurement_add_unsupported (bill->measurement, name, get_unit (name), reason);
}

/* Returns the power in a part of a rest, which begins and ends at these shares of it. */
static gboolean
measure_rest (const Bill *bill, const gint64 edges[2], double first, double last, double *watts)
{
  const DynoMeasurement *measurement = bill->measurement;
  g_autoptr (DynoTrace) energy = dyno_power_part_create_energy (bill->part);
  g_autoptr (GArray) rests = g_array_new (FALSE, FALSE, sizeof (DynoStretch));
  double length = (double)(edges[1] - edges[0]);
  gint64 start = edges[0] - measurement->origin_ns;
  DynoStretch rest = {
    .start_ns = start + (gint64)(length * first),
    .end_ns = start + (gint64)(length * last),
  };
  DynoEnergy idle;

  g_array_append_val (rests, rest);
  if (length <= 0 || dyno_power_part_find_gap (bill->part, rests) > 0 ||
      !dyno_energy_trace_measure (energy, &rest, 1, 0, &idle) ||
      idle.seconds <= bill->part->info->period_seconds)
    return FALSE;
  *watts = idle.joules / idle.seconds;
  return TRUE;
}

static gboolean
measure_idle (const Bill *bill, const gint64 edges[2], double *watts)
{
  return measure_rest (bill, edges, IDLE_SHARE_SKIPPED, 1, watts);
}

static const char *
explain_no_idle (const Bill *bill)
{
  return bill->part->info->estimated
             ? _ ("An estimate has no idle power.")
             : _ ("There is no idle power baseline, or it was too short or unreadable; set “idle-seconds”.");
}

static double
find_difference_percent (double a, double b)
{
  return 100 * fabs (a - b) / MAX (MAX (a, b), DBL_MIN);
}

/* Returns: why power in that rest is not that of an idle machine, NULL if it is */
static char *
explain_not_flat (const Bill *bill, const gint64 edges[2])
{
  /* The halves of a rest can differ by so much because the sensor updates only periodically. */
  double error_percent = 100 * bill->part->info->period_seconds /
                         ((1 - IDLE_SHARE_SKIPPED) / 2 * (double)(edges[1] - edges[0]) / 1e9);
  double middle = (1 + IDLE_SHARE_SKIPPED) / 2;
  double first, second;

  if (!measure_rest (bill, edges, IDLE_SHARE_SKIPPED, middle, &first) ||
      !measure_rest (bill, edges, middle, 1, &second) ||
      find_difference_percent (first, second) <= MAX_IDLE_PERCENT + error_percent)
    return NULL;
  return g_strdup_printf (_ ("Idle power was not steady: it went from %.1f W to %.1f W while nothing ran. "
                             "Close other programs, and measure again."),
                          first, second);
}

/* The value from before the case; the one after it is only a check. */
static gboolean
add_idle (const Bill *bill, double *watts)
{
  if (bill->part->info->estimated || !measure_idle (bill, bill->measurement->rest_ns, watts))
    {
      say_why_not (bill, "idle_power_watts", explain_no_idle (bill));
      return FALSE;
    }
  add_value (bill, "idle_power_watts", *watts);
  return TRUE;
}

static void
add_net (const Bill *bill)
{
  const DynoMeasurement *measurement = bill->measurement;
  g_autofree char *reason = NULL;
  double idle, after;

  if (!add_idle (bill, &idle))
    {
      say_why_not (bill, "energy_net_joules", explain_no_idle (bill));
      return;
    }
  if (!measure_idle (bill, measurement->rest_after_ns, &after))
    reason = g_strdup (_ ("Idle power could not be measured after the case as it was before it."));
  else if (find_difference_percent (idle, after) > MAX_IDLE_PERCENT)
    reason =
        g_strdup_printf (_ ("Idle power was %.1f W before the case and %.1f W after it, more than 10 %% "
                            "apart. Graphics processors that clock up as long as a program has them open "
                            "are always so; else let the machine come to rest, and measure again."),
                         idle, after);
  else
    reason = explain_not_flat (bill, measurement->rest_ns);
  if (reason == NULL)
    reason = explain_not_flat (bill, measurement->rest_after_ns);
  if (reason != NULL)
    {
      say_why_not (bill, "energy_net_joules", reason);
      return;
    }
  add_value (bill, "energy_net_joules", bill->joules - idle * bill->seconds);
  if (idle > MAX_IDLE_SHARE * bill->watts)
    dyno_measurement_add_diagnostic (bill->measurement, DYNO_SEVERITY_INFO, "idle-power",
                                     _ ("Idle power is more than four fifths of the power under load, so the "
                                        "net energy is mostly uncertainty."));
}

static void
add_for_each (const Bill *bill)
{
  DynoMeasurement *measurement = bill->measurement;
  double n_steps = dyno_measurement_count_steady_steps (measurement);
  double n_items = n_steps * dyno_measurement_get_items_per_step (measurement);
  double n_tokens = measurement->served != NULL
                        ? dyno_measurement_count_served_tokens (measurement)
                        : n_items * (measurement->n_generated > 0 ? measurement->n_generated
                                                                  : measurement->sequence_length);
  double flops = n_steps * dyno_measurement_get_number (measurement, "flops");

  add_value (bill, "energy_per_item_joules", bill->joules / n_items);
  if (n_tokens > 0)
    add_value (bill, "energy_per_token_joules", bill->joules / n_tokens);
  if (bill->joules > 0)
    add_value (bill, "throughput_per_watt", n_items / bill->joules);
  else
    say_why_not (bill, "throughput_per_watt", _ ("The estimate is zero energy."));

  /* The work is counted by a model, so the quotient is an estimate even if the energy is measured. */
  const char *reason = !isfinite (flops)  ? _ ("The FLOPs of a step are unknown; see “flops”.")
                       : bill->joules > 0 ? NULL
                                          : _ ("The estimate is zero energy.");
  g_autofree char *source = g_strdup_printf (
      _ ("FLOPs from operator cost rules on actual shapes, divided by energy: %s"), bill->source);

  if (reason != NULL)
    {
      say_why_not (bill, "ops_per_watt", reason);
      say_why_not (bill, "gflops_per_watt", reason);
      return;
    }
  dyno_measurement_add_estimated (measurement, "ops_per_watt", flops / bill->joules,
                                  get_unit ("ops_per_watt"), source);
  dyno_measurement_add_estimated (measurement, "gflops_per_watt", flops / bill->joules / 1e9,
                                  get_unit ("gflops_per_watt"), source);
}

/* Returns the possible error of the energy because the sensor updates only periodically, in per cent. */
static double
find_edge_error (const Bill *bill)
{
  return 100 * bill->energy.n_stretches * bill->part->info->period_seconds / bill->energy.seconds;
}

/* Returns the possible error of the energy because a counter has steps, in per cent. */
static double
find_step_error (const Bill *bill)
{
  if (bill->part->info->kind != DYNO_SENSOR_ENERGY || bill->energy.joules <= 0)
    return 0;
  return 100 * bill->energy.n_stretches * bill->part->counters->len * bill->part->info->resolution /
         bill->energy.joules;
}

static void
add_quantisation (const Bill *bill)
{
  const DynoSensorInfo *info = bill->part->info;
  double percent = find_edge_error (bill) + find_step_error (bill);
  g_autofree char *reason = NULL;

  if (percent > MAX_QUANTISATION_PERCENT)
    {
      g_autofree char *message = g_strdup_printf (
          _ ("The sensor updates every %g s, so the energy is uncertain by up to ±%.0f %%. Allow more time."),
          info->period_seconds, percent);

      dyno_measurement_add_diagnostic (bill->measurement, DYNO_SEVERITY_WARNING, "energy-quantised", message);
    }
  if (info->kind != DYNO_SENSOR_ENERGY || info->resolution > 0)
    {
      add_value (bill, "energy_quantisation_percent", percent);
      return;
    }
  reason = g_strdup_printf (_ ("The step size of the counter (%s) is not known. Its update every %g s alone "
                               "makes the energy uncertain by up to ±%.2g %%; the steps add to that."),
                            info->source, info->period_seconds, percent);
  say_why_not (bill, "energy_quantisation_percent", reason);
}

/* Uses the clock of all measurements, because the sensors have no other: the gaps that the engine's own clock leaves
 * out take power, too. */
static double
sum_seconds (GArray *stretches)
{
  gint64 sum = 0;

  for (guint i = 0; i < stretches->len; i++)
    sum +=
        g_array_index (stretches, DynoStretch, i).end_ns - g_array_index (stretches, DynoStretch, i).start_ns;
  return (double)sum / 1e9;
}

/* Returns the energy between the edges, without the share of pauses that were too short for the sensor. */
static double
get_joules (const DynoEnergy *energy, double seconds)
{
  return energy->joules * (seconds / energy->seconds);
}

/* Returns why the counter difference is invalid, or NULL. */
static char *
explain_gap (DynoPowerPart *part, GArray *stretches)
{
  double gap = dyno_power_part_find_gap (part, stretches);

  if (gap > 0)
    return g_strdup_printf (_ ("Power (%s) could not be read for %.2f s of the measurement."),
                            part->info->source, gap);
  return NULL;
}

static char *
explain_nothing (DynoPowerPart *part, GArray *stretches)
{
  g_autofree char *duration = dyno_unit_format (sum_seconds (stretches), "s");

  if (dyno_power_part_stands_still (part, stretches))
    return g_strdup_printf (
        _ ("The sensor (%s) did not change in %s: it does not measure, or needs more time."),
        part->info->source, duration);
  return NULL;
}

/* Returns: why there is no energy, NULL if there is */
static char *
find_energy (Bill *bill, GArray *stretches)
{
  const DynoSensorInfo *info = bill->part->info;
  char *reason;

  if (!dyno_power_part_measure (bill->part, stretches, &bill->energy))
    return g_strdup_printf (
        _ ("The sensor (%s) stopped answering, or its counter jumped, during the measurement."),
        info->source);
  reason = explain_gap (bill->part, stretches);
  if (reason == NULL)
    reason = explain_nothing (bill->part, stretches);
  if (reason == NULL && find_edge_error (bill) + find_step_error (bill) >= 100)
    reason = g_strdup_printf (
        _ ("The sensor (%s) updates every %g s, too slow for a measurement of %.2f s. Allow more time."),
        info->source, info->period_seconds, bill->energy.seconds);
  return reason;
}

static void
make_out (Bill *bill, GArray *stretches)
{
  g_autofree char *reason = find_energy (bill, stretches);

  if (reason != NULL)
    {
      add_unsupported (bill->measurement, reason);
      return;
    }
  bill->watts = bill->energy.joules / bill->energy.seconds;
  bill->seconds = sum_seconds (stretches);
  bill->joules = get_joules (&bill->energy, bill->seconds);
  add_value (bill, "power_avg_watts", bill->watts);

  if (bill->part->info->estimated)
    say_why_not (bill, "power_max_watts",
                 _ ("An estimate from kernel CPU time says nothing about single moments."));
  else
    {
      g_autoptr (DynoTrace) power = dyno_power_part_create_power (bill->part);
      double most;

      if (dyno_energy_trace_find_highest (power, stretches, &most))
        add_value (bill, "power_max_watts", most);
      else
        say_why_not (bill, "power_max_watts",
                     _ ("The measurement ended before power could be read twice; allow more time."));
    }

  add_value (bill, "energy_joules", bill->joules);
  add_net (bill);
  add_for_each (bill);
  add_quantisation (bill);
}

/* The counters of some boards use another unit than they report; in that case the polled power counts. */
static void
compare_counter (DynoMeasurement *measurement, DynoPowerPart *part, GArray *stretches)
{
  gboolean is_wrong;
  g_autofree char *message = NULL;
  double counted, polled;

  if (!dyno_power_part_compare (part, stretches, &counted, &polled) ||
      find_difference_percent (counted, polled) <= MAX_COUNTER_PERCENT)
    return;
  is_wrong = counted * MAX_DISAGREEMENT < polled || counted > polled * MAX_DISAGREEMENT;
  if (is_wrong)
    {
      dyno_power_part_distrust_counter (part);
      message = g_strdup_printf (_ ("By its energy counter, “%s” takes %.1f W, and by its power readings "
                                    "%.1f W, so power was integrated instead."),
                                 part->info->name, counted, polled);
    }
  else
    message = g_strdup_printf (_ ("By its energy counter, “%s” takes %.1f W, and by its power readings %.1f "
                                  "W, more than 5 %% apart: the energy is that of the counter."),
                               part->info->name, counted, polled);
  dyno_measurement_add_diagnostic (measurement, is_wrong ? DYNO_SEVERITY_WARNING : DYNO_SEVERITY_INFO,
                                   "energy-counter", message);
}

/* Every part has its own power over time and its own energy, because parts may contain each other. */
static void
add_part (DynoMeasurement *measurement, DynoPowerPart *part, GArray *stretches, gboolean works)
{
  DynoTrace *power = NULL;

  compare_counter (measurement, part, stretches);
  power = dyno_power_part_create_power (part);
  if (dyno_trace_get_length (power) > 0)
    dyno_measurement_take_trace (measurement, power);
  else
    g_object_unref (power);

  g_autofree char *name = g_strdup_printf ("energy_%s_joules", part->info->name);
  DynoSensorDomain domain = part->info->domain;
  gboolean may_be_off =
      domain == DYNO_DOMAIN_UNCORE || domain == DYNO_DOMAIN_DEVICE || domain == DYNO_DOMAIN_OTHER;
  g_autofree char *reason = dyno_measurement_explain_no_sum (measurement, _ (no_energy));

  if (reason == NULL)
    reason = explain_gap (part, stretches);
  if (reason == NULL && (works || !may_be_off))
    reason = explain_nothing (part, stretches);

  g_autofree char *source = dyno_power_part_describe (part);
  DynoEnergy energy;
  double joules;

  if (reason != NULL)
    dyno_measurement_add_unsupported (measurement, name, "J", reason);
  if (reason != NULL || !dyno_power_part_measure (part, stretches, &energy))
    return;
  joules = get_joules (&energy, sum_seconds (stretches));
  if (part->info->estimated)
    dyno_measurement_add_estimated (measurement, name, joules, "J", source);
  else
    dyno_measurement_add_measured (measurement, name, joules, "J", source);
}

static char *
explain_absence (DynoMeasurement *measurement, const char *reason)
{
  static const char *const of_processor[] = { "rapl", "perf", NULL };
  static const char *const of_device[] = { "nvml", "rocm", NULL };
  g_autofree char *text = NULL;

  if (reason != NULL)
    return g_strdup (reason);
  if (g_getenv ("DYNO_SHARED_NODE") != NULL)
    return g_strdup (_ ("Other jobs may run on this node meanwhile, and a sensor measures all of it."));
  if (measurement->sensors == NULL)
    return g_strdup (_ ("Power sampling is off; set “power-milliseconds”."));
  text = dyno_sensor_set_explain (measurement->sensors,
                                  dyno_measurement_is_on_device (measurement) ? of_device : of_processor);
  if (*text != '\0')
    return g_steal_pointer (&text);
  return g_strdup (_ ("No sensor reports the power of the device the work ran on."));
}

static void
dyno_power_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoPowerMetric *self = DYNO_POWER_METRIC (metric);
  g_autoptr (GArray) stretches = dyno_measurement_list_steady_stretches (measurement);
  g_autofree char *unsteady = dyno_measurement_explain_no_sum (measurement, _ (no_energy));
  g_autofree char *reason = NULL;
  g_autofree char *of_part = NULL;
  Bill bill = { .measurement = measurement, .part = choose_part (self, measurement, &reason) };
  double load = measurement->sampler != NULL ? dyno_sampler_get_load_percent (measurement->sampler) : 0;

  if (load > 0)
    dyno_measurement_add_measured (measurement, "sampler_load_percent", load, "%",
                                   "processor time of the thread that reads the sensors, over its wall time");
  for (guint i = 0; i < self->parts->len && !dyno_measurement_is_elsewhere (measurement); i++)
    add_part (measurement, g_ptr_array_index (self->parts, i), stretches,
              g_ptr_array_index (self->parts, i) == bill.part);
  if (bill.part == NULL)
    {
      g_autofree char *why = explain_absence (measurement, reason);

      add_unsupported (measurement, why);
      return;
    }

  /* A sensor cannot separate single processes; if another one than this works, the text says so. */
  of_part = dyno_power_part_describe (bill.part);
  bill.source =
      measurement->server != NULL
          ? g_strconcat (of_part, "; of the whole machine, whatever else ran beside the server", NULL)
          : g_steal_pointer (&of_part);
  if (unsteady != NULL)
    {
      /* Idle power was measured before, so it stays valid. */
      double idle;

      for (guint i = 0; i < G_N_ELEMENTS (values); i++)
        if (!g_str_equal (values[i].name, "idle_power_watts"))
          say_why_not (&bill, values[i].name, unsteady);
      add_idle (&bill, &idle);
    }
  else
    make_out (&bill, stretches);
  g_free (bill.source);
}

static const DynoMetricValue known_values[] = {
  { "sampler_load_percent", N_ ("Sampling overhead"), FALSE,
    .note = "processor time of the sampler’s thread" },
  { "power_avg_watts", N_ ("Average power"), TRUE },
  { "power_max_watts", N_ ("Maximum power"), TRUE },
  { "idle_power_watts", N_ ("Idle power"), TRUE, .note = "measured before and after the case" },
  { "energy_joules", N_ ("Energy"), TRUE, .note = "steady state, gross" },
  { "energy_net_joules", N_ ("Energy above idle"), TRUE,
    .note = "net of idle; unsupported where the idle power before and after differ, or were not flat" },
  { "energy_per_item_joules", N_ ("Energy per item"), TRUE },
  { "energy_per_token_joules", N_ ("Energy per token"), TRUE },
  { "energy_quantisation_percent", N_ ("Energy quantisation error"), FALSE,
    .note = "possible error of the counter’s steps at the edges" },
  { "ops_per_watt", N_ ("FLOP/s per watt"), TRUE, TRUE },
  { "gflops_per_watt", N_ ("GFLOP/s per watt"), TRUE, TRUE },
  { "throughput_per_watt", N_ ("Throughput per watt"), TRUE, TRUE, .note = "items/s per W" },
  { "energy_package_joules", N_ ("Energy of the processor"), FALSE },
  { "energy_core_joules", N_ ("Energy of the processor cores"), FALSE },
  { "energy_uncore_joules", N_ ("Energy of the integrated graphics"), FALSE },
  { "energy_dram_joules", N_ ("Energy of the memory"), FALSE },
  { "energy_psys_joules", N_ ("Energy of the whole board"), FALSE },
  { "energy_battery_joules", N_ ("Energy from the battery"), FALSE },
  { "energy_estimate_joules", N_ ("Energy, estimated"), FALSE },
  { NULL },
};

static void
dyno_power_metric_class_init (DynoPowerMetricClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  object_class->finalize = dyno_power_metric_finalize;

  metric_class->id = "power";
  metric_class->values = known_values;
  metric_class->once = TRUE;
  metric_class->start = dyno_power_metric_start;
  metric_class->loaded = dyno_power_metric_loaded;
  metric_class->rest = dyno_power_metric_rest;
  metric_class->collect = dyno_power_metric_collect;
}

static void
dyno_power_metric_init (DynoPowerMetric *self)
{
  self->parts = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_power_part_free);
}
