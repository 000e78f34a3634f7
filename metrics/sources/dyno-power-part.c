/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metrics-sources-private.h"

/* Mean power covers at least this many periods of a counter, so that its steps do not show. */
#define PERIODS_OF_A_POINT 10
#define MIN_POINT_SECONDS  0.02

/* If power readings are further apart than this many usual intervals, and than this time, the power between them is
 * unknown. */
#define MAX_GAP_PERIODS 5
#define MIN_GAP_SECONDS 0.25

/* A stretch counts without its beginning if that is at most this share of it. */
#define MAX_RISE_SHARE 0.25

/* A pause of this share of a sensor's period does not show in its readings. */
#define INVISIBLE_SHARE 0.1

DynoPowerPart *
dyno_power_part_new (const DynoSensorInfo *info)
{
  DynoPowerPart *self = g_new0 (DynoPowerPart, 1);

  self->info = info;
  self->counters = g_ptr_array_new_with_free_func (g_object_unref);
  self->gauges = g_ptr_array_new_with_free_func (g_object_unref);
  return self;
}

void
dyno_power_part_free (DynoPowerPart *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->counters);
  g_ptr_array_unref (self->gauges);
  g_free (self);
}

void
dyno_power_part_take_trace (DynoPowerPart *self, const DynoSensorInfo *info, DynoTrace *trace)
{
  if (info->kind == DYNO_SENSOR_POWER && self->gauge_info == NULL)
    self->gauge_info = info;
  g_ptr_array_add (info->kind == DYNO_SENSOR_POWER ? self->gauges : self->counters, trace);
}

static DynoTrace *
integrate (DynoPowerPart *self)
{
  g_autoptr (GPtrArray) energies = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < self->gauges->len; i++)
    g_ptr_array_add (energies, dyno_energy_trace_integrate (g_ptr_array_index (self->gauges, i)));
  return dyno_energy_trace_add_up (energies);
}

DynoTrace *
dyno_power_part_create_energy (DynoPowerPart *self)
{
  return self->counters->len > 0 ? dyno_energy_trace_add_up (self->counters) : integrate (self);
}

DynoTrace *
dyno_power_part_create_power (DynoPowerPart *self)
{
  g_autofree char *name = g_strconcat ("power_", self->info->name, NULL);
  double seconds = MAX (PERIODS_OF_A_POINT * self->info->period_seconds, MIN_POINT_SECONDS);
  g_autoptr (DynoTrace) energy = NULL;

  if (self->gauges->len == 1)
    return g_object_ref (g_ptr_array_index (self->gauges, 0));
  energy = dyno_power_part_create_energy (self);
  return dyno_energy_trace_to_power (energy, name, self->counters->len > 0 ? (gint64)(seconds * 1e9) : 0);
}

/* Measures by gauges, without the time in which they rise if enough remains. A steady load is blurred once, however
 * often it paused. */
static gboolean
measure_by_gauges (DynoPowerPart *self, GArray *stretches, DynoEnergy *energy)
{
  g_autoptr (DynoTrace) growing = integrate (self);
  const DynoSensorInfo *info = self->gauge_info;
  gint64 rise_ns = (gint64)(1e9 * (info->rise_seconds > 0 ? info->rise_seconds : info->period_seconds));
  gint64 pause_ns = (gint64)(1e9 * INVISIBLE_SHARE * info->period_seconds);
  g_autoptr (GArray) settled = g_array_new (FALSE, FALSE, sizeof (DynoStretch));

  /* Gauges cannot tell adjacent stretches apart, so these are joined. Each begins when its readings no longer include
   * earlier power; stretches that are too short for that are dropped. */
  for (guint i = 0; i < stretches->len; i++)
    {
      DynoStretch stretch = g_array_index (stretches, DynoStretch, i);

      while (i + 1 < stretches->len &&
             g_array_index (stretches, DynoStretch, i + 1).start_ns - stretch.end_ns < pause_ns)
        stretch.end_ns = g_array_index (stretches, DynoStretch, ++i).end_ns;
      if ((double)rise_ns > MAX_RISE_SHARE * (double)(stretch.end_ns - stretch.start_ns))
        continue;
      stretch.start_ns += rise_ns;
      g_array_append_val (settled, stretch);
    }
  if (settled->len == 0)
    return dyno_energy_trace_measure (growing, (const DynoStretch *)stretches->data, stretches->len,
                                      self->gauge_info->period_seconds, energy);
  if (!dyno_energy_trace_measure (growing, (const DynoStretch *)settled->data, settled->len, 0, energy))
    return FALSE;
  energy->n_stretches = 1;
  return TRUE;
}

gboolean
dyno_power_part_measure (DynoPowerPart *self, GArray *stretches, DynoEnergy *energy)
{
  g_autoptr (DynoTrace) growing = NULL;

  if (self->counters->len == 0)
    return measure_by_gauges (self, stretches, energy);
  growing = dyno_energy_trace_add_up (self->counters);
  return dyno_energy_trace_measure (growing, (const DynoStretch *)stretches->data, stretches->len,
                                    self->info->period_seconds, energy);
}

double
dyno_power_part_draw_phase (DynoPowerPart *self, double step_seconds, DynoRandom *random)
{
  double share = dyno_random_below (random, G_MAXUINT32) / (double)G_MAXUINT32;

  return self->counters->len > 0 ? 0 : share * MIN (step_seconds, self->info->period_seconds);
}

gboolean
dyno_power_part_compare (DynoPowerPart *self, GArray *stretches, double *counted, double *polled)
{
  g_autoptr (DynoTrace) by_counter = NULL;
  const DynoStretch *first = (const DynoStretch *)stretches->data;
  DynoEnergy counter, gauge;

  if (self->counters->len == 0 || self->gauges->len == 0)
    return FALSE;
  by_counter = dyno_energy_trace_add_up (self->counters);
  if (!dyno_energy_trace_measure (by_counter, first, stretches->len, 0, &counter) ||
      !measure_by_gauges (self, stretches, &gauge))
    return FALSE;
  *counted = counter.joules / counter.seconds;
  *polled = gauge.joules / gauge.seconds;
  return TRUE;
}

void
dyno_power_part_distrust_counter (DynoPowerPart *self)
{
  g_return_if_fail (self->gauges->len > 0);
  g_ptr_array_set_size (self->counters, 0);
  self->info = self->gauge_info;
}

static gboolean
touches (GArray *stretches, gint64 start_ns, gint64 end_ns)
{
  for (guint i = 0; i < stretches->len; i++)
    {
      const DynoStretch *stretch = &g_array_index (stretches, DynoStretch, i);

      if (start_ns < stretch->end_ns && end_ns > stretch->start_ns)
        return TRUE;
    }
  return FALSE;
}

static double
find_gap (DynoTrace *trace, double period_seconds, GArray *stretches)
{
  const gint64 *times = dyno_trace_get_times (trace);
  double usual = MAX (dyno_energy_trace_find_period (trace), period_seconds);
  double limit = MAX (MAX_GAP_PERIODS * usual, MIN_GAP_SECONDS);
  double longest = 0;

  for (gsize i = 1; i < dyno_trace_get_length (trace); i++)
    if (touches (stretches, times[i - 1], times[i]))
      longest = MAX (longest, (double)(times[i] - times[i - 1]) / 1e9);
  return longest > limit ? longest : 0;
}

double
dyno_power_part_find_gap (DynoPowerPart *self, GArray *stretches)
{
  double longest = 0;

  for (guint i = 0; self->counters->len == 0 && i < self->gauges->len; i++)
    longest =
        MAX (longest, find_gap (g_ptr_array_index (self->gauges, i), self->info->period_seconds, stretches));
  return longest;
}

gboolean
dyno_power_part_stands_still (DynoPowerPart *self, GArray *stretches)
{
  GPtrArray *traces = self->counters->len > 0 ? self->counters : self->gauges;

  for (guint i = 0; !self->info->estimated && i < traces->len; i++)
    {
      DynoTrace *trace = g_ptr_array_index (traces, i);
      g_autoptr (DynoTrace) energy =
          traces == self->gauges ? dyno_energy_trace_integrate (trace) : g_object_ref (trace);
      DynoEnergy taken;

      if (dyno_energy_trace_measure (energy, (const DynoStretch *)stretches->data, stretches->len,
                                     self->info->period_seconds, &taken) &&
          taken.joules <= 0)
        return TRUE;
    }
  return FALSE;
}

char *
dyno_power_part_describe (DynoPowerPart *self)
{
  guint n = self->counters->len > 0 ? self->counters->len : self->gauges->len;
  const char *how = self->counters->len > 0 ? _ ("difference of the counter over the steady state")
                                            : _ ("power integrated over the steady state by trapezoids, "
                                                 "without the sensor’s rise where that is short beside it");

  if (self->info->estimated)
    return g_strdup (self->info->source);
  if (n > 1)
    return g_strdup_printf (_ ("%s, and %u more like it, added up; %s"), self->info->source, n - 1, how);
  return g_strdup_printf ("%s; %s", self->info->source, how);
}

static DynoPowerPart *
find_part (GPtrArray *parts, DynoSensorDomain domain, gboolean estimated)
{
  for (guint i = 0; i < parts->len; i++)
    {
      DynoPowerPart *part = g_ptr_array_index (parts, i);

      if (part->info->domain == domain && part->info->estimated == estimated)
        return part;
    }
  return NULL;
}

DynoPowerPart *
dyno_power_part_choose (GPtrArray *parts, gboolean on_device, const DynoSensorInfo *device)
{
  static const DynoSensorDomain domains[] = { DYNO_DOMAIN_PACKAGE, DYNO_DOMAIN_PLATFORM, DYNO_DOMAIN_SYSTEM };
  DynoPowerPart *part = NULL;

  if (!on_device)
    {
      /* The processor itself, else a part that contains it; an estimate only if nothing measures it. */
      for (guint i = 0; part == NULL && i < G_N_ELEMENTS (domains); i++)
        part = find_part (parts, domains[i], FALSE);
      return part != NULL ? part : find_part (parts, DYNO_DOMAIN_PACKAGE, TRUE);
    }

  /* The first is the whole, if a device also reports its parts. */
  for (guint i = 0; device != NULL && i < parts->len; i++)
    {
      part = g_ptr_array_index (parts, i);
      if (part->info->domain == DYNO_DOMAIN_DEVICE && dyno_sensor_device_is_same (part->info, device))
        return part;
    }
  return NULL;
}
