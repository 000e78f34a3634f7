/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

/* The gap between cells and within them. */
#define GAP 2.0
#define PAD 5.0
/* The shades of the smallest and the largest weight. */
#define LEAST_SHADE 0.10
#define MOST_SHADE  0.45

struct _DynoMatrixLayer
{
  DynoLayer parent_instance;
};

G_DEFINE_FINAL_TYPE (DynoMatrixLayer, dyno_matrix_layer, DYNO_TYPE_LAYER)

typedef struct
{
  double x;
  double y;
  double width;
  double height;
} Cell;

static Cell
get_cell (DynoSeries *series, guint point, const DynoPlot *plot)
{
  double column = dyno_series_get_x (series)[point];
  double row = dyno_series_get_y (series)[point];
  double left = dyno_plot_get_x (plot, column - 0.5);
  double top = dyno_plot_get_y (plot, row - 0.5);
  Cell cell = { .x = round (left) + GAP / 2, .y = round (top) + GAP / 2 };

  cell.width = MAX (round (dyno_plot_get_x (plot, column + 0.5)) - GAP / 2 - cell.x, 1);
  cell.height = MAX (round (dyno_plot_get_y (plot, row + 0.5)) - GAP / 2 - cell.y, 1);
  return cell;
}

static gboolean
is_seen (const Cell *cell, const DynoPlot *plot)
{
  double middle = cell->y + cell->height / 2;

  return middle > plot->y && middle < plot->y + plot->height;
}

static void
dyno_matrix_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (layer);
  DynoMark mark = dyno_series_get_mark (series);

  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      Cell cell = get_cell (series, i, plot);

      if (!is_seen (&cell, plot))
        continue;
      if (mark == DYNO_MARK_HATCH)
        {
          /* The hatches are a strip beside the words, which would be unreadable on them. */
          guint slot = dyno_series_get_slot (series);

          cairo_rectangle (cr, cell.x, cell.y, cell.width, cell.height);
          dyno_ink_set_faded (cr, dyno_ink_get_color (style, slot), LEAST_SHADE);
          cairo_fill (cr);
          dyno_ink_fill_hatched (cr, style, slot, cell.x + 1, cell.y + 1, 10, cell.height - 2);
        }
      else if (mark == DYNO_MARK_GUIDE)
        {
          static const double dash[] = { 4, 3 };

          cairo_rectangle (cr, cell.x + 0.5, cell.y + 0.5, cell.width - 1, cell.height - 1);
          cairo_set_dash (cr, dash, G_N_ELEMENTS (dash), 0);
          cairo_set_line_width (cr, style->high_contrast ? 2 : 1);
          dyno_ink_set (cr, &style->dim);
          cairo_stroke (cr);
          cairo_set_dash (cr, NULL, 0, 0);
        }
      else
        {
          /* Text must be readable on every shade, so none is solid; the edge has the full colour. */
          const DynoColor *color = dyno_ink_get_color (style, dyno_series_get_slot (series));
          double weight = CLAMP (dyno_series_get_weight (series, i), 0, 1);

          cairo_rectangle (cr, cell.x, cell.y, cell.width, cell.height);
          dyno_ink_set_faded (cr, color, LEAST_SHADE + weight * (MOST_SHADE - LEAST_SHADE));
          cairo_fill (cr);
          cairo_rectangle (cr, cell.x, cell.y, style->high_contrast ? 6 : 4, cell.height);
          dyno_ink_set (cr, color);
          cairo_fill (cr);
        }
    }
}

static guint
count_lines (const DynoText *text, double room, cairo_t *cr, const DynoChartStyle *style)
{
  DynoText plain = { .text = text->text, .size = text->size };
  double width, height;

  dyno_text_measure (&plain, cr, style, &width, &height);
  return (guint)CLAMP (ceil (width / text->width * 1.2), 1, MAX (room / height, 1));
}

/* Writes both lines of a label as paragraphs, one below the other, vertically centred; the second only if there is room
 * for it. */
static void
dyno_matrix_layer_annotate (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (layer);
  double indent = dyno_series_get_mark (series) == DYNO_MARK_HATCH ? 11 + PAD : 6 + PAD;
  double line_height = dyno_text_get_line_height (DYNO_TEXT_BOLD, cr, style);

  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      Cell cell = get_cell (series, i, plot);
      const char *label = dyno_series_get_label (series, i);
      g_auto (GStrv) lines = label != NULL ? g_strsplit (label, "\n", -1) : NULL;
      DynoText answer = { .size = DYNO_TEXT_BOLD,
                          .color = &style->foreground,
                          .x = cell.x + indent,
                          .width = cell.width - indent - PAD };
      DynoText rest = answer;
      double room = cell.height - PAD;
      double width, height, below = 0;

      if (lines == NULL || !is_seen (&cell, plot) || answer.width <= line_height)
        continue;
      answer.text = lines[0];
      rest.text = lines[1];
      rest.size = DYNO_TEXT_SMALL;
      rest.color = &style->dim;
      answer.n_lines = count_lines (&answer, rest.text != NULL ? room - line_height : room, cr, style);
      dyno_text_measure (&answer, cr, style, &width, &height);
      if (rest.text != NULL && room - height >= line_height * 0.8)
        {
          rest.n_lines = count_lines (&rest, room - height, cr, style);
          dyno_text_measure (&rest, cr, style, &width, &below);
        }
      answer.y = cell.y + (cell.height - height - below) / 2;
      rest.y = answer.y + height;
      dyno_text_draw (&answer, cr, style);
      if (below > 0)
        dyno_text_draw (&rest, cr, style);
    }
}

static gboolean
dyno_matrix_layer_pick (
    DynoLayer *layer, const DynoPlot *plot, double x, double y, guint *point, double *distance)
{
  DynoSeries *series = dyno_layer_get_series (layer);

  *distance = INFINITY;
  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      Cell cell = get_cell (series, i, plot);
      double away = hypot (MAX (fabs (x - cell.x - cell.width / 2) - cell.width / 2, 0),
                           MAX (fabs (y - cell.y - cell.height / 2) - cell.height / 2, 0));

      if (is_seen (&cell, plot) && away < *distance)
        {
          *distance = away;
          *point = i;
        }
    }
  return isfinite (*distance);
}

static void
dyno_matrix_layer_locate (DynoLayer *layer, const DynoPlot *plot, guint point, double *x, double *y)
{
  Cell cell = get_cell (dyno_layer_get_series (layer), point, plot);

  *x = cell.x + cell.width / 2;
  *y = cell.y + cell.height / 2;
}

static void
dyno_matrix_layer_class_init (DynoMatrixLayerClass *klass)
{
  DynoLayerClass *layer_class = DYNO_LAYER_CLASS (klass);

  layer_class->render = dyno_matrix_layer_render;
  layer_class->annotate = dyno_matrix_layer_annotate;
  layer_class->pick = dyno_matrix_layer_pick;
  layer_class->locate = dyno_matrix_layer_locate;
}

static void
dyno_matrix_layer_init (DynoMatrixLayer *self)
{
}

DynoLayer *
dyno_matrix_layer_new (DynoSeries *series)
{
  return dyno_layer_new (DYNO_TYPE_MATRIX_LAYER, series, dyno_series_get_mark (series));
}
