/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-chart-base-private.h"

/* The blank space at the top and the bottom of a line of text, in px. */
#define INSET 1.0

void
dyno_label_occupy (const DynoPlot *plot, double x, double y, double width, double height)
{
  DynoTextBox box = { NULL, x - width / 2, y - height / 2, width, height, 0 };

  if (plot->taken != NULL)
    g_array_append_val (plot->taken, box);
}

gboolean
dyno_label_try (const DynoPlot *plot,
                const DynoText *text,
                double width,
                double height,
                cairo_t *cr,
                const DynoChartStyle *style)
{
  DynoTextBox box;
  double left, top, right, bottom;

  dyno_text_get_box (text, width, height, &box);
  dyno_text_box_get_extents (&box, &left, &top, &right, &bottom);
  if (left < plot->x || top < plot->y || right > plot->x + plot->width || bottom > plot->y + plot->height)
    return FALSE;
  for (guint i = 0; plot->taken != NULL && i < plot->taken->len; i++)
    if (dyno_text_box_touches (&box, &g_array_index (plot->taken, DynoTextBox, i), INSET))
      return FALSE;
  dyno_text_draw (text, cr, style);
  if (plot->taken != NULL)
    g_array_append_val (plot->taken, box);
  return TRUE;
}

gboolean
dyno_label_try_around (
    const DynoPlot *plot, const DynoText *text, double distance, cairo_t *cr, const DynoChartStyle *style)
{
  static const double places[][2] = { { 1, 0 },  { -1, 0 }, { 0, -1 },  { 0, 1 },
                                      { 1, -1 }, { 1, 1 },  { -1, -1 }, { -1, 1 } };
  double width, height;

  dyno_text_measure (text, cr, style, &width, &height);
  for (guint i = 0; i < G_N_ELEMENTS (places); i++)
    {
      DynoText here = *text;

      here.x += places[i][0] * distance;
      here.y += places[i][1] * distance;
      here.align_x = (1 - places[i][0]) / 2;
      here.align_y = (1 - places[i][1]) / 2;
      if (dyno_label_try (plot, &here, width, height, cr, style))
        return TRUE;
    }
  return FALSE;
}
