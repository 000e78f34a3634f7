/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <cairo.h>

#include "dyno-chart-style.h"

G_BEGIN_DECLS

/**
 * DynoTextSize:
 * @DYNO_TEXT_NORMAL: as in the window
 * @DYNO_TEXT_SMALL: ticks, captions
 * @DYNO_TEXT_BOLD: as in the window, bold
 * @DYNO_TEXT_TITLE: larger and bold
 */
typedef enum
{
  DYNO_TEXT_NORMAL,
  DYNO_TEXT_SMALL,
  DYNO_TEXT_BOLD,
  DYNO_TEXT_TITLE,
} DynoTextSize;

/**
 * DynoText:
 * @text: the text
 * @size: its size
 * @color: (nullable): its colour; the foreground if NULL
 * @x: the x of its anchor
 * @y: the y of its anchor
 * @align_x: the part of it that is at @x: 0 its left, 0.5 its middle, 1 its right
 * @align_y: the part of it that is at @y
 * @width: the width at which it is ellipsized or broken; 0 for none
 * @n_lines: the maximum number of lines, after which it is cut off; 0 for one line
 * @halo: whether the letters have a rim in the background colour
 * @angle: its clockwise rotation around its anchor, in radians
 *
 * A piece of text in a picture.
 */
typedef struct
{
  const char *text;
  DynoTextSize size;
  const DynoColor *color;
  double x;
  double y;
  double align_x;
  double align_y;
  double width;
  guint n_lines;
  gboolean halo;
  double angle;
} DynoText;

/**
 * DynoTextBox:
 *
 * The area of a text: its top left corner, in the units of the surface, its size, and its clockwise rotation
 * around that corner, in radians.
 */
typedef struct
{
  char *text;
  double x;
  double y;
  double width;
  double height;
  double angle;
} DynoTextBox;

void dyno_text_measure (
    const DynoText *text, cairo_t *cr, const DynoChartStyle *style, double *width, double *height);
double dyno_text_get_line_height (DynoTextSize size, cairo_t *cr, const DynoChartStyle *style);
void dyno_text_draw (const DynoText *text, cairo_t *cr, const DynoChartStyle *style);
/* @box: its area, in the units of its anchor; without its words. */
void dyno_text_get_box (const DynoText *text, double width, double height, DynoTextBox *box);
/* Lets tests read a picture and check that its texts do not overlap. @boxes (nullable): records every text
 * that is drawn from now on. */
void dyno_text_set_recorder (GArray *boxes);

void
dyno_text_box_get_extents (const DynoTextBox *self, double *left, double *top, double *right, double *bottom);
/* Returns whether they overlap. @inset: the height to ignore at the top and the bottom of each, since a line
 * includes blank space above and below its letters; negative for more distance. */
gboolean dyno_text_box_touches (const DynoTextBox *self, const DynoTextBox *other, double inset);

G_END_DECLS
