/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-pair.h"

/* The sides have the first two colours. Several series of a panel keep their order by dash and marker. */
static void
color (DynoChart *self, guint side)
{
  g_autoptr (GArray) parts = dyno_chart_list_parts (self);
  const char *panel = NULL;
  guint n = 0;

  for (guint i = 0; i < parts->len; i++)
    {
      const DynoChartPart *part = &g_array_index (parts, DynoChartPart, i);

      n = i > 0 && g_strcmp0 (panel, part->panel) == 0 ? n + 1 : 0;
      panel = part->panel;
      dyno_series_set_slot (part->series, side + n * DYNO_CHART_N_COLORS);
    }
}

static void
name (DynoChart *self, const char *side)
{
  /* Translators: the title of a chart, and the side of the comparison that it shows */
  char *title = g_strdup_printf (_ ("%s · %s"), dyno_chart_get_title (self), side);

  dyno_chart_take_title (self, title);
  dyno_chart_take_finding (self, NULL);
}

void
dyno_chart_pair (DynoChart *before, const char *before_title, DynoChart *after, const char *after_title)
{
  g_return_if_fail (DYNO_IS_CHART (before));
  g_return_if_fail (DYNO_IS_CHART (after));

  color (before, 0);
  color (after, 1);
  name (before, before_title);
  name (after, after_title);
}
