/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "dyno-clock.h"
#include "dyno-disturbance.h"
#include "dyno-paths.h"
#include "dyno-process-family.h"
#include "dyno-system-file.h"

/* On a quiet machine other programs use less than this, in processors and as a share of all. */
#define QUIET_LOAD       0.5
#define QUIET_LOAD_SHARE 0.05

#define COUNTERS_OF(self) (&(self)->n_throttled)
#define N_COUNTERS                                                                                           \
  ((sizeof (DynoDisturbance) - G_STRUCT_OFFSET (DynoDisturbance, n_throttled)) / sizeof (gint64) - 1)

static gint64
parse_field (const char *text, const char *key)
{
  g_autofree char *field = dyno_system_file_dup_field (text, key, ":\t ");

  return field != NULL ? g_ascii_strtoll (g_strstrip (field), NULL, 10) : 0;
}

/* Returns the time in the queue, the second number of a schedstat; -1 if there is none. */
static gint64
parse_queue (const char *text)
{
  const char *waited = text != NULL ? strchr (text, ' ') : NULL;

  return waited != NULL ? g_ascii_strtoll (waited, NULL, 10) : -1;
}

gint64
dyno_disturbance_read_queued_ns (void)
{
  g_auto (GStrv) tasks = dyno_system_file_list (DYNO_PATH_PROCFS, "self/task");
  gint64 sum = -1;

  for (char **task = tasks; *task != NULL; task++)
    {
      g_autofree char *path = g_build_filename ("self/task", *task, "schedstat", NULL);
      g_autofree char *text = dyno_system_file_dup_text (DYNO_PATH_PROCFS, path);
      gint64 waited = parse_queue (text);

      if (waited >= 0)
        sum = MAX (sum, 0) + waited;
    }
  return sum;
}

int
dyno_disturbance_open_queue (void)
{
  g_autofree char *path = dyno_paths_build (DYNO_PATH_PROCFS, "thread-self", "schedstat", NULL);

  return open (path, O_RDONLY | O_CLOEXEC);
}

gint64
dyno_disturbance_read_queue (int queue)
{
  char text[128];
  gssize length = queue >= 0 ? pread (queue, text, sizeof text - 1, 0) : -1;

  text[MAX (length, 0)] = '\0';
  return parse_queue (text);
}

void
dyno_disturbance_read (DynoDisturbance *self, GArray *server)
{
  g_auto (GStrv) tasks = dyno_system_file_list (DYNO_PATH_PROCFS, "self/task");
  DynoContainer group;

  for (guint i = 0; i < N_COUNTERS; i++)
    COUNTERS_OF (self)[i] = -1;
  self->n_processors = 0;
  dyno_container_read (&group);
  self->n_throttled = group.n_throttled;
  self->throttled_us = group.throttled_us;
  memcpy (self->group_pressure_us, group.pressure_us, sizeof self->group_pressure_us);
  for (guint kind = 0; kind < DYNO_N_PRESSURES; kind++)
    self->pressure_us[kind] = dyno_container_read_machine_pressure (kind);
  if (*tasks != NULL)
    {
      self->voluntary_switches = self->involuntary_switches = 0;
      for (char **task = tasks; *task != NULL; task++)
        {
          g_autofree char *path = g_build_filename ("self/task", *task, "status", NULL);
          g_autofree char *status = dyno_system_file_dup_text (DYNO_PATH_PROCFS, path);

          self->voluntary_switches += parse_field (status, "voluntary_ctxt_switches");
          self->involuntary_switches += parse_field (status, "nonvoluntary_ctxt_switches");
        }
    }

  g_autofree char *text = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "stat");
  g_auto (GStrv) lines = g_strsplit (text != NULL ? text : "", "\n", -1);

  if (g_str_has_prefix (lines[0] != NULL ? lines[0] : "", "cpu "))
    {
      DynoProcessorTicks ticks = { 0 };

      dyno_system_file_add_ticks (lines[0] + strlen ("cpu"), &ticks);
      self->steal_ticks = ticks.stolen;
      self->busy_ticks = ticks.busy + ticks.stolen;
      self->all_ticks = self->busy_ticks + ticks.idle;
      for (char **line = lines + 1; *line != NULL; line++)
        self->n_processors += g_str_has_prefix (*line, "cpu") && g_ascii_isdigit ((*line)[3]);
    }
  self->own_ticks = dyno_process_family_read_ticks (getpid ());
  if (server != NULL)
    self->server_ticks =
        dyno_process_family_read_all_ticks ((const GPid *)(gpointer)server->data, server->len);
  self->time_ns = dyno_clock_now_ns ();
}

void
dyno_disturbance_subtract (DynoDisturbance *self, const DynoDisturbance *before)
{
  gboolean lost_own = self->own_ticks < before->own_ticks;
  gboolean lost_server = self->server_ticks < before->server_ticks;

  self->time_ns -= before->time_ns;
  for (guint i = 0; i < N_COUNTERS; i++)
    {
      gint64 *counter = &COUNTERS_OF (self)[i];
      gint64 then = COUNTERS_OF (before)[i];

      /* Threads that end take their counts with them. */
      *counter = *counter < 0 || then < 0 ? -1 : MAX (*counter - then, 0);
    }
  /* The CPU time of a process that left the family is lost too: then the load of others is unknown. */
  if (lost_server)
    self->server_ticks = -1;
  if (lost_own || lost_server)
    self->own_ticks = -1;
}

void
dyno_disturbance_add (DynoDisturbance *self, const DynoDisturbance *other)
{
  self->time_ns += other->time_ns;
  self->n_processors = other->n_processors;
  for (guint i = 0; i < N_COUNTERS; i++)
    {
      gint64 *counter = &COUNTERS_OF (self)[i];
      gint64 more = COUNTERS_OF (other)[i];

      *counter = *counter < 0 || more < 0 ? -1 : *counter + more;
    }
}

double
dyno_disturbance_to_processors (const DynoDisturbance *self, gint64 ticks)
{
  return ticks >= 0 && self->all_ticks > 0 && self->n_processors > 0
             ? (double)self->n_processors * (double)ticks / (double)self->all_ticks
             : NAN;
}

gboolean
dyno_disturbance_is_loud (double others, double n_processors)
{
  return others > MAX (QUIET_LOAD, QUIET_LOAD_SHARE * n_processors);
}

double
dyno_disturbance_get_others (const DynoDisturbance *self)
{
  gint64 own = self->own_ticks + MAX (self->server_ticks, 0);

  if (self->busy_ticks < 0 || self->own_ticks < 0)
    return NAN;
  return dyno_disturbance_to_processors (self, MAX (self->busy_ticks - own - self->steal_ticks, 0));
}

double
dyno_disturbance_get_steal_percent (const DynoDisturbance *self)
{
  return self->steal_ticks >= 0 && self->all_ticks > 0
             ? 100.0 * (double)self->steal_ticks / (double)self->all_ticks
             : NAN;
}
