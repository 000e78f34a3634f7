/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-amd-library.h"
#include "dyno-metrics-sources-private.h"
#include "dyno-sensor-source.h"

#define PERIOD_SECONDS 1e-3

/* The firmware averages its shares, over about this time; the library does not say. */
#define AVERAGE_SECONDS 1

typedef struct
{
  const DynoAmdLibrary *library;
  gpointer board;
  DynoAmdRead read; /* of all sensors except energy */
  DynoEnergyCounter counter;
  DynoBusyTime busy;
} RocmData;

/* The properties that all sensors of a board share. */
typedef struct
{
  const DynoAmdLibrary *library;
  gpointer board;
  char *name;
  char *address;
} Board;

static gboolean
read_energy (gpointer data, gint64 now_ns, double *value)
{
  RocmData *self = data;
  guint64 steps;

  return self->library->read_energy (self->board, &steps, &self->counter.joules_per_unit) &&
         dyno_energy_counter_advance (&self->counter, steps, now_ns, value);
}

static gboolean
read_number (gpointer data, gint64 now_ns, double *value)
{
  RocmData *self = data;

  return self->read (self->board, value);
}

static gboolean
read_busy (gpointer data, gint64 now_ns, double *value)
{
  RocmData *self = data;
  double percent;

  if (!self->read (self->board, &percent))
    percent = NAN;
  return dyno_busy_time_advance (&self->busy, percent, now_ns, value);
}

static gboolean
read_process_memory (gpointer data, GPid pid, double *value)
{
  RocmData *self = data;

  return self->library->read_process_memory (self->board, pid, value);
}

/* A board that does not answer the first query has no such sensor. */
static gboolean
add (GPtrArray *sensors, const Board *board, DynoSensorInfo *info, DynoAmdRead read)
{
  DynoSensorRead read_sensor = info->kind == DYNO_SENSOR_ENERGY ? read_energy
                               : info->kind == DYNO_SENSOR_BUSY ? read_busy
                                                                : read_number;
  RocmData *data = g_new0 (RocmData, 1);
  g_autofree char *name = g_strconcat (board->name, info->name, NULL);
  g_autofree char *source = g_strdup_printf ("%s, %s", board->library->name, info->source);
  double value;

  *data = (RocmData){ board->library, board->board, read };
  if (!read_sensor (data, 0, &value))
    {
      g_free (data);
      return FALSE;
    }
  info->domain = DYNO_DOMAIN_DEVICE;
  info->name = name;
  info->source = source;
  info->device = board->address;
  info->period_assumed = info->kind == DYNO_SENSOR_BUSY;
  info->period_seconds = info->period_assumed ? AVERAGE_SECONDS : PERIOD_SECONDS;
  /* The library reports the size of a step together with the count. */
  info->resolution = data->counter.joules_per_unit;
  data->counter = (DynoEnergyCounter){ 0 };
  data->busy = (DynoBusyTime){ 0 };
  g_ptr_array_add (sensors, dyno_sensor_new (info, read_sensor, data, g_free));
  return TRUE;
}

static void
add_all (GPtrArray *sensors, const Board *board)
{
  DynoSensorInfo energy = { DYNO_SENSOR_ENERGY, .name = "", .source = _ ("counter of the board’s energy") };
  DynoSensorInfo power = { DYNO_SENSOR_POWER, .name = "", .source = _ ("the board’s power") };
  DynoSensorInfo temperature = { DYNO_SENSOR_TEMPERATURE, .name = "",
                                 .source = _ ("temperature at the board’s edge") };
  DynoSensorInfo memory = { DYNO_SENSOR_MEMORY, .name = "",
                            .source = _ ("memory in use, by all processes together") };

  DynoSensorInfo busy = { DYNO_SENSOR_BUSY, .name = "", .source = _ ("share of the time in which it works") };
  DynoSensorInfo memory_busy = { DYNO_SENSOR_BUSY, .name = "_memory", .facet = "memory",
                                 .source = _ ("share of the time in which its memory is accessed") };

  add (sensors, board, &busy, board->library->read_activity);
  add (sensors, board, &memory_busy, board->library->read_memory_activity);
  add (sensors, board, &energy, NULL);
  add (sensors, board, &power, board->library->read_power);
  add (sensors, board, &temperature, board->library->read_temperature);
  if (add (sensors, board, &memory, board->library->read_memory))
    {
      /* No process is on the board yet, so the first query would be useless. */
      RocmData *data = g_new0 (RocmData, 1);
      g_autofree char *name = g_strconcat (board->name, "_process", NULL);
      g_autofree char *source =
          g_strdup_printf ("%s, %s", board->library->name, _ ("memory of the processes that do the work"));
      const DynoSensorInfo info = {
        .kind = DYNO_SENSOR_MEMORY,
        .domain = DYNO_DOMAIN_DEVICE,
        .name = name,
        .source = source,
        .device = board->address,
        .period_seconds = PERIOD_SECONDS,
      };

      *data = (RocmData){ board->library, board->board };
      g_ptr_array_add (sensors, dyno_sensor_new_of_processes (&info, read_process_memory, data, g_free));
    }
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  guint n_before = sensors->len;
  g_autoptr (GPtrArray) boards = NULL;
  g_autoptr (GError) error = NULL;
  const DynoAmdLibrary *library = dyno_amd_library_open (&boards, &error);
  g_autofree char *reason = NULL;

  if (library == NULL)
    return dyno_probe_new_unsupported (
        error->message,
        _ ("Where there is an AMD device, install ROCm’s package amd-smi-lib, or rocm-smi-lib before ROCm "
           "6.4; without them, the kernel’s driver amdgpu tells most."));
  for (guint i = 0; i < boards->len; i++)
    {
      g_autofree char *name = g_strdup_printf ("amd%u", i);
      g_autofree char *address = library->dup_address (boards->pdata[i]);
      const Board board = { library, boards->pdata[i], name, address };

      add_all (sensors, &board);
    }
  if (sensors->len > n_before)
    return dyno_probe_new_available (library->name);
  reason =
      g_strdup_printf (_ ("%s reports nothing about the devices it found (%u)."), library->name, boards->len);
  return dyno_probe_new_unsupported (reason, _ ("“amd-smi” or “rocm-smi” says whether the driver works."));
}

const DynoSensorSource dyno_rocm_source = { "rocm", "AMD SMI, ROCm SMI", discover };
