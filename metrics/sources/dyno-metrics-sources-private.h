/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "dyno-energy-trace.h"
#include "dyno-measurement.h"
#include "dyno-process-memory.h"
#include "dyno-random.h"
#include "dyno-sensor-set.h"
#include "dyno-sensor.h"
#include "dyno-trace.h"

G_BEGIN_DECLS

/* dyno-busy-time */

/**
 * DynoBusyTime:
 *
 * Turns shares of the time since the reading before, or shares that the hardware averages over its own period, into a
 * counter of busy time. Set it to zero.
 */
typedef struct
{
  /*< private >*/
  double busy;
  gint64 last_ns;
  gboolean is_started;
  gboolean is_broken;
} DynoBusyTime;

/* A missing or impossible share ends the counting, because nobody knows how busy the device was meanwhile. Returns
 * whether @busy is valid. @percent: the share, NaN if there is none. @busy: in per cent times seconds. */
gboolean dyno_busy_time_advance (DynoBusyTime *self, double percent, gint64 now_ns, double *busy);

/* dyno-drm-usage */

/**
 * DynoDrmUsage:
 *
 * The time that processes keep a device busy, by the kernel's text about each open file of it
 * (Documentation/gpu/drm-usage-stats.rst). A device has several engines; its busy time is that of the busiest.
 */
typedef struct _DynoDrmUsage DynoDrmUsage;

/* Returns an account of the device. The caller owns it. @device: the name of its folder in sysfs, its address if it is
 * on the PCI bus. @nodes: the names of its files below /dev, such as `renderD128`. */
DynoDrmUsage *dyno_drm_usage_new (const char *device, const char *const *nodes);
void dyno_drm_usage_free (DynoDrmUsage *self);
/* Looks at the files of the processes. Returns whether @busy is valid: never one file that counts was found, a process
 * could not be looked at, or a number was impossible. @pids (nullable): elements are GPid; NULL for all processes.
 * @busy: since the first look, in per cent times seconds. */
gboolean dyno_drm_usage_read (DynoDrmUsage *self, GArray *pids, gint64 now_ns, double *busy);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoDrmUsage, dyno_drm_usage_free)

/* dyno-energy-counter */

/**
 * DynoEnergyCounter:
 * @joules_per_unit: the energy of one step of the raw number, in J
 * @range: number of units before it wraps: after `range - 1` comes 0; 0 for a counter that does not wrap
 *
 * Turns a wrapping counter of energy into one that does not wrap. Set the two fields, leave the others zero.
 */
typedef struct
{
  double joules_per_unit;
  guint64 range;

  /*< private >*/
  guint64 last_raw;
  gint64 last_ns;
  guint64 total;
  gboolean is_started;
  gboolean is_broken;
} DynoEnergyCounter;

/* Readings must come more often than the counter wraps. An impossible one (backwards without a wrap, or more power
 * than any part takes) ends the counting, because the lost energy cannot be known. Returns whether @joules is
 * valid. */
gboolean dyno_energy_counter_advance (DynoEnergyCounter *self, guint64 raw, gint64 now_ns, double *joules);

/* dyno-file-sensor */

/* Returns a descriptor, -1 if it cannot be opened. @error: in G_FILE_ERROR. */
int dyno_file_sensor_open (const char *path, GError **error);
/* Reads an open file of sysfs again from its start. Anything other than one number is no reading. Returns whether
 * there is a number. */
gboolean dyno_file_sensor_read_number (int file, gint64 *number);

/* Returns a sensor that reads the file, which stays open; NULL on error. @path: a file below the root of sysfs that
 * contains a whole number. @error: in G_FILE_ERROR. */
DynoSensor *dyno_file_sensor_new (const DynoSensorInfo *info, const char *path, double scale, GError **error);
/* Returns a sensor of energy that reads the file, which stays open; NULL on error. @path: a file below the root of
 * sysfs that contains a growing number. @range: the number at which it wraps, 0 for never. @error: in
 * G_FILE_ERROR. */
DynoSensor *dyno_file_sensor_new_counter (
    const DynoSensorInfo *info, const char *path, double scale, guint64 range, GError **error);
/* Returns the name of the folder that a link in a folder of sysfs points to, such as the address of a device on the PCI bus;
 * NULL if there is none. */
char *dyno_file_sensor_dup_target (const char *folder, const char *link);

/* dyno-memory-sensor */

/* Returns a sensor of the process's resident set and that of @others; NULL if the process cannot read its own
 * memory. */
DynoSensor *dyno_memory_sensor_new (DynoProcessMemory *others);
/* Returns a sensor of the resident sets of @others only, which has no reading while there are none. */
DynoSensor *dyno_memory_sensor_new_of_others (DynoProcessMemory *others);

/* Returns the process's highest resident set since the start or dyno_memory_sensor_reset_peak(), in bytes; -1 if it
 * cannot be read. */
gint64 dyno_memory_sensor_read_peak (void);
/* Resets the kernel's highest resident set, so that building the model does not count as running it. Returns whether
 * the kernel did it. */
gboolean dyno_memory_sensor_reset_peak (void);

/* dyno-nvml-usage */

/**
 * DynoNvmlBoard:
 * @handle: NVML's own handle
 * @name: its name in the names of sensors
 * @description: its name for people
 * @address: (nullable): its address on the PCI bus
 * @uuid: (nullable): its unique id
 *
 * The properties that all sensors of one of NVIDIA's boards share.
 */
typedef struct
{
  gpointer handle;
  char *name;
  char *description;
  char *address;
  char *uuid;
} DynoNvmlBoard;

/* Adds the sensors of how busy the board and its parts are. The library must be initialised. */
void dyno_nvml_usage_add (GPtrArray *sensors, const DynoNvmlBoard *board);

/* dyno-perf-event */

/**
 * DynoPerfEvent:
 * @type: the kernel's number of the unit that counts
 * @config: the event code, in the unit's format
 * @config1: more bits of it
 * @config2: more bits of it
 * @scale: the size of a count, in @unit; 1 if the kernel does not give it
 * @unit: such as `MiB` or `Joules`, empty if the kernel does not give it
 *
 * An event of a performance monitoring unit, as sysfs describes it.
 */
typedef struct
{
  guint32 type;
  guint64 config;
  guint64 config1;
  guint64 config2;
  double scale;
  char unit[16];
} DynoPerfEvent;

/**
 * DynoPerfOpener:
 * @event: an event
 * @processor: the hardware thread on which to count
 *
 * Opens an event that counts for all processes.
 *
 * Returns: a file that gives the count and the times it was enabled and running, as 64-bit numbers; -1 with `errno`
 *   if the kernel refuses
 */
typedef int (*DynoPerfOpener) (const DynoPerfEvent *event, int processor);

/* Returns the units whose name is @prefix, alone or with a number after an underscore. */
char **dyno_perf_event_list_units (const char *prefix);
/* Returns whether the kernel knows the unit, the event and all of its terms. @event: the name of one of
 * its events; or the terms themselves, `event=0x07,umask=0x38`, where the kernel has no name. */
gboolean dyno_perf_event_describe (DynoPerfEvent *self, const char *unit, const char *event);
/* Returns the processors on which to open its events: one for each part of the machine with such a unit. Elements are
 * int. */
GArray *dyno_perf_event_list_processors (const char *unit);
int dyno_perf_event_open (const DynoPerfEvent *self, int processor);
/* Returns whether it was counted at all. @count: how often it happened; if events took turns on too few counters,
 * extrapolated by the times. */
gboolean dyno_perf_event_read (int file, double *count);
/* Returns the reason for the failure, as a sentence. @code: the `errno` of an event that could not be opened. */
char *dyno_perf_event_dup_refusal (int code);
/* Returns the remedy, as a sentence; NULL if there is none. @code: the `errno` of an event that could not be
 * opened. */
char *dyno_perf_event_dup_remedy (int code);

/* For tests, on machines whose kernel cannot count. @replacement: opens events instead of the kernel; NULL for the
 * kernel again. */
void dyno_perf_event_set_opener (DynoPerfOpener opener);

/* dyno-power-part */

/**
 * DynoPowerPart:
 * @info: the description of its first sensor
 * @gauge_info: (nullable): the description of its first gauge
 * @counters: (element-type DynoTrace): energies whose sum is that of the part
 * @gauges: (element-type DynoTrace): powers whose sum is that of the part
 *
 * A part of the machine whose power is known: all packages together, one device, the board. It has counters of energy,
 * or gauges of power, or both.
 */
typedef struct
{
  const DynoSensorInfo *info;
  const DynoSensorInfo *gauge_info;
  GPtrArray *counters;
  GPtrArray *gauges;
} DynoPowerPart;

/* Returns a part without readings. @info: the description of its first sensor; must outlive the part. */
DynoPowerPart *dyno_power_part_new (const DynoSensorInfo *info);
/* @info: a sensor of it; must outlive the part. Takes @trace. */
void dyno_power_part_take_trace (DynoPowerPart *self, const DynoSensorInfo *info, DynoTrace *trace);
void dyno_power_part_free (DynoPowerPart *self);

/* Returns the part's growing energy, in J: from its counters, else from its gauges by trapezoids. */
DynoTrace *dyno_power_part_create_energy (DynoPowerPart *self);
/* Returns the part's power over time, in W, named after it: a gauge's readings if one gauge covers the part, else
 * means of the energy. */
DynoTrace *dyno_power_part_create_power (DynoPowerPart *self);
/* Returns whether there are readings for all of it. @stretches holds DynoStretch. @energy: its energy; by gauges
 * possibly of the later part of the stretches only, because a reading is about the time before it as well (Yang,
 * Adamek, Armour: Part-time Power Measurements, 2023). */
gboolean dyno_power_part_measure (DynoPowerPart *self, GArray *stretches, DynoEnergy *energy);
/* Some gauges see only a part of each of their periods. They might always see steps of about the same duration at the
 * same place, so each stretch begins at another one (Yang, Adamek, Armour, 2023). A counter sees everything. Returns
 * how long to wait before a stretch, in s: less than a step and than a period of the gauge; 0 for a counter. */
double dyno_power_part_draw_phase (DynoPowerPart *self, double step_seconds, DynoRandom *random);
/* Returns whether the part has both a counter and a gauge, and both gave its power. @stretches holds DynoStretch.
 * @counted: mean power by its counters, in W. @polled: mean power by its gauges, in W. */
gboolean dyno_power_part_compare (DynoPowerPart *self, GArray *stretches, double *counted, double *polled);
/* Ignores the counters from now on. */
void dyno_power_part_distrust_counter (DynoPowerPart *self);
/* A counter goes on counting while nobody reads it, but missed readings of a gauge are lost. Returns the longest time
 * in s in which its power could not be read, 0 for none. @stretches holds DynoStretch. */
double dyno_power_part_find_gap (DynoPowerPart *self, GArray *stretches);
/* Some virtual machines show counters that never move. For an estimate, zero is a valid result. Returns whether one
 * of its sensors reports no energy at all. @stretches holds DynoStretch. */
gboolean dyno_power_part_stands_still (DynoPowerPart *self, GArray *stretches);
/* Returns the source of its numbers, in words. The caller owns it. */
char *dyno_power_part_describe (DynoPowerPart *self);

/* Returns the one part with which a case is charged; NULL if there is none. @parts holds DynoPowerPart. @device may
 * be NULL. */
DynoPowerPart *dyno_power_part_choose (GPtrArray *parts, gboolean on_device, const DynoSensorInfo *device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoPowerPart, dyno_power_part_free)

/* dyno-sensors-library */

/*
 * libsensors, whose state belongs to the process: it has chips while it is in use, and the first user after a pause
 * makes it look for them and read its configuration again.
 */

/* Returns whether the library is available, until dyno_sensors_library_release(). @reason (nullable): why it cannot
 * be used, as a phrase; untouched if the kernel just has no sensors. */
gboolean dyno_sensors_library_hold (char **reason);
void dyno_sensors_library_release (void);

G_END_DECLS
