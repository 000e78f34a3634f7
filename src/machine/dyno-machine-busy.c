/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-machine-private.h"
#include "dyno-system-file.h"

/* Long enough for the kernel's ticks of 10 ms to show half a processor. */
#define WINDOW_US 100000

typedef struct
{
  gint64 busy;
  gint64 total;
  guint n_processors;
} Ticks;

static Ticks
parse (const char *stat)
{
  g_auto (GStrv) lines = g_strsplit (stat, "\n", -1);
  Ticks ticks = { 0 };
  DynoProcessorTicks sum = { 0 };

  for (char **line = lines; *line != NULL; line++)
    if (g_str_has_prefix (*line, "cpu") && g_ascii_isdigit ((*line)[3]))
      {
        ticks.n_processors++;
        dyno_system_file_add_ticks (*line + strcspn (*line, " "), &sum);
      }
  ticks.busy = sum.busy + sum.stolen;
  ticks.total = ticks.busy + sum.idle;
  return ticks;
}

double
dyno_machine_busy_between (const char *before, const char *after)
{
  Ticks first, last;

  if (before == NULL || after == NULL)
    return NAN;
  first = parse (before);
  last = parse (after);
  if (last.total <= first.total || last.busy < first.busy)
    return NAN;
  return last.n_processors * (double)(last.busy - first.busy) / (double)(last.total - first.total);
}

double
dyno_machine_busy_measure (void)
{
  g_autofree char *before = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "stat");
  g_autofree char *after = NULL;

  if (before == NULL)
    return NAN;
  g_usleep (WINDOW_US);
  after = dyno_system_file_dup_text (DYNO_PATH_PROCFS, "stat");
  return dyno_machine_busy_between (before, after);
}
