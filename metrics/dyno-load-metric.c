/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-clock.h"
#include "dyno-metric.h"

/* No model is loaded faster. */
#define LEAST_LOAD_MS 50

/* The time until a model is ready: loading, first run, warm-up. */
G_DECLARE_FINAL_TYPE (DynoLoadMetric, dyno_load_metric, DYNO, LOAD_METRIC, DynoMetric)

struct _DynoLoadMetric
{
  DynoMetric parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoLoadMetric, dyno_load_metric, DYNO_TYPE_METRIC)

/* The server also reports the time to find a model that is already loaded, but that is not loading. */
static gboolean
has_loaded (DynoMeasurement *measurement)
{
  double first = measurement->server->first_load_ms;
  double longest = 0;
  gsize end = 0, begin = 0;

  if (measurement->served != NULL)
    begin = dyno_measurement_find_served (measurement, &end);
  for (gsize i = begin; i < end; i++)
    longest = MAX (longest, ((const DynoServed *)measurement->served->pdata[i])->load_ms);
  return first > LEAST_LOAD_MS && first > 2 * longest;
}

static void
add_load_time (DynoMeasurement *measurement, const char *source)
{
  if (measurement->server == NULL)
    dyno_measurement_add_measured (measurement, "load_time_ms",
                                   dyno_measurement_get_phase_milliseconds (measurement, DYNO_PHASE_LOAD),
                                   "ms", source);
  else if (has_loaded (measurement))
    dyno_measurement_add_measured (measurement, "load_time_ms", measurement->server->first_load_ms, "ms",
                                   "as the server told of the first request, which loaded the model");
  else
    dyno_measurement_add_unsupported (measurement, "load_time_ms", "ms",
                                      _ ("The server loads the model by itself, at the latest with the first "
                                         "request, so the first run may contain it."));
}

static void
dyno_load_metric_collect (DynoMetric *metric, DynoMeasurement *measurement)
{
  const char *source = "CLOCK_MONOTONIC_RAW at the edges of the phase";
  g_autofree char *of_first_run =
      g_strdup_printf ("%s around the first step", dyno_measurement_get_clock_name (measurement));

  add_load_time (measurement, source);
  dyno_measurement_add_measured (measurement, "first_run_ms",
                                 (double)measurement->warm_up->durations[0] / 1e6, "ms", of_first_run);

  for (guint i = 0; measurement->load_stages != NULL && i < measurement->load_stages->len; i++)
    {
      const DynoLoadStage *stage = &g_array_index (measurement->load_stages, DynoLoadStage, i);
      g_autofree char *name = g_strdup_printf ("load_%s_ms", stage->name);

      dyno_measurement_add_measured (measurement, name, (double)stage->duration_ns / 1e6, "ms",
                                     "a part of loading, as the engine's backend timed it");
    }

  dyno_measurement_add_measured (measurement, "warm_up_ms",
                                 dyno_measurement_get_phase_milliseconds (measurement, DYNO_PHASE_WARM_UP),
                                 "ms", source);
  dyno_measurement_add_measured (measurement, "warm_up_steps",
                                 (double)dyno_samples_get_length (measurement->warm_up), "",
                                 "steps before the measurement, the first run among them");

  DynoTrace *trace = dyno_trace_new ("phases", "", measurement->origin_ns);

  for (guint phase = 0; phase <= DYNO_N_PHASES; phase++)
    if (measurement->phase_ns[phase] != 0)
      dyno_trace_add (trace, measurement->phase_ns[phase] - measurement->origin_ns, phase);
  dyno_measurement_take_trace (measurement, trace);

  /* Other recorders, such as a power meter, use the time of day. */
  DynoTrace *clock = dyno_trace_new (DYNO_TRACE_WALL_CLOCK, "s", measurement->origin_ns);

  dyno_trace_add (clock, 0, (double)measurement->origin_wall_us / G_USEC_PER_SEC);
  dyno_trace_add (clock, dyno_clock_now_ns () - measurement->origin_ns,
                  (double)g_get_real_time () / G_USEC_PER_SEC);
  dyno_measurement_take_trace (measurement, clock);
}

static const DynoMetricValue known_values[] = {
  { "load_time_ms", N_ ("Load time"), TRUE },
  { "first_run_ms", N_ ("First run"), TRUE },
  { "warm_up_ms", N_ ("Warm-up time"), TRUE },
  { "warm_up_steps", N_ ("Warm-up steps"), FALSE },
  { "load_read_ms", N_ ("Load: reading the model"), FALSE, .note = "OpenVINO" },
  { "load_compile_ms", N_ ("Load: compiling"), FALSE, .note = "in a browser, OpenVINO and QNN" },
  { "load_compile_cached_ms", N_ ("Load: compiling, from the cache"), FALSE, .note = "OpenVINO and QNN" },
  { "load_browser_start_ms", N_ ("Load: starting the browser"), FALSE, .note = "in a browser" },
  { "load_page_load_ms", N_ ("Load: opening the page"), FALSE, .note = "in a browser" },
  { "load_runtime_start_ms", N_ ("Load: starting the runtime"), FALSE, .note = "in a browser" },
  { "load_transfer_ms", N_ ("Load: transferring the model"), FALSE, .note = "in a browser" },
  { NULL },
};

static void
dyno_load_metric_class_init (DynoLoadMetricClass *klass)
{
  DynoMetricClass *metric_class = DYNO_METRIC_CLASS (klass);

  metric_class->id = "load";
  metric_class->values = known_values;
  metric_class->collect = dyno_load_metric_collect;
}

static void
dyno_load_metric_init (DynoLoadMetric *self)
{
}
