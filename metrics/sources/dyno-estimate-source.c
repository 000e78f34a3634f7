/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-paths.h"
#include "dyno-sensor-source.h"

/* The kernel accounts a processor's time in whole ticks, each at its end. So a reading may include more ticks than
 * there was time for since the previous one, and the estimate would exceed the declared power, which is wrong for any
 * work. The excess is carried over to later readings: no reading exceeds the declared power, and the sum is still
 * that of the ticks. */

/* The fields of procfs' stat that are work of this machine: user, nice, system, then interrupts, hard and soft. */
#define N_FIELDS     7
#define FIELD_IDLE   3
#define FIELD_IOWAIT 4

typedef struct
{
  int stat;
  double watts;
  double joules_per_tick;
  gint64 ticks_before;
  double joules;
  gint64 last_ns; /* the end of the previous reading */
} EstimateData;

static void
estimate_data_free (gpointer data)
{
  EstimateData *self = data;

  close (self->stat);
  g_free (self);
}

/* Reads the ticks of all processors since boot; the first line is their sum. */
static gboolean
read_busy_ticks (int stat, gint64 *ticks)
{
  char text[256];
  gssize length = pread (stat, text, sizeof text - 1, 0);
  char *rest = text + strlen ("cpu ");

  if (length <= 0)
    return FALSE;
  text[length] = '\0';
  if (!g_str_has_prefix (text, "cpu "))
    return FALSE;
  *ticks = 0;
  for (guint i = 0; i < N_FIELDS; i++)
    {
      char *end;
      gint64 field = g_ascii_strtoll (rest, &end, 10);

      if (end == rest)
        return FALSE;
      if (i != FIELD_IDLE && i != FIELD_IOWAIT)
        *ticks += field;
      rest = end;
    }
  return TRUE;
}

/* Like a counter in the processor, it counts all work, because an engine may have several processes. */
static gboolean
read_joules (gpointer data, gint64 now_ns, double *value)
{
  EstimateData *self = data;
  double most = self->joules + self->watts * (double)(now_ns - self->last_ns) / 1e9;
  gint64 ticks;

  if (!read_busy_ticks (self->stat, &ticks))
    return FALSE;
  self->joules = MIN (self->joules_per_tick * (double)(ticks - self->ticks_before), most);
  *value = self->joules;
  self->last_ns = dyno_clock_now_ns ();
  return TRUE;
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "stat", NULL);
  gint64 ticks;
  int stat;

  if (tdp_watts <= 0)
    return dyno_probe_new_unsupported (
        _ ("Power is only estimated if you declare the CPU’s TDP."),
        _ ("Set “Estimate Energy From TDP” on the Benchmark page, or “tdp-watts” in a plan’s method; an "
           "estimate is always labelled as one."));
  stat = open (path, O_RDONLY | O_CLOEXEC);
  if (stat < 0 || !read_busy_ticks (stat, &ticks))
    {
      if (stat >= 0)
        close (stat);
      return dyno_probe_new_unsupported (
          _ ("Power cannot be estimated: the kernel does not report CPU load."), NULL);
    }

  EstimateData *data = g_new0 (EstimateData, 1);
  double ticks_per_second = (double)sysconf (_SC_CLK_TCK) * (double)sysconf (_SC_NPROCESSORS_ONLN);
  g_autofree char *source = g_strdup_printf (_ ("no sensor: declared thermal design power of %g W × the "
                                                "share of all processors’ time that was busy"),
                                             tdp_watts);
  DynoSensorInfo info = {
    .kind = DYNO_SENSOR_ENERGY,
    .domain = DYNO_DOMAIN_PACKAGE,
    .name = "estimate",
    .source = source,
    .period_seconds = 1.0 / (double)sysconf (_SC_CLK_TCK),
    .resolution = tdp_watts / ticks_per_second,
    .estimated = TRUE,
  };

  data->stat = stat;
  data->watts = tdp_watts;
  data->last_ns = dyno_clock_now_ns ();
  data->joules_per_tick = tdp_watts / ticks_per_second;
  data->ticks_before = ticks;
  g_ptr_array_add (sensors, dyno_sensor_new (&info, read_joules, data, estimate_data_free));
  return dyno_probe_new_available ("tdp-watts");
}

const DynoSensorSource dyno_estimate_source = { "estimate", N_ ("Estimate"), discover };
