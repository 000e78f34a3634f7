/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#include "dyno-chart-kinds-private.h"

/* The parts most relevant to the work come first. */
static const struct
{
  const char *part;
  const char *name;
} parts[] = {
  { "package", N_ ("CPU") },      { "nvidia0", N_ ("NVIDIA GPU") },    { "amd0", N_ ("AMD GPU") },
  { "psys", N_ ("Whole board") }, { "battery", N_ ("Battery") },       { "dram", N_ ("Memory") },
  { "core", N_ ("CPU cores") },   { "uncore", N_ ("Integrated GPU") }, { "estimate", N_ ("CPU") },
};

GPtrArray *
dyno_sensor_traces_list (DynoResult *result, const char *prefix)
{
  GPtrArray *traces = dyno_result_get_traces (result);
  GPtrArray *found = g_ptr_array_new ();

  for (guint i = 0; i < traces->len; i++)
    {
      DynoTrace *trace = g_ptr_array_index (traces, i);

      if (dyno_trace_get_invocation (trace) == 0 && g_str_has_prefix (dyno_trace_get_name (trace), prefix) &&
          dyno_trace_get_length (trace) > 1)
        g_ptr_array_add (found, trace);
    }
  return found;
}

const char *
dyno_sensor_traces_get_part (DynoTrace *power)
{
  return dyno_trace_get_name (power) + strlen (DYNO_TRACES_POWER);
}

const char *
dyno_sensor_traces_get_part_name (DynoTrace *power)
{
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    if (strcmp (parts[i].part, dyno_sensor_traces_get_part (power)) == 0)
      return _ (parts[i].name);
  return dyno_sensor_traces_get_part (power);
}

DynoTrace *
dyno_sensor_traces_find_main_power (DynoResult *result)
{
  g_autoptr (GPtrArray) traces = dyno_sensor_traces_list (result, DYNO_TRACES_POWER);

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    for (guint j = 0; j < traces->len; j++)
      if (strcmp (dyno_sensor_traces_get_part (traces->pdata[j]), parts[i].part) == 0)
        return traces->pdata[j];
  return traces->len > 0 ? traces->pdata[0] : NULL;
}

DynoSeries *
dyno_sensor_traces_create_means (DynoTrace *trace, const char *name, guint slot)
{
  DynoSeries *series = dyno_series_new (name, slot);
  const gint64 *times = dyno_trace_get_times (trace);
  const double *values = dyno_trace_get_values (trace);
  gsize length = dyno_trace_get_length (trace);

  dyno_series_reserve (series, (guint)length);
  for (gsize i = 1; i < length; i++)
    dyno_series_add (series, (double)times[i - 1] / 1e9, values[i]);
  dyno_series_add (series, (double)times[length - 1] / 1e9, values[length - 1]);
  return series;
}
