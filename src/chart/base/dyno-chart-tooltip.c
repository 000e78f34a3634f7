/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-ink.h"

#define PADDING  8.0
#define DISTANCE 12.0
#define RADIUS   6.0
#define SHARE    0.6

typedef struct
{
  double x;
  double y;
  double width;
  double height;
} Box;

void
dyno_chart_tooltip_draw (const char *heading,
                         const char *text,
                         double x,
                         double y,
                         double width,
                         double height,
                         cairo_t *cr,
                         const DynoChartStyle *style)
{
  double max_width = MAX (width * SHARE, 120) - 2 * PADDING;
  DynoText bold = { .text = heading, .size = DYNO_TEXT_BOLD, .width = max_width };
  DynoText body = { .text = text, .width = max_width, .n_lines = 4 };
  double bold_width = 0;
  double bold_height = 0;
  double body_width, body_height;
  Box box;

  dyno_text_measure (&body, cr, style, &body_width, &body_height);
  if (heading != NULL)
    dyno_text_measure (&bold, cr, style, &bold_width, &bold_height);
  box.width = ceil (MAX (bold_width, body_width)) + 2 * PADDING;
  box.height = ceil (bold_height + body_height) + 2 * PADDING;

  /* Places the box beside and above the point if there is room, and always inside the picture. */
  double left = x - DISTANCE - box.width;
  double above = y - DISTANCE / 2 - box.height;
  box.x = x + DISTANCE + box.width <= width || left < 1 ? x + DISTANCE : left;
  box.x = round (CLAMP (box.x, 1, MAX (width - box.width - 1, 1)));
  box.y = above >= 1 ? above : y + DISTANCE;
  box.y = round (CLAMP (box.y, 1, MAX (height - box.height - 1, 1)));

  double right = box.x + box.width;
  double bottom = box.y + box.height;
  cairo_new_sub_path (cr);
  cairo_arc (cr, right - RADIUS, box.y + RADIUS, RADIUS, -G_PI / 2, 0);
  cairo_arc (cr, right - RADIUS, bottom - RADIUS, RADIUS, 0, G_PI / 2);
  cairo_arc (cr, box.x + RADIUS, bottom - RADIUS, RADIUS, G_PI / 2, G_PI);
  cairo_arc (cr, box.x + RADIUS, box.y + RADIUS, RADIUS, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
  dyno_ink_set_background (cr, style);
  cairo_fill_preserve (cr);
  dyno_ink_set_faded (cr, &style->dim, style->high_contrast ? 1 : 0.5);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, 1);
  cairo_stroke (cr);

  bold.x = body.x = box.x + PADDING;
  bold.y = box.y + PADDING;
  body.y = bold.y + bold_height;
  if (heading != NULL)
    dyno_text_draw (&bold, cr, style);
  dyno_text_draw (&body, cr, style);
}
