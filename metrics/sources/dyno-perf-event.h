/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

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

G_END_DECLS
