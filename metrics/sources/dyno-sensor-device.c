/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-metrics-sources-private.h"

static gboolean
is_same_name (const char *a, const char *b)
{
  return a != NULL && b != NULL && g_ascii_strcasecmp (a, b) == 0;
}

gboolean
dyno_sensor_device_is_called (const DynoSensorInfo *info, const char *name)
{
  return is_same_name (info->device, name) || is_same_name (info->uuid, name);
}

static char *
explain (GPtrArray *devices, const char *id, const char *address)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (guint i = 0; i < devices->len; i++)
    {
      const DynoSensorInfo *info = devices->pdata[i];

      g_strv_builder_add (builder, info->device != NULL ? info->device : info->name);
    }

  g_auto (GStrv) names = g_strv_builder_end (builder);
  g_autofree char *places = g_strjoinv (", ", names);

  if (address != NULL)
    return g_strdup_printf (
        _ ("The device that did the work is at %s, which has no sensor; devices with sensors: %s."), address,
        places);
  if (id != NULL)
    return g_strdup_printf (_ ("Several devices have sensors (%s), and the address of “%s” is unknown."),
                            places, id);
  return g_strdup_printf (_ ("Several devices have sensors (%s), and it is unknown which did the work. "
                             "Choose the device explicitly."),
                          places);
}

gboolean
dyno_sensor_device_is_same (const DynoSensorInfo *a, const DynoSensorInfo *b)
{
  if (a->device != NULL && b->device != NULL)
    return is_same_name (a->device, b->device);
  if (a->uuid != NULL && b->uuid != NULL)
    return is_same_name (a->uuid, b->uuid);
  return g_str_equal (a->name, b->name);
}

const DynoSensorInfo *
dyno_sensor_device_find (DynoSensorSet *sensors, const char *id, const char *address, char **reason)
{
  g_autoptr (GPtrArray) devices = g_ptr_array_new ();

  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (sensors); i++)
    {
      const DynoSensorInfo *info = dyno_sensor_get_info (dyno_sensor_set_get_sensor (sensors, i));

      /* A device that only says how busy it is, such as a graphics unit of the processor, is no board to charge. */
      if (info->domain == DYNO_DOMAIN_DEVICE && info->kind != DYNO_SENSOR_BUSY &&
          info->kind != DYNO_SENSOR_TRAFFIC &&
          !g_ptr_array_find_with_equal_func (devices, info, (GEqualFunc)dyno_sensor_device_is_same, NULL))
        g_ptr_array_add (devices, (gpointer)info);
    }

  *reason = NULL;
  for (guint i = 0; i < devices->len; i++)
    if (dyno_sensor_device_is_called (devices->pdata[i], address) ||
        dyno_sensor_device_is_called (devices->pdata[i], id))
      return devices->pdata[i];
  if (devices->len == 1 && address == NULL)
    return devices->pdata[0];
  if (devices->len > 0)
    *reason = explain (devices, id, address);
  return NULL;
}
