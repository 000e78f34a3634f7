/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/syscall.h>
#endif

#include "dyno-metrics-sources-private.h"
#include "dyno-system-file.h"

#define UNITS_FOLDER "bus/event_source/devices"

static int open_in_kernel (const DynoPerfEvent *event, int processor);

static DynoPerfOpener opener = open_in_kernel;

/* An event that counts for the whole package is opened on the one processor that the kernel names for it. */
static int
open_in_kernel (const DynoPerfEvent *event, int processor)
{
#ifdef __linux__
  struct perf_event_attr attributes = {
    .type = event->type,
    .size = sizeof attributes,
    .config = event->config,
    .config1 = event->config1,
    .config2 = event->config2,
    .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
  };

  return (int)syscall (SYS_perf_event_open, &attributes, -1, processor, -1, PERF_FLAG_FD_CLOEXEC);
#else
  errno = ENOSYS;
  return -1;
#endif
}

static char *
dup_text (const char *unit, const char *folder, const char *name, const char *suffix)
{
  g_autofree char *file = g_strconcat (name, suffix, NULL);
  g_autofree char *path = g_build_filename (UNITS_FOLDER, unit, folder, file, NULL);

  return dyno_system_file_dup_text (DYNO_PATH_SYSFS, path);
}

char **
dyno_perf_event_list_units (const char *prefix)
{
  g_auto (GStrv) names = dyno_system_file_list (DYNO_PATH_SYSFS, UNITS_FOLDER);
  g_autoptr (GStrvBuilder) units = g_strv_builder_new ();

  for (guint i = 0; names[i] != NULL; i++)
    {
      const char *rest = names[i] + strlen (prefix);

      if (!g_str_has_prefix (names[i], prefix))
        continue;
      if (*rest == '\0' || (*rest == '_' && strspn (rest + 1, "0123456789") == strlen (rest + 1)))
        g_strv_builder_add (units, names[i]);
    }
  return g_strv_builder_end (units);
}

static guint64 *
find_config (DynoPerfEvent *self, const char *name)
{
  if (g_str_equal (name, "config"))
    return &self->config;
  if (g_str_equal (name, "config1"))
    return &self->config1;
  return g_str_equal (name, "config2") ? &self->config2 : NULL;
}

/* Distributes a term's value over the bits of its format, such as `config:0-7,32-35`, from the lowest on. */
static gboolean
lay_out (DynoPerfEvent *self, const char *format, guint64 value)
{
  g_auto (GStrv) halves = g_strsplit (format, ":", 2);
  guint64 *config = find_config (self, halves[0]);
  g_auto (GStrv) ranges = g_strsplit (halves[1] != NULL ? halves[1] : "", ",", -1);

  for (guint i = 0; config != NULL && ranges[i] != NULL; i++)
    {
      char *end;
      guint64 first = g_ascii_strtoull (ranges[i], &end, 10);
      guint64 last = *end == '-' ? g_ascii_strtoull (end + 1, NULL, 10) : first;

      for (guint64 bit = first; bit <= last && bit < 64; bit++, value >>= 1)
        *config |= (value & 1) << bit;
    }
  return config != NULL && ranges[0] != NULL && value == 0;
}

static gboolean
add_term (DynoPerfEvent *self, const char *unit, const char *term)
{
  g_auto (GStrv) halves = g_strsplit (term, "=", 2);
  g_autofree char *format = dup_text (unit, "format", halves[0], "");
  guint64 *whole = find_config (self, halves[0]);
  guint64 value = halves[1] != NULL ? g_ascii_strtoull (halves[1], NULL, 0) : 1;

  if (format != NULL)
    return *format != '\0' && lay_out (self, format, value);
  /* A unit without formats has its events in the lowest bits. */
  if (whole == NULL && g_str_equal (halves[0], "event"))
    whole = &self->config;
  if (whole != NULL)
    *whole |= value;
  return whole != NULL;
}

gboolean
dyno_perf_event_describe (DynoPerfEvent *self, const char *unit, const char *event)
{
  g_autofree char *type_path = g_build_filename (UNITS_FOLDER, unit, "type", NULL);
  gint64 type = dyno_system_file_read_int64 (DYNO_PATH_SYSFS, type_path, -1);
  gboolean is_terms = strchr (event, '=') != NULL;
  g_autofree char *text = is_terms ? g_strdup (event) : dup_text (unit, "events", event, "");
  g_auto (GStrv) terms = g_strsplit (text != NULL ? text : "", ",", -1);

  *self = (DynoPerfEvent){ .type = (guint32)type, .scale = 1 };
  if (type < 0 || terms[0] == NULL)
    return FALSE;
  for (guint i = 0; terms[i] != NULL; i++)
    /* Nothing, as after a comma at the end, has no halves. */
    if (*terms[i] == '\0' || !add_term (self, unit, terms[i]))
      return FALSE;
  if (!is_terms)
    {
      g_autofree char *scale = dup_text (unit, "events", event, ".scale");
      g_autofree char *name = dup_text (unit, "events", event, ".unit");

      self->scale = scale != NULL ? g_ascii_strtod (scale, NULL) : 1;
      g_strlcpy (self->unit, name != NULL ? name : "", sizeof self->unit);
    }
  return TRUE;
}

GArray *
dyno_perf_event_list_processors (const char *unit)
{
  g_autofree char *text = dup_text (unit, "", "cpumask", "");
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "0", ",", -1);
  GArray *processors = g_array_new (FALSE, FALSE, sizeof (int));

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *dash = strchr (parts[i], '-');
      int last = (int)g_ascii_strtoll (dash != NULL ? dash + 1 : parts[i], NULL, 10);

      for (int processor = (int)g_ascii_strtoll (parts[i], NULL, 10); processor <= last; processor++)
        g_array_append_val (processors, processor);
    }
  return processors;
}

int
dyno_perf_event_open (const DynoPerfEvent *self, int processor)
{
  return opener (self, processor);
}

gboolean
dyno_perf_event_read (int file, double *count)
{
  struct
  {
    guint64 value, enabled, running;
  } reading;

  if (read (file, &reading, sizeof reading) != sizeof reading)
    return FALSE;
  if (reading.running == 0 && reading.enabled > 0)
    return FALSE;
  *count = (double)reading.value;
  if (reading.running < reading.enabled)
    *count *= (double)reading.enabled / (double)reading.running;
  return TRUE;
}

static gboolean
is_denial (int code)
{
  return code == EACCES || code == EPERM;
}

char *
dyno_perf_event_dup_refusal (int code)
{
  gint64 paranoid = dyno_system_file_read_int64 (DYNO_PATH_PROCFS, "sys/kernel/perf_event_paranoid", 2);

  if (!is_denial (code))
    return g_strdup_printf (_ ("The kernel refuses to count: %s."), g_strerror (code));
  return g_strdup_printf (
      _ ("Only the administrator may use system-wide counters (perf_event_paranoid is %" PRId64 ")."),
      paranoid);
}

char *
dyno_perf_event_dup_remedy (int code)
{
  if (!is_denial (code))
    return NULL;
  return g_strdup (_ ("Run “sudo sysctl kernel.perf_event_paranoid=0” for as long as you measure, or start "
                      "Dyno with the capability CAP_PERFMON."));
}

void
dyno_perf_event_set_opener (DynoPerfOpener replacement)
{
  opener = replacement != NULL ? replacement : open_in_kernel;
}
