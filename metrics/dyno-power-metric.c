/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-power-metric.h"
#include "dyno-power-part.h"

/* A counter's steps are small beside a window of so many of them, or of so long. */
#define MIN_PERIODS        100
#define MAX_WINDOW_SECONDS 5

/* The processor takes a moment to calm down before it is idle. */
#define IDLE_SHARE_SKIPPED 0.2

/* Above this share of the load's power, what is left net of the idle machine is mostly uncertainty. */
#define MAX_IDLE_SHARE 0.8

#define MAX_QUANTISATION_PERCENT 5

struct _DynoPowerMetric
{
  DynoMetric parent_instance;

  GPtrArray *parts;
};

G_DEFINE_FINAL_TYPE (DynoPowerMetric, dyno_power_metric, DYNO_TYPE_METRIC)

/* The part that a case is charged with, and what it took. */
typedef struct
{
  DynoMeasurement *measurement;
  DynoPowerPart *part;
  char *source;
  DynoEnergy energy;
  double seconds; /* of the stretches, whatever the engine says of its steps */
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
add_sensor (DynoPowerMetric *self, DynoMeasurement *measurement, DynoSensor *sensor)
{
  const DynoSensorInfo *info = dyno_sensor_get_info (sensor);
  g_autofree char *name =
      g_strconcat (info->kind == DYNO_SENSOR_ENERGY ? "energy_" : "power_", info->name, NULL);

  dyno_power_part_take_trace (
      ensure_part (self, info), info,
      dyno_sampler_add (measurement->sampler, sensor, name, measurement->power_milliseconds));
  if (info->domain != DYNO_DOMAIN_OTHER && !info->estimated)
    measurement->rest_seconds = measurement->idle_seconds;
}

static void
dyno_power_metric_start (DynoMetric *metric, DynoMeasurement *measurement)
{
  guint n = measurement->sensors != NULL ? dyno_sensor_set_get_n_sensors (measurement->sensors) : 0;

  for (guint i = 0; i < n; i++)
    {
      DynoSensor *sensor = dyno_sensor_set_get_sensor (measurement->sensors, i);
      DynoSensorKind kind = dyno_sensor_get_info (sensor)->kind;

      if (kind == DYNO_SENSOR_ENERGY || kind == DYNO_SENSOR_POWER)
        add_sensor (DYNO_POWER_METRIC (metric), measurement, sensor);
    }
}

/* @reason tells why there is none, where there is more to say than that nothing tells its power. */
static DynoPowerPart *
choose_part (DynoPowerMetric *self, DynoMeasurement *measurement, char **reason)
{
  const DynoSensorInfo *device = dyno_measurement_find_device_sensor (measurement, reason);

  return dyno_power_part_choose (self->parts, dyno_measurement_is_on_device (measurement), device);
}

static void
dyno_power_metric_loaded (DynoMetric *metric, DynoMeasurement *measurement)
{
  g_autofree char *reason = NULL;
  DynoPowerPart *part = choose_part (DYNO_POWER_METRIC (metric), measurement, &reason);

  if (part != NULL)
    measurement->window_seconds =
        MAX (measurement->window_seconds, MIN (MIN_PERIODS * part->info->period_seconds, MAX_WINDOW_SECONDS));
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

/* The work is counted by a model, so what it is divided by may be as measured as it likes. */
static void
add_work (const Bill *bill, double flops)
{
  g_autofree char *source = g_strdup_printf (
      _ ("FLOPs by the operators’ rules on actual shapes, over the energy: %s"), bill->source);

  dyno_measurement_add_estimated (bill->measurement, "ops_per_watt", flops / bill->joules,
                                  get_unit ("ops_per_watt"), source);
  dyno_measurement_add_estimated (bill->measurement, "gflops_per_watt", flops / bill->joules / 1e9,
                                  get_unit ("gflops_per_watt"), source);
}

static void
say_why_not (const Bill *bill, const char *name, const char *reason)
{
  dyno_measurement_add_unsupported (bill->measurement, name, get_unit (name), reason);
}

static gboolean
lies_within (GArray *stretches, gint64 start_ns, gint64 end_ns)
{
  for (guint i = 0; i < stretches->len; i++)
    {
      const DynoStretch *stretch = &g_array_index (stretches, DynoStretch, i);

      if (start_ns >= stretch->start_ns && end_ns <= stretch->end_ns)
        return TRUE;
    }
  return FALSE;
}

/* A point of a trace is the mean since the point before. */
static void
find_maximum (const Bill *bill, GArray *stretches)
{
  g_autoptr (DynoTrace) power = dyno_power_part_create_power (bill->part);
  const gint64 *times = dyno_trace_get_times (power);
  double most = -INFINITY;

  for (gsize i = 1; i < dyno_trace_get_length (power); i++)
    if (lies_within (stretches, times[i - 1], times[i]))
      most = MAX (most, dyno_trace_get_values (power)[i]);
  if (isfinite (most))
    add_value (bill, "power_max_watts", most);
  else
    say_why_not (bill, "power_max_watts",
                 _ ("The measurement was over before the power could be read twice; allow more time."));
}

static void
add_maximum (const Bill *bill, GArray *stretches)
{
  if (bill->part->info->estimated)
    say_why_not (bill, "power_max_watts",
                 _ ("An estimate from the kernel’s counts of ticks says nothing of single moments."));
  else
    find_maximum (bill, stretches);
}

static gboolean
measure_idle (const Bill *bill, double *watts)
{
  const DynoMeasurement *measurement = bill->measurement;
  g_autoptr (DynoTrace) energy = dyno_power_part_create_energy (bill->part);
  gint64 length = measurement->rest_ns[1] - measurement->rest_ns[0];
  DynoStretch rest = {
    .start_ns =
        measurement->rest_ns[0] - measurement->origin_ns + (gint64)((double)length * IDLE_SHARE_SKIPPED),
    .end_ns = measurement->rest_ns[1] - measurement->origin_ns,
  };
  DynoEnergy idle;

  if (length <= 0 || !dyno_energy_trace_measure (energy, &rest, 1, 0, &idle) ||
      idle.seconds <= bill->part->info->period_seconds)
    return FALSE;
  *watts = idle.joules / idle.seconds;
  return TRUE;
}

static const char *
explain_no_idle (const Bill *bill)
{
  return bill->part->info->estimated
             ? _ ("An estimate has no idle power.")
             : _ ("The idle machine was not looked at, or too shortly; set “idle-seconds”.");
}

static gboolean
add_idle (const Bill *bill, double *watts)
{
  if (bill->part->info->estimated || !measure_idle (bill, watts))
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
  double idle;

  if (!add_idle (bill, &idle))
    {
      say_why_not (bill, "energy_net_joules", explain_no_idle (bill));
      return;
    }
  add_value (bill, "energy_net_joules", bill->joules - idle * bill->seconds);
  if (idle > MAX_IDLE_SHARE * bill->watts)
    dyno_measurement_add_diagnostic (bill->measurement, DYNO_SEVERITY_INFO, "idle-power",
                                     _ ("The idle machine takes more than four fifths of the power under "
                                        "load, so the net energy is mostly "
                                        "uncertainty."));
}

static double
count_tokens (const DynoMeasurement *measurement, double n_items)
{
  double n_generations =
      (double)dyno_samples_get_length (measurement->samples) * measurement->steps_per_sample;

  if (measurement->decodes == NULL)
    return n_items * measurement->sequence_length;
  /* The first token of a generation comes with the prompt. */
  return n_items * (1 + (double)dyno_samples_get_length (measurement->decodes) / n_generations);
}

static void
add_for_each (const Bill *bill)
{
  DynoMeasurement *measurement = bill->measurement;
  double n_steps =
      (double)(measurement->steady_end - measurement->steady_first) * measurement->steps_per_sample;
  double n_items = n_steps * dyno_measurement_get_items_per_step (measurement);
  double n_tokens = count_tokens (measurement, n_items);
  double flops = n_steps * dyno_measurement_get_number (measurement, "flops");

  add_value (bill, "energy_per_item_joules", bill->joules / n_items);
  if (n_tokens > 0)
    add_value (bill, "energy_per_token_joules", bill->joules / n_tokens);
  if (bill->joules <= 0)
    return;
  add_value (bill, "throughput_per_watt", n_items / bill->joules);
  if (measurement->decodes == NULL && isfinite (flops))
    add_work (bill, flops);
}

static double
find_quantisation (const Bill *bill)
{
  const DynoSensorInfo *info = bill->part->info;
  double at_edges = bill->energy.n_stretches * info->period_seconds / bill->energy.seconds;
  double in_steps =
      bill->energy.joules > 0 ? bill->energy.n_stretches * info->resolution / bill->energy.joules : 0;

  return 100 * (at_edges + (info->kind == DYNO_SENSOR_ENERGY ? in_steps : 0));
}

static void
add_quantisation (const Bill *bill, double percent)
{
  g_autofree char *message = NULL;

  add_value (bill, "energy_quantisation_percent", percent);
  if (percent <= MAX_QUANTISATION_PERCENT)
    return;
  message =
      g_strdup_printf (_ ("The sensor is renewed every %g s, so the energy is uncertain by up to ±%.0f %%. "
                          "Allow more time."),
                       bill->part->info->period_seconds, percent);
  dyno_measurement_add_diagnostic (bill->measurement, DYNO_SEVERITY_WARNING, "energy-quantised", message);
}

/* By the clock of all measurements, because the sensors know no other: whatever the engine's own clock leaves out between
 * its steps takes power, too. */
static double
sum_seconds (GArray *stretches)
{
  gint64 sum = 0;

  for (guint i = 0; i < stretches->len; i++)
    sum +=
        g_array_index (stretches, DynoStretch, i).end_ns - g_array_index (stretches, DynoStretch, i).start_ns;
  return (double)sum / 1e9;
}

/* As it was read at the edges; of a pause that was too short for the sensor to see its edges, its share is left out. */
static double
get_joules (const DynoEnergy *energy, double seconds)
{
  return energy->joules * (seconds / energy->seconds);
}

/* The idle machine was looked at before, so that stands. */
static void
make_out_unsteady (Bill *bill, const char *reason)
{
  double idle;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (!g_str_equal (values[i].name, "idle_power_watts"))
      say_why_not (bill, values[i].name, reason);
  add_idle (bill, &idle);
}

static void
make_out (Bill *bill, GArray *stretches)
{
  g_autoptr (DynoTrace) energy = dyno_power_part_create_energy (bill->part);
  g_autofree char *reason = NULL;
  double percent;

  if (!dyno_energy_trace_measure (energy, (const DynoStretch *)stretches->data, stretches->len,
                                  bill->part->info->period_seconds, &bill->energy))
    {
      reason =
          g_strdup_printf (_ ("The sensor (%s) stopped answering, or its counter jumped, while it measured."),
                           bill->part->info->source);
      add_unsupported (bill->measurement, reason);
      return;
    }
  percent = find_quantisation (bill);
  if (percent >= 100)
    {
      reason =
          g_strdup_printf (_ ("The sensor (%s) is renewed every %g s, which is too slow for a measurement of "
                              "%.2f s. Allow more time."),
                           bill->part->info->source, bill->part->info->period_seconds, bill->energy.seconds);
      add_unsupported (bill->measurement, reason);
      return;
    }
  bill->watts = bill->energy.joules / bill->energy.seconds;
  bill->seconds = sum_seconds (stretches);
  bill->joules = get_joules (&bill->energy, bill->seconds);
  add_value (bill, "power_avg_watts", bill->watts);
  add_maximum (bill, stretches);
  add_value (bill, "energy_joules", bill->joules);
  add_net (bill);
  add_for_each (bill);
  add_quantisation (bill, percent);
}

static void
add_part_energy (DynoMeasurement *measurement, DynoPowerPart *part, GArray *stretches)
{
  g_autofree char *name = g_strdup_printf ("energy_%s_joules", part->info->name);
  g_autofree char *unsteady = dyno_measurement_explain_no_sum (measurement);
  g_autofree char *source = dyno_power_part_describe (part);
  g_autoptr (DynoTrace) growing = dyno_power_part_create_energy (part);
  DynoEnergy energy;
  double joules;

  if (unsteady != NULL)
    dyno_measurement_add_unsupported (measurement, name, "J", unsteady);
  if (unsteady != NULL || !dyno_energy_trace_measure (growing, (const DynoStretch *)stretches->data,
                                                      stretches->len, part->info->period_seconds, &energy))
    return;
  joules = get_joules (&energy, sum_seconds (stretches));
  if (part->info->estimated)
    dyno_measurement_add_estimated (measurement, name, joules, "J", source);
  else
    dyno_measurement_add_measured (measurement, name, joules, "J", source);
}

/* Every part has its power over time and its energy, each on its own: they may lie within each other. */
static void
add_part (DynoMeasurement *measurement, DynoPowerPart *part, GArray *stretches)
{
  DynoTrace *power = NULL;

  if (dyno_power_part_counter_disagrees (part, stretches))
    {
      dyno_power_part_distrust_counter (part);
      dyno_measurement_add_diagnostic (
          measurement, DYNO_SEVERITY_WARNING, "energy-counter",
          _ ("A device’s counter of energy does not fit its power, so the power was "
             "integrated instead."));
    }
  power = dyno_power_part_create_power (part);
  if (dyno_trace_get_length (power) > 0)
    dyno_measurement_take_trace (measurement, power);
  else
    g_object_unref (power);
  add_part_energy (measurement, part, stretches);
}

static char *
explain_absence (DynoMeasurement *measurement, const char *reason)
{
  static const char *const of_processor[] = { "rapl", "perf", NULL };
  static const char *const of_device[] = { "nvml", "rocm", NULL };
  g_autofree char *text = NULL;

  if (reason != NULL)
    return g_strdup (reason);
  if (measurement->sensors == NULL)
    return g_strdup (_ ("Sampling power is switched off; set “power-milliseconds”."));
  text = dyno_sensor_set_explain (measurement->sensors,
                                  dyno_measurement_is_on_device (measurement) ? of_device : of_processor);
  if (*text != '\0')
    return g_steal_pointer (&text);
  return g_strdup (_ ("None of the sensors tells the power of what the work ran on."));
}

static void
dyno_power_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  DynoPowerMetric *self = DYNO_POWER_METRIC (metric);
  g_autoptr (GArray) stretches = dyno_measurement_list_steady_stretches (measurement);
  g_autofree char *unsteady = dyno_measurement_explain_no_sum (measurement);
  g_autofree char *reason = NULL;
  Bill bill = { .measurement = measurement, .part = choose_part (self, measurement, &reason) };

  if (measurement->sampler != NULL && dyno_sampler_get_load_percent (measurement->sampler) > 0)
    dyno_measurement_add_measured (measurement, "sampler_load_percent",
                                   dyno_sampler_get_load_percent (measurement->sampler), "%",
                                   "processor time of the thread that reads the sensors, over its wall time");
  for (guint i = 0; i < self->parts->len; i++)
    add_part (measurement, g_ptr_array_index (self->parts, i), stretches);
  if (bill.part == NULL)
    {
      g_autofree char *why = explain_absence (measurement, reason);

      add_unsupported (measurement, why);
      return;
    }
  bill.source = dyno_power_part_describe (bill.part);
  if (unsteady != NULL)
    make_out_unsteady (&bill, unsteady);
  else
    make_out (&bill, stretches);
  g_free (bill.source);
}

static void
dyno_power_metric_class_init (DynoPowerMetricClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  object_class->finalize = dyno_power_metric_finalize;

  metric_class->id = "power";
  metric_class->start = dyno_power_metric_start;
  metric_class->loaded = dyno_power_metric_loaded;
  metric_class->collect = dyno_power_metric_collect;
}

static void
dyno_power_metric_init (DynoPowerMetric *self)
{
  self->parts = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_power_part_free);
}
