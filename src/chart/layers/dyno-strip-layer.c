/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-chart-base-private.h"
#include "dyno-chart-layers-private.h"
#include "dyno-ink.h"

#define FILL_SHARE    0.88
#define MAX_THICKNESS 120.0
/* Pieces narrower than this touch each other. */
#define MIN_GAPPED 4.0
#define LABEL_GAP  4.0

struct _DynoStripLayer
{
  DynoLayer parent_instance;
};

typedef struct
{
  double x;
  double y;
  double width;
  double height;
} Piece;

G_DEFINE_FINAL_TYPE (DynoStripLayer, dyno_strip_layer, DYNO_TYPE_LAYER)

static Piece
get_piece (DynoSeries *series, const DynoPlot *plot, guint point)
{
  double row = round (dyno_series_get_x (series)[point]);
  double row_height = dyno_plot_get_y (plot, row + 0.5) - dyno_plot_get_y (plot, row - 0.5);
  double height = MIN (row_height * FILL_SHARE, MAX_THICKNESS);
  double low = 0;
  double high = 0;

  dyno_series_get_band (series, point, &low, &high);
  low = dyno_plot_get_x (plot, low);
  high = dyno_plot_get_x (plot, high);
  return (Piece){ low, round (dyno_plot_get_y (plot, row) - height / 2), high - low, round (height) };
}

static gboolean
is_seen (const Piece *piece, const DynoPlot *plot)
{
  return piece->x < plot->x + plot->width && piece->x + piece->width > plot->x;
}

static void
dyno_strip_layer_render (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (layer);
  guint slot = dyno_series_get_slot (series);

  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      Piece piece = get_piece (series, plot, i);

      if (!is_seen (&piece, plot))
        continue;
      piece.width -= piece.width >= MIN_GAPPED ? 1 : 0;
      if (dyno_series_get_mark (series) == DYNO_MARK_HATCH)
        dyno_ink_fill_hatched (cr, style, slot, piece.x, piece.y, piece.width, piece.height);
      else
        {
          cairo_rectangle (cr, piece.x, piece.y, piece.width, piece.height);
          dyno_ink_set_faded (cr, dyno_ink_get_color (style, slot), style->high_contrast ? 1 : 0.85);
          cairo_fill (cr);
        }
    }
}

/* Returns the text after the first point that is not within a number; NULL if there is none. */
static const char *
find_part (const char *text)
{
  for (const char *point = strchr (text, '.'); point != NULL; point = strchr (point + 1, '.'))
    if (point == text || !g_ascii_isdigit (point[-1]) || !g_ascii_isdigit (point[1]))
      return point + 1;
  return NULL;
}

static void
dyno_strip_layer_annotate (DynoLayer *layer, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style)
{
  DynoSeries *series = dyno_layer_get_series (layer);
  /* Letters are unreadable on hatches. */
  gboolean hatched = dyno_series_get_mark (series) == DYNO_MARK_HATCH;
  DynoColor inside = style->background;

  inside.alpha = 1;
  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      Piece piece = get_piece (series, plot, i);
      DynoText text = { .text = dyno_series_get_label (series, i),
                        .size = DYNO_TEXT_SMALL,
                        .color = hatched ? NULL : &inside,
                        .align_x = 0.5,
                        .align_y = 0.5,
                        .halo = hatched };
      double room = piece.width - 2 * LABEL_GAP;
      double width, height;

      if (!(piece.x >= plot->x - 0.5 && piece.x + piece.width <= plot->x + plot->width + 0.5) ||
          text.text == NULL || piece.height < dyno_text_get_line_height (text.size, cr, style))
        continue;
      text.x = piece.x + piece.width / 2;
      text.y = piece.y + piece.height / 2;
      dyno_text_measure (&text, cr, style, &width, &height);
      /* Keeps as much of the end of a path as fits; a name without parts that does not fit is left out. */
      for (const char *part; width > room && (part = find_part (text.text)) != NULL;)
        {
          text.text = part;
          dyno_text_measure (&text, cr, style, &width, &height);
        }
      if (width <= room)
        dyno_text_draw (&text, cr, style);
    }
}

static gboolean
dyno_strip_layer_pick (
    DynoLayer *layer, const DynoPlot *plot, double x, double y, guint *point, double *distance)
{
  DynoSeries *series = dyno_layer_get_series (layer);

  *distance = INFINITY;
  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      Piece piece = get_piece (series, plot, i);
      double dx = MAX (MAX (piece.x - x, x - piece.x - piece.width), 0);
      double dy = MAX (MAX (piece.y - y, y - piece.y - piece.height), 0);

      if (is_seen (&piece, plot) && hypot (dx, dy) < *distance)
        {
          *distance = hypot (dx, dy);
          *point = i;
        }
    }
  return isfinite (*distance);
}

static void
dyno_strip_layer_locate (DynoLayer *layer, const DynoPlot *plot, guint point, double *x, double *y)
{
  Piece piece = get_piece (dyno_layer_get_series (layer), plot, point);

  *x = piece.x + piece.width / 2;
  *y = piece.y + piece.height / 2;
}

static void
dyno_strip_layer_class_init (DynoStripLayerClass *klass)
{
  DynoLayerClass *layer_class = DYNO_LAYER_CLASS (klass);

  layer_class->render = dyno_strip_layer_render;
  layer_class->annotate = dyno_strip_layer_annotate;
  layer_class->pick = dyno_strip_layer_pick;
  layer_class->locate = dyno_strip_layer_locate;
}

static void
dyno_strip_layer_init (DynoStripLayer *self)
{
}

DynoLayer *
dyno_strip_layer_new (DynoSeries *series)
{
  return dyno_layer_new (DYNO_TYPE_STRIP_LAYER, series,
                         dyno_series_get_mark (series) == DYNO_MARK_HATCH ? DYNO_MARK_HATCH : DYNO_MARK_BAR);
}
