/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-process-memory.h"

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * DynoSensorKind:
 * @DYNO_SENSOR_ENERGY: joules since some moment; never falls
 * @DYNO_SENSOR_POWER: watts now, or averaged by the hardware over a moment
 * @DYNO_SENSOR_TEMPERATURE: °C
 * @DYNO_SENSOR_CLOCK: MHz
 * @DYNO_SENSOR_FAN: turns per minute
 * @DYNO_SENSOR_THROTTLE: 1 while the hardware slows itself down, else 0
 * @DYNO_SENSOR_MEMORY: MB
 * @DYNO_SENSOR_TRAFFIC: GB read and written since some moment; never falls
 * @DYNO_SENSOR_VOLTAGE: V
 * @DYNO_SENSOR_BUSY: per cent of what it could do, times seconds, since some moment; never falls
 *
 * The quantity of a sensor, and its unit.
 */
typedef enum
{
  DYNO_SENSOR_ENERGY,
  DYNO_SENSOR_POWER,
  DYNO_SENSOR_TEMPERATURE,
  DYNO_SENSOR_CLOCK,
  DYNO_SENSOR_FAN,
  DYNO_SENSOR_THROTTLE,
  DYNO_SENSOR_MEMORY,
  DYNO_SENSOR_TRAFFIC,
  DYNO_SENSOR_VOLTAGE,
  DYNO_SENSOR_BUSY,
} DynoSensorKind;

/**
 * DynoSensorDomain:
 * @DYNO_DOMAIN_OTHER: a rail, a disk: a part with which no case can be charged
 * @DYNO_DOMAIN_PACKAGE: a whole processor
 * @DYNO_DOMAIN_CORE: the processor's cores; within the package
 * @DYNO_DOMAIN_UNCORE: the processor's other units; within the package
 * @DYNO_DOMAIN_DRAM: the memory modules; beside the package
 * @DYNO_DOMAIN_PLATFORM: the machine's board; the package is within it
 * @DYNO_DOMAIN_SYSTEM: everything that the battery feeds
 * @DYNO_DOMAIN_DEVICE: an accelerator board, its memory included
 *
 * The part that a sensor measures. Domains may contain each other, so they are never added up.
 */
typedef enum
{
  DYNO_DOMAIN_OTHER,
  DYNO_DOMAIN_PACKAGE,
  DYNO_DOMAIN_CORE,
  DYNO_DOMAIN_UNCORE,
  DYNO_DOMAIN_DRAM,
  DYNO_DOMAIN_PLATFORM,
  DYNO_DOMAIN_SYSTEM,
  DYNO_DOMAIN_DEVICE,
} DynoSensorDomain;

/**
 * DynoSensorInfo:
 * @kind: the measured quantity
 * @domain: the measured part
 * @name: stable end of its trace's name; sensors of energy with the same name are parts of one whole
 * @source: how the number is measured, in words
 * @device: (nullable): PCI address of its device
 * @uuid: (nullable): the device's unique id
 * @facet: (nullable): for DYNO_SENSOR_BUSY and DYNO_SENSOR_TRAFFIC, the stable name of the part that it measures,
 *   such as `tensor`; NULL for the processor or device as a whole
 * @period_seconds: update period of the hardware, 0 for at every reading
 * @rise_seconds: time after which a reading of power shows the whole of a change, 0 for @period_seconds
 * @resolution: the smallest step of the number, 0 if unknown
 * @limit: the upper limit of the reading, such as the critical temperature or the power cap; 0 if unknown
 * @of_process: whether it measures only the processes that do the work
 * @by_heat: for DYNO_SENSOR_THROTTLE, whether it reports heat only
 * @estimated: whether the number is a model's, not the hardware's
 * @period_assumed: whether @period_seconds is unknown and only assumed, and must not be shown
 *
 * The description of a sensor, known before it is read.
 */
typedef struct
{
  DynoSensorKind kind;
  DynoSensorDomain domain;
  const char *name;
  const char *source;
  const char *device;
  const char *uuid;
  const char *facet;
  double period_seconds;
  double rise_seconds;
  double resolution;
  double limit;
  gboolean of_process;
  gboolean by_heat;
  gboolean estimated;
  gboolean period_assumed;
} DynoSensorInfo;

/**
 * DynoSensorRead:
 * @data: the sensor's open resources
 * @now_ns: the time on the clock of all measurements
 * @value: (out): the reading, in the unit of the sensor's kind
 *
 * Reads a sensor: through open descriptors, without allocating.
 *
 * Returns: whether there is a reading; a failure is never a zero
 */
typedef gboolean (*DynoSensorRead) (gpointer data, gint64 now_ns, double *value);

/**
 * DynoSensorReadProcess:
 * @data: the sensor's open resources
 * @pid: a process
 * @value: (out): its part of the reading, in the unit of the sensor's kind
 *
 * Reads one process's part. May be called by several threads at a time.
 *
 * Returns: whether it has a part
 */
typedef gboolean (*DynoSensorReadProcess) (gpointer data, GPid pid, double *value);

/**
 * DynoSensorReadGroup:
 * @data: the sensor's open resources
 * @pids: (element-type GPid): processes
 * @now_ns: the time on the clock of all measurements
 * @value: (out): their part of the reading, in the unit of the sensor's kind
 *
 * Reads the part of several processes at once, where it is not the sum of their parts.
 *
 * Returns: whether they have a part
 */
typedef gboolean (*DynoSensorReadGroup) (gpointer data, GArray *pids, gint64 now_ns, double *value);

#define DYNO_TYPE_SENSOR (dyno_sensor_get_type ())

/**
 * DynoSensor:
 *
 * One number of the hardware that can be read repeatedly. Used by one thread at a time.
 */
G_DECLARE_FINAL_TYPE (DynoSensor, dyno_sensor, DYNO, SENSOR, GObject)

/* Returns the sensor. @data may be NULL. @free_data may be NULL. */
DynoSensor *
dyno_sensor_new (const DynoSensorInfo *info, DynoSensorRead read, gpointer data, GDestroyNotify free_data);
/* Returns a sensor of the total of this process and those that it follows. @data may be NULL. @free_data may be
 * NULL. */
DynoSensor *dyno_sensor_new_of_processes (const DynoSensorInfo *info,
                                          DynoSensorReadProcess read_process,
                                          gpointer data,
                                          GDestroyNotify free_data);
/* Returns a sensor of this process and those that it follows, read together. @data may be NULL. @free_data may be
 * NULL. */
DynoSensor *dyno_sensor_new_of_group (const DynoSensorInfo *info,
                                      DynoSensorReadGroup read_group,
                                      gpointer data,
                                      GDestroyNotify free_data);
/* Returns its description. */
const DynoSensorInfo *dyno_sensor_get_info (DynoSensor *self);
void dyno_sensor_follow (DynoSensor *self, DynoProcessMemory *others);
/* Returns whether there is a reading. */
gboolean dyno_sensor_read (DynoSensor *self, gint64 *time_ns, double *value);

/* Returns the unit of its readings. */
const char *dyno_sensor_kind_to_unit (DynoSensorKind kind);
/* Returns the unit of its rate, if its readings are those of a counter; else NULL. */
const char *dyno_sensor_kind_to_rate_unit (DynoSensorKind kind);
/* Returns its stable name. */
const char *dyno_sensor_kind_to_string (DynoSensorKind kind);
/* Returns its name for people. */
const char *dyno_sensor_kind_get_label (DynoSensorKind kind);
/* Returns its stable name. */
const char *dyno_sensor_domain_to_string (DynoSensorDomain domain);
/* Returns its name for people. */
const char *dyno_sensor_domain_get_label (DynoSensorDomain domain);

G_END_DECLS
