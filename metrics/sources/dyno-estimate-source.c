/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <time.h>
#include <unistd.h>

#include "dyno-sensor-source.h"

typedef struct
{
  double watts_per_processor;
  double seconds_before;
} EstimateData;

static double
read_processor_seconds (void)
{
  struct timespec used;

  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &used);
  return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

static gboolean
read_joules (gpointer data, gint64 now_ns, double *value)
{
  EstimateData *self = data;

  *value = self->watts_per_processor * (read_processor_seconds () - self->seconds_before);
  return TRUE;
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  EstimateData *data;
  g_autofree char *source = NULL;
  DynoSensorInfo info = {
    .kind = DYNO_SENSOR_ENERGY,
    .domain = DYNO_DOMAIN_PACKAGE,
    .name = "estimate",
    .estimated = TRUE,
  };

  if (tdp_watts <= 0)
    return dyno_probe_new_unsupported (
        _ ("Power is not estimated unless you declare the processor’s thermal design power."),
        _ ("Set “tdp-watts” in the plan’s method; an estimate is always labelled as one."));
  source = g_strdup_printf (
      _ ("no sensor: declared thermal design power of %g W × the process’s share of all processors’ time"),
      tdp_watts);
  info.source = source;
  data = g_new0 (EstimateData, 1);
  data->watts_per_processor = tdp_watts / (double)sysconf (_SC_NPROCESSORS_ONLN);
  data->seconds_before = read_processor_seconds ();
  g_ptr_array_add (sensors, dyno_sensor_new (&info, read_joules, data, g_free));
  return dyno_probe_new_available ("tdp-watts");
}

const DynoSensorSource dyno_estimate_source = { "estimate", N_ ("Estimate"), discover };
