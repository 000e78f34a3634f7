/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-sensor-monitor.h"
#include "dyno-task.h"

/* Shared by the thread and the monitor; the last one to release it frees it, so that neither waits for a slow
 * driver. */
typedef struct
{
  GMutex mutex;
  GCond woken;
  gboolean stopping;
  GWeakRef monitor;
  GMainContext *context;
  guint period_milliseconds;
  double tdp_watts;
  DynoSensorSet *sensors;
  GPtrArray *shown; /* those that are not of the processes that do the work, of which there are none here */
} Watch;

/* One round of readings, in transfer to the monitor. */
typedef struct
{
  Watch *watch;
  guint n_values;
  double values[];
} Round;

/* The last reading of a counter. */
typedef struct
{
  gint64 time_ns;
  double value;
} Last;

struct _DynoSensorMonitor
{
  GObject parent_instance;

  guint period_milliseconds;
  double tdp_watts;
  GMainContext *context;
  Watch *watch;
  gboolean discovered;
  GListStore *readings;
};

enum
{
  DISCOVERED,
  CHANGED,
  N_SIGNALS
};

G_DEFINE_FINAL_TYPE (DynoSensorMonitor, dyno_sensor_monitor, G_TYPE_OBJECT)

static guint signals[N_SIGNALS];

static void
watch_clear (gpointer data)
{
  Watch *self = data;

  g_mutex_clear (&self->mutex);
  g_cond_clear (&self->woken);
  g_weak_ref_clear (&self->monitor);
  g_main_context_unref (self->context);
  g_clear_pointer (&self->shown, g_ptr_array_unref);
  dyno_sensor_set_free (self->sensors);
}

static void
watch_unref (gpointer watch)
{
  g_atomic_rc_box_release_full (watch, watch_clear);
}

static void
round_free (gpointer data)
{
  watch_unref (((Round *)data)->watch);
  g_free (data);
}

/* Returns: (transfer full) (nullable): the monitor, if it still listens to this watch. */
static DynoSensorMonitor *
find_listener (Watch *watch)
{
  g_autoptr (DynoSensorMonitor) monitor = g_weak_ref_get (&watch->monitor);

  return monitor != NULL && monitor->watch == watch ? g_steal_pointer (&monitor) : NULL;
}

static gboolean
deliver_sensors (gpointer data)
{
  Watch *watch = data;
  g_autoptr (DynoSensorMonitor) monitor = find_listener (watch);

  if (monitor == NULL)
    return G_SOURCE_REMOVE;
  g_list_store_remove_all (monitor->readings);
  for (guint i = 0; i < watch->shown->len; i++)
    {
      g_autoptr (DynoSensorReading) reading =
          dyno_sensor_reading_new (dyno_sensor_get_info (watch->shown->pdata[i]));

      g_list_store_append (monitor->readings, reading);
    }
  monitor->discovered = TRUE;
  g_signal_emit (monitor, signals[DISCOVERED], 0);
  return G_SOURCE_REMOVE;
}

static gboolean
deliver_round (gpointer data)
{
  Round *round = data;
  g_autoptr (DynoSensorMonitor) monitor = find_listener (round->watch);

  if (monitor == NULL)
    return G_SOURCE_REMOVE;
  for (guint i = 0; i < round->n_values; i++)
    {
      g_autoptr (DynoSensorReading) reading = g_list_model_get_item (G_LIST_MODEL (monitor->readings), i);

      dyno_sensor_reading_set_value (reading, round->values[i]);
    }
  g_signal_emit (monitor, signals[CHANGED], 0);
  return G_SOURCE_REMOVE;
}

/* A counter has a rate only from its second reading on. */
static double
read_sensor (DynoSensor *sensor, Last *last)
{
  DynoSensorKind kind = dyno_sensor_get_info (sensor)->kind;
  Last now, before = *last;

  if (!dyno_sensor_read (sensor, &now.time_ns, &now.value))
    return NAN;
  *last = now;
  if (dyno_sensor_kind_to_rate_unit (kind) == NULL)
    return now.value;
  if (before.time_ns == 0 || now.time_ns <= before.time_ns)
    return NAN;
  return (now.value - before.value) / ((double)(now.time_ns - before.time_ns) / 1e9);
}

/* Returns: whether to go on. */
static gboolean
wait_for_next (Watch *self, gint64 next_us)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&self->mutex);

  while (!self->stopping && g_cond_wait_until (&self->woken, &self->mutex, next_us))
    continue;
  return !self->stopping;
}

static gpointer
watch_sensors (gpointer data)
{
  Watch *self = data;
  g_autofree Last *last = NULL;
  gint64 next_us;

  self->sensors = dyno_sensor_set_discover (self->tdp_watts);
  self->shown = g_ptr_array_new ();
  for (guint i = 0; i < dyno_sensor_set_get_n_sensors (self->sensors); i++)
    if (!dyno_sensor_get_info (dyno_sensor_set_get_sensor (self->sensors, i))->of_process)
      g_ptr_array_add (self->shown, dyno_sensor_set_get_sensor (self->sensors, i));
  last = g_new0 (Last, MAX (self->shown->len, 1));
  dyno_delivery_send (self->context, deliver_sensors, g_atomic_rc_box_acquire (self), watch_unref);
  next_us = g_get_monotonic_time ();
  while (wait_for_next (self, next_us))
    {
      guint n = self->shown->len;
      Round *round = g_malloc0 (sizeof (Round) + n * sizeof (double));

      round->watch = g_atomic_rc_box_acquire (self);
      round->n_values = n;
      for (guint i = 0; i < n; i++)
        round->values[i] = read_sensor (self->shown->pdata[i], &last[i]);
      dyno_delivery_send (self->context, deliver_round, round, round_free);
      next_us = MAX (next_us + (gint64)self->period_milliseconds * G_TIME_SPAN_MILLISECOND,
                     g_get_monotonic_time ());
    }
  watch_unref (self);
  return NULL;
}

static void
dyno_sensor_monitor_dispose (GObject *object)
{
  dyno_sensor_monitor_stop (DYNO_SENSOR_MONITOR (object));

  G_OBJECT_CLASS (dyno_sensor_monitor_parent_class)->dispose (object);
}

static void
dyno_sensor_monitor_finalize (GObject *object)
{
  DynoSensorMonitor *self = DYNO_SENSOR_MONITOR (object);

  g_object_unref (self->readings);
  g_main_context_unref (self->context);

  G_OBJECT_CLASS (dyno_sensor_monitor_parent_class)->finalize (object);
}

static void
dyno_sensor_monitor_class_init (DynoSensorMonitorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = dyno_sensor_monitor_dispose;
  object_class->finalize = dyno_sensor_monitor_finalize;

  signals[DISCOVERED] = g_signal_new ("discovered", DYNO_TYPE_SENSOR_MONITOR, G_SIGNAL_RUN_LAST, 0, NULL,
                                      NULL, NULL, G_TYPE_NONE, 0);
  signals[CHANGED] = g_signal_new ("changed", DYNO_TYPE_SENSOR_MONITOR, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
}

static void
dyno_sensor_monitor_init (DynoSensorMonitor *self)
{
  self->context = g_main_context_ref_thread_default ();
  self->readings = g_list_store_new (DYNO_TYPE_SENSOR_READING);
}

DynoSensorMonitor *
dyno_sensor_monitor_new (guint period_milliseconds, double tdp_watts)
{
  DynoSensorMonitor *self = g_object_new (DYNO_TYPE_SENSOR_MONITOR, NULL);

  self->period_milliseconds = MAX (period_milliseconds, 1);
  self->tdp_watts = tdp_watts;
  return self;
}

void
dyno_sensor_monitor_start (DynoSensorMonitor *self)
{
  g_return_if_fail (DYNO_IS_SENSOR_MONITOR (self));

  if (self->watch != NULL)
    return;
  self->watch = g_atomic_rc_box_new0 (Watch);
  g_mutex_init (&self->watch->mutex);
  g_cond_init (&self->watch->woken);
  g_weak_ref_init (&self->watch->monitor, self);
  self->watch->context = g_main_context_ref (self->context);
  self->watch->period_milliseconds = self->period_milliseconds;
  self->watch->tdp_watts = self->tdp_watts;
  g_thread_unref (g_thread_new ("sensors", watch_sensors, g_atomic_rc_box_acquire (self->watch)));
}

void
dyno_sensor_monitor_stop (DynoSensorMonitor *self)
{
  Watch *watch;

  g_return_if_fail (DYNO_IS_SENSOR_MONITOR (self));

  watch = g_steal_pointer (&self->watch);
  self->discovered = FALSE;
  if (watch == NULL)
    return;
  g_mutex_lock (&watch->mutex);
  watch->stopping = TRUE;
  g_cond_signal (&watch->woken);
  g_mutex_unlock (&watch->mutex);
  watch_unref (watch);
}

GListModel *
dyno_sensor_monitor_get_readings (DynoSensorMonitor *self)
{
  g_return_val_if_fail (DYNO_IS_SENSOR_MONITOR (self), NULL);
  return G_LIST_MODEL (self->readings);
}

DynoSensorSet *
dyno_sensor_monitor_get_sensors (DynoSensorMonitor *self)
{
  g_return_val_if_fail (DYNO_IS_SENSOR_MONITOR (self), NULL);
  return self->discovered ? self->watch->sensors : NULL;
}
