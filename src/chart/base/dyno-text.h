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
 * @text: what it says
 * @size: how large
 * @color: (nullable): in which colour; the foreground if %NULL
 * @x: where its anchor is
 * @y: where its anchor is
 * @align_x: which part of it lies at @x: 0 its left, 0.5 its middle, 1 its right
 * @align_y: which part of it lies at @y
 * @width: where it is ellipsized or broken; 0 for nowhere
 * @n_lines: how many lines it may have before it is cut off at its end; 0 for one line
 * @halo: whether the background shines around the letters
 * @angle: how far it is turned around its anchor, clockwise, in radians
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
 * Where a text was drawn: its top left corner, in the units of the surface, its size, and how far it is turned
 * around that corner, clockwise, in radians.
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
/* @box: where it will lie, in the units of its anchor; without its words. */
void dyno_text_get_box (const DynoText *text, double width, double height, DynoTextBox *box);
/* Lets tests read a picture and check that its texts keep apart. @boxes (nullable): where to note every
 * text that is drawn from now on. */
void dyno_text_set_recorder (GArray *boxes);

void
dyno_text_box_get_extents (const DynoTextBox *self, double *left, double *top, double *right, double *bottom);
/* Returns whether they meet. @inset: what to ignore at the top and the bottom of each, since the height of
 * a line includes room that letters leave empty; below zero for more room. */
gboolean dyno_text_box_touches (const DynoTextBox *self, const DynoTextBox *other, double inset);

G_END_DECLS
