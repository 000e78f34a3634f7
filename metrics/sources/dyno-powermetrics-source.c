/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

#include "dyno-sensor-source.h"

#define PERIOD_MILLISECONDS "100"
#define PERIOD_SECONDS      0.1
#define MILLI               1e-3
#define MAX_LINE            256

/* The lines of powermetrics that Dyno reads, with their names. The whole precedes its parts. */
static const struct
{
  const char *label;
  const char *name;
  DynoSensorDomain domain;
} rails[] = {
  { "Combined Power (CPU + GPU + ANE): ", "package", DYNO_DOMAIN_PACKAGE },
  { "CPU Power: ", "core", DYNO_DOMAIN_CORE },
  { "GPU Power: ", "uncore", DYNO_DOMAIN_UNCORE },
  { "ANE Power: ", "ane", DYNO_DOMAIN_OTHER },
};

/* One running powermetrics, shared by its sensors. */
typedef struct
{
  GSubprocess *process;
  int output;
  char line[MAX_LINE];
  gsize length;
  double watts[G_N_ELEMENTS (rails)];
  gboolean is_known[G_N_ELEMENTS (rails)];
} Meter;

typedef struct
{
  Meter *meter;
  guint rail;
} Reader;

static void
meter_clear (gpointer data)
{
  Meter *self = data;

  g_subprocess_force_exit (self->process);
  g_subprocess_wait (self->process, NULL, NULL);
  g_clear_object (&self->process);
}

static void
reader_free (gpointer data)
{
  Reader *self = data;

  g_rc_box_release_full (self->meter, meter_clear);
  g_free (self);
}

/* A line that is too long to be one of these is cut. */
static void
take_character (Meter *self, char character)
{
  if (character != '\n')
    {
      if (self->length < MAX_LINE - 1)
        self->line[self->length++] = character;
      return;
    }
  self->line[self->length] = '\0';
  self->length = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rails); i++)
    if (g_str_has_prefix (self->line, rails[i].label))
      {
        const char *number = self->line + strlen (rails[i].label);
        char *end;
        double milliwatts = g_ascii_strtod (number, &end);

        if (end == number || !g_str_has_prefix (end, " mW"))
          continue;
        self->watts[i] = milliwatts * MILLI;
        self->is_known[i] = TRUE;
      }
}

static gboolean
read_watts (gpointer data, gint64 now_ns, double *value)
{
  const Reader *self = data;
  char buffer[1024];
  gssize n_read;

  while ((n_read = read (self->meter->output, buffer, sizeof buffer)) > 0)
    for (gssize i = 0; i < n_read; i++)
      take_character (self->meter, buffer[i]);

  gboolean is_running = n_read < 0 && (errno == EAGAIN || errno == EINTR);

  if (!is_running || !self->meter->is_known[self->rail])
    return FALSE;
  *value = self->meter->watts[self->rail];
  return TRUE;
}

static void
add_sensor (GPtrArray *sensors, Meter *meter, guint rail)
{
  Reader *reader = g_new0 (Reader, 1);
  DynoSensorInfo info = {
    .kind = DYNO_SENSOR_POWER,
    .domain = rails[rail].domain,
    .name = rails[rail].name,
    .source = _ ("macOS’s model of the chip’s power, as powermetrics reports it"),
    .period_seconds = PERIOD_SECONDS,
    .resolution = MILLI,
    .estimated = TRUE,
  };

  reader->meter = g_rc_box_acquire (meter);
  reader->rail = rail;
  g_ptr_array_add (sensors, dyno_sensor_new (&info, read_watts, reader, reader_free));
}

static DynoProbe *
discover (GPtrArray *sensors, double tdp_watts)
{
  g_autofree char *program = g_find_program_in_path ("powermetrics");
  g_autoptr (GError) error = NULL;
  Meter *meter;

  if (program == NULL)
    return dyno_probe_new_unsupported (_ ("powermetrics is only available on macOS."), NULL);
  if (geteuid () != 0)
    return dyno_probe_new_unsupported (_ ("Only the administrator may run powermetrics."),
                                       _ ("Start Dyno’s command line with “sudo dyno-cli run …”."));

  g_autoptr (GSubprocess) process = g_subprocess_new (
      G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE, &error, program, "--samplers",
      "cpu_power,gpu_power,ane_power", "--sample-rate", PERIOD_MILLISECONDS, "--buffer-size", "0", NULL);

  if (process == NULL)
    return dyno_probe_new_unsupported (error->message, NULL);
  meter = g_rc_box_new0 (Meter);
  meter->output = g_unix_input_stream_get_fd (G_UNIX_INPUT_STREAM (g_subprocess_get_stdout_pipe (process)));
  g_unix_set_fd_nonblocking (meter->output, TRUE, NULL);
  meter->process = g_steal_pointer (&process);
  for (guint i = 0; i < G_N_ELEMENTS (rails); i++)
    add_sensor (sensors, meter, i);
  g_rc_box_release_full (meter, meter_clear);
  return dyno_probe_new_available ("powermetrics");
}

const DynoSensorSource dyno_powermetrics_source = { "powermetrics", N_ ("powermetrics"), discover };
