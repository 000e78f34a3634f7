/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-sensor-set.h"

/* The one list of sources. If two measure the same part, the first one counts. */
static const DynoSensorSource *const sources[] = {
  &dyno_rapl_source,     &dyno_perf_source,         &dyno_nvml_source, &dyno_rocm_source,
#ifdef HAVE_LIBSENSORS
  &dyno_hwmon_source,
#endif
  &dyno_battery_source,  &dyno_powermetrics_source, &dyno_cpu_source,  &dyno_traffic_source,
  &dyno_estimate_source, &dyno_usage_source,        &dyno_drm_source,
};

struct _DynoSensorSet
{
  GPtrArray *sensors;
  GPtrArray *probes;
};

static gboolean
is_known (DynoSensorSet *self, guint n_known, DynoSensor *sensor)
{
  for (guint i = 0; i < n_known; i++)
    {
      const DynoSensorInfo *a = dyno_sensor_get_info (g_ptr_array_index (self->sensors, i));
      const DynoSensorInfo *b = dyno_sensor_get_info (sensor);
      gboolean is_energy = a->kind == DYNO_SENSOR_ENERGY || a->kind == DYNO_SENSOR_POWER;

      /* A device is identified by its address. */
      if (a->domain == b->domain && a->domain != DYNO_DOMAIN_OTHER &&
          (a->domain != DYNO_DOMAIN_DEVICE || (a->device != NULL && g_strcmp0 (a->device, b->device) == 0)) &&
          (is_energy ? b->kind == DYNO_SENSOR_ENERGY || b->kind == DYNO_SENSOR_POWER
                     : a->domain == DYNO_DOMAIN_DEVICE && a->kind == b->kind &&
                           a->of_process == b->of_process && g_strcmp0 (a->facet, b->facet) == 0))
        return TRUE;
    }
  return FALSE;
}

DynoSensorSet *
dyno_sensor_set_discover (double tdp_watts)
{
  DynoSensorSet *self = g_new0 (DynoSensorSet, 1);

  self->sensors = g_ptr_array_new_with_free_func (g_object_unref);
  self->probes = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    {
      guint n_known = self->sensors->len;

      g_ptr_array_add (self->probes, sources[i]->discover (self->sensors, tdp_watts));
      for (guint j = self->sensors->len; j > n_known; j--)
        if (is_known (self, n_known, g_ptr_array_index (self->sensors, j - 1)))
          g_ptr_array_remove_index (self->sensors, j - 1);
    }
  return self;
}

void
dyno_sensor_set_free (DynoSensorSet *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->sensors);
  g_ptr_array_unref (self->probes);
  g_free (self);
}

guint
dyno_sensor_set_get_n_sensors (DynoSensorSet *self)
{
  return self->sensors->len;
}

DynoSensor *
dyno_sensor_set_get_sensor (DynoSensorSet *self, guint index)
{
  g_return_val_if_fail (index < self->sensors->len, NULL);
  return g_ptr_array_index (self->sensors, index);
}

guint
dyno_sensor_set_get_n_sources (DynoSensorSet *self)
{
  return self->probes->len;
}

const DynoSensorSource *
dyno_sensor_set_get_source (DynoSensorSet *self, guint index)
{
  g_return_val_if_fail (index < G_N_ELEMENTS (sources), NULL);
  return sources[index];
}

DynoProbe *
dyno_sensor_set_get_probe (DynoSensorSet *self, guint index)
{
  g_return_val_if_fail (index < self->probes->len, NULL);
  return g_ptr_array_index (self->probes, index);
}

static void
append_sentence (GString *text, const char *sentence)
{
  if (sentence == NULL)
    return;
  if (text->len > 0)
    g_string_append_c (text, ' ');
  g_string_append (text, sentence);
}

char *
dyno_sensor_set_explain (DynoSensorSet *self, const char *const *ids)
{
  g_autoptr (GString) reasons = g_string_new (NULL);
  g_autoptr (GString) remedies = g_string_new (NULL);

  for (guint i = 0; i < self->probes->len; i++)
    {
      DynoProbe *probe = g_ptr_array_index (self->probes, i);

      if (!g_strv_contains (ids, sources[i]->id) || dyno_probe_get_state (probe) == DYNO_PROBE_AVAILABLE)
        continue;
      append_sentence (reasons, dyno_probe_get_reason (probe));
      append_sentence (remedies, dyno_probe_get_remedy (probe));
    }
  append_sentence (reasons, remedies->len > 0 ? remedies->str : NULL);
  return g_string_free (g_steal_pointer (&reasons), FALSE);
}
