/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-sensor.h"

struct _DynoSensor
{
  GObject parent_instance;

  DynoSensorInfo info;
  DynoSensorRead read;
  DynoSensorReadProcess read_process;
  DynoSensorReadGroup read_group;
  GHashTable *parts; /* of a counter: the last part of each process, those that have ended as well */
  DynoProcessMemory *others;
  gpointer data;
  GDestroyNotify free_data;
};

typedef struct
{
  const char *name;
  const char *label;
} Words;

/* Only a counter has a unit of its rate. */
static const struct
{
  const char *name;
  const char *label;
  const char *unit;
  const char *rate_unit;
} kinds[] = {
  [DYNO_SENSOR_ENERGY] = { "energy", N_ ("Energy"), "J", "W" },
  [DYNO_SENSOR_POWER] = { "power", N_ ("Power"), "W" },
  [DYNO_SENSOR_TEMPERATURE] = { "temperature", N_ ("Temperature"), "°C" },
  [DYNO_SENSOR_CLOCK] = { "clock", N_ ("Clock"), "MHz" },
  [DYNO_SENSOR_FAN] = { "fan", N_ ("Fan"), "1/min" },
  [DYNO_SENSOR_THROTTLE] = { "throttle", N_ ("Throttled"), "" },
  [DYNO_SENSOR_MEMORY] = { "memory", N_ ("Memory"), "MB" },
  [DYNO_SENSOR_TRAFFIC] = { "traffic", N_ ("Traffic"), "GB", "GB/s" },
  [DYNO_SENSOR_VOLTAGE] = { "voltage", N_ ("Voltage"), "V" },
  [DYNO_SENSOR_BUSY] = { "utilisation", N_ ("Utilisation"), "% s", "%" },
};

static const Words domains[] = {
  [DYNO_DOMAIN_OTHER] = { "other", N_ ("another part") },
  [DYNO_DOMAIN_PACKAGE] = { "package", N_ ("the whole processor") },
  [DYNO_DOMAIN_CORE] = { "core", N_ ("the processor’s cores") },
  [DYNO_DOMAIN_UNCORE] = { "uncore", N_ ("the processor without its cores") },
  [DYNO_DOMAIN_DRAM] = { "dram", N_ ("the memory modules") },
  [DYNO_DOMAIN_PLATFORM] = { "platform", N_ ("the machine’s board") },
  [DYNO_DOMAIN_SYSTEM] = { "system", N_ ("the whole machine") },
  [DYNO_DOMAIN_DEVICE] = { "device", N_ ("an accelerator’s board") },
};

G_DEFINE_FINAL_TYPE (DynoSensor, dyno_sensor, G_TYPE_OBJECT)

static void
dyno_sensor_finalize (GObject *object)
{
  DynoSensor *self = DYNO_SENSOR (object);

  if (self->free_data != NULL)
    self->free_data (self->data);
  g_clear_pointer (&self->others, dyno_process_memory_unref);
  g_hash_table_unref (self->parts);
  g_free ((char *)self->info.name);
  g_free ((char *)self->info.source);
  g_free ((char *)self->info.device);
  g_free ((char *)self->info.uuid);
  g_free ((char *)self->info.facet);

  G_OBJECT_CLASS (dyno_sensor_parent_class)->finalize (object);
}

static void
dyno_sensor_class_init (DynoSensorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_sensor_finalize;
}

static void
dyno_sensor_init (DynoSensor *self)
{
  self->parts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

DynoSensor *
dyno_sensor_new (const DynoSensorInfo *info, DynoSensorRead read, gpointer data, GDestroyNotify free_data)
{
  DynoSensor *self = g_object_new (DYNO_TYPE_SENSOR, NULL);

  self->info = *info;
  self->info.name = g_strdup (info->name);
  self->info.source = g_strdup (info->source);
  self->info.device = g_strdup (info->device);
  self->info.uuid = g_strdup (info->uuid);
  self->info.facet = g_strdup (info->facet);
  self->read = read;
  self->data = data;
  self->free_data = free_data;
  return self;
}

DynoSensor *
dyno_sensor_new_of_processes (const DynoSensorInfo *info,
                              DynoSensorReadProcess read_process,
                              gpointer data,
                              GDestroyNotify free_data)
{
  DynoSensor *self = dyno_sensor_new (info, NULL, data, free_data);

  self->info.of_process = TRUE;
  self->read_process = read_process;
  return self;
}

DynoSensor *
dyno_sensor_new_of_group (const DynoSensorInfo *info,
                          DynoSensorReadGroup read_group,
                          gpointer data,
                          GDestroyNotify free_data)
{
  DynoSensor *self = dyno_sensor_new (info, NULL, data, free_data);

  self->info.of_process = TRUE;
  self->read_group = read_group;
  return self;
}

void
dyno_sensor_follow (DynoSensor *self, DynoProcessMemory *others)
{
  g_return_if_fail (DYNO_IS_SENSOR (self));
  g_return_if_fail (self->info.of_process && self->others == NULL);

  self->others = dyno_process_memory_ref (others);
}

/* A counter keeps the parts of processes that have ended, because it never falls. */
static gboolean
read_processes (DynoSensor *self, gint64 now_ns, double *value)
{
  gboolean is_counter = dyno_sensor_kind_to_rate_unit (self->info.kind) != NULL;
  g_autoptr (GArray) pids = self->others != NULL ? dyno_process_memory_list (self->others)
                                                 : g_array_new (FALSE, FALSE, sizeof (GPid));
  gboolean has_part = FALSE;
  GPid own = getpid ();
  GHashTableIter iter;
  gpointer kept;

  g_array_prepend_val (pids, own);
  if (self->read_group != NULL)
    return self->read_group (self->data, pids, now_ns, value);
  *value = 0;
  for (guint i = 0; i < pids->len; i++)
    {
      GPid pid = g_array_index (pids, GPid, i);
      double part;

      if (!self->read_process (self->data, pid, &part))
        continue;
      has_part = TRUE;
      if (is_counter)
        g_hash_table_insert (self->parts, GINT_TO_POINTER (pid), g_memdup2 (&part, sizeof part));
      else
        *value += part;
    }
  g_hash_table_iter_init (&iter, self->parts);
  while (g_hash_table_iter_next (&iter, NULL, &kept))
    *value += *(double *)kept;
  return has_part || g_hash_table_size (self->parts) > 0;
}

const DynoSensorInfo *
dyno_sensor_get_info (DynoSensor *self)
{
  g_return_val_if_fail (DYNO_IS_SENSOR (self), NULL);
  return &self->info;
}

gboolean
dyno_sensor_read (DynoSensor *self, gint64 *time_ns, double *value)
{
  gint64 before = dyno_clock_now_ns ();

  if (!(self->info.of_process ? read_processes (self, before, value)
                              : self->read (self->data, before, value)))
    return FALSE;
  *time_ns = before + (dyno_clock_now_ns () - before) / 2;
  return TRUE;
}

const char *
dyno_sensor_kind_to_unit (DynoSensorKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);
  return kinds[kind].unit;
}

const char *
dyno_sensor_kind_to_rate_unit (DynoSensorKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);
  return kinds[kind].rate_unit;
}

const char *
dyno_sensor_kind_to_string (DynoSensorKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);
  return kinds[kind].name;
}

const char *
dyno_sensor_kind_get_label (DynoSensorKind kind)
{
  g_return_val_if_fail (kind < G_N_ELEMENTS (kinds), NULL);
  return _ (kinds[kind].label);
}

const char *
dyno_sensor_domain_to_string (DynoSensorDomain domain)
{
  g_return_val_if_fail (domain < G_N_ELEMENTS (domains), NULL);
  return domains[domain].name;
}

const char *
dyno_sensor_domain_get_label (DynoSensorDomain domain)
{
  g_return_val_if_fail (domain < G_N_ELEMENTS (domains), NULL);
  return _ (domains[domain].label);
}
