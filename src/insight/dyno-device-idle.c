/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-insight-private.h"
#include "dyno-run-summary.h"
#include "dyno-unit.h"

/* A device that was idle for a smaller share of the time is called busy. */
#define LEAST_IDLE 10

/* Returns whether a case has the value. */
static gboolean
find_range (GPtrArray *results, const char *name, double *least, double *most)
{
  *least = INFINITY;
  *most = -INFINITY;
  for (guint i = 0; i < results->len; i++)
    {
      double busy = dyno_result_get_number (results->pdata[i], name);

      if (!isfinite (busy))
        continue;
      *least = fmin (*least, 100 - busy);
      *most = fmax (*most, 100 - busy);
    }
  return *least <= *most;
}

char *
dyno_device_idle_dup (GPtrArray *results)
{
  double least, most;
  gboolean by_all = find_range (results, "utilisation_device_global_percent", &least, &most);
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;
  g_autofree char *percent = NULL;

  if ((!by_all && !find_range (results, "utilisation_device_percent", &least, &most)) || most < LEAST_IDLE)
    return NULL;
  from = dyno_unit_format_percent (least);
  to = dyno_unit_format_percent (most);
  percent = dyno_range_dup (from, to);
  if (by_all)
    /* Translators: a percentage, or a range of percentages */
    return g_strdup_printf (_ ("The device was idle %s %% of the time."), percent);
  /* Translators: a percentage, or a range of percentages */
  return g_strdup_printf (_ ("The device did nothing for the model %s %% of the time."), percent);
}
