/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <gio/gio.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "dyno-sensor-source.h"

#define PERIOD_MILLISECONDS "100"
#define PERIOD_SECONDS      0.1
#define MILLI               1e-3
#define MAX_LINE            256
#define MAX_SAMPLE_SECONDS  60

/* Precedes each sample: “*** Sampled system activity (Fri Sep  4 17:15:14 2015 +1000) (5009.63ms elapsed) ***”. */
#define SAMPLE "*** Sampled system activity ("

/* The lines of powermetrics that Dyno reads, with their names. The whole precedes its parts. A clock alone does not make
 * the graphics unit a board whose power is measured, so it belongs to no device. */
static const struct
{
  const char *label;
  const char *name;
  const char *unit;
  double scale;
  DynoSensorKind kind;
  DynoSensorDomain domain;
} rails[] = {
  { "Combined Power (CPU + GPU + ANE): ", "package", " mW", MILLI, DYNO_SENSOR_POWER, DYNO_DOMAIN_PACKAGE },
  { "CPU Power: ", "core", " mW", MILLI, DYNO_SENSOR_POWER, DYNO_DOMAIN_CORE },
  { "GPU Power: ", "uncore", " mW", MILLI, DYNO_SENSOR_POWER, DYNO_DOMAIN_UNCORE },
  { "ANE Power: ", "ane", " mW", MILLI, DYNO_SENSOR_POWER, DYNO_DOMAIN_OTHER },
  { "GPU HW active frequency: ", "gpu", " MHz", 1, DYNO_SENSOR_CLOCK, DYNO_DOMAIN_OTHER },
  { "GPU HW active residency: ", "gpu", "%", 1, DYNO_SENSOR_BUSY, DYNO_DOMAIN_DEVICE },
};

/* One running powermetrics, shared by its sensors. */
typedef struct
{
  GSubprocess *process;
  int output;
  char line[MAX_LINE];
  gsize length;
  double sample_seconds;
  double values[G_N_ELEMENTS (rails)];
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

  if (g_str_has_prefix (self->line, SAMPLE))
    self->sample_seconds =
        CLAMP (g_ascii_strtod (strrchr (self->line, '(') + 1, NULL) * MILLI, 0, MAX_SAMPLE_SECONDS);
  for (guint i = 0; i < G_N_ELEMENTS (rails); i++)
    if (g_str_has_prefix (self->line, rails[i].label))
      {
        const char *text = self->line + strlen (rails[i].label);
        char *end;
        double number = g_ascii_strtod (text, &end) * rails[i].scale;

        if (end == text || !g_str_has_prefix (end, rails[i].unit) || !(number >= 0))
          continue;
        if (rails[i].kind == DYNO_SENSOR_BUSY)
          self->values[i] += fmin (number, 100) * self->sample_seconds;
        else
          self->values[i] = number;
        self->is_known[i] = TRUE;
      }
}

static gboolean
read_rail (gpointer data, gint64 now_ns, double *value)
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
  *value = self->meter->values[self->rail];
  return TRUE;
}

static void
add_sensor (GPtrArray *sensors, Meter *meter, guint rail)
{
  Reader *reader = g_new0 (Reader, 1);
  DynoSensorInfo info = {
    .kind = rails[rail].kind,
    .domain = rails[rail].domain,
    .name = rails[rail].name,
    .source = rails[rail].kind == DYNO_SENSOR_POWER
                  ? _ ("macOS’s model of the chip’s power, as powermetrics reports it")
              : rails[rail].kind == DYNO_SENSOR_CLOCK
                  ? _ ("clock of the graphics unit while it works, as powermetrics reports it")
                  : _ ("share of the time in which the graphics unit works, as powermetrics reports it"),
    .period_seconds = PERIOD_SECONDS,
    .resolution = rails[rail].kind == DYNO_SENSOR_POWER ? MILLI : 0,
    .estimated = rails[rail].kind == DYNO_SENSOR_POWER,
  };

  reader->meter = g_rc_box_acquire (meter);
  reader->rail = rail;
  g_ptr_array_add (sensors, dyno_sensor_new (&info, read_rail, reader, reader_free));
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
