/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-ink.h"

/* The number of markers that slots use in turn; triangles to the left and to the right follow them. */
#define N_MARKERS 8
/* The width of the edge of a line over bars, on each side; edges are translucent, so that the bar does not
 * look cut in two. */
#define EDGE       1.0
#define EDGE_ALPHA 0.6
/* The gap between a marker and the ring around it. */
#define RING_GAP 3.5

/* A marker is a polygon around the origin, or a circle if it has no corners. */
static const struct
{
  guint n_corners;
  double turn;
  double inner;
  double size;
} markers[] = {
  { 0, 0, 1, 1 },      { 4, 0.125, 1, 1.25 }, { 3, 0, 1, 1.4 },        { 4, 0, 1, 1.35 },
  { 3, 0.5, 1, 1.4 },  { 8, 0, 0.38, 1.6 },   { 8, 0.125, 0.38, 1.6 }, { 10, 0, 0.45, 1.5 },
  { 3, 0.75, 1, 1.4 }, { 3, 0.25, 1, 1.4 },
};

/* The shapes of verdicts, by the slots of their colours: a filled shape is a shown difference, a hollow one
 * is not. */
static const struct
{
  guint slot;
  guint marker;
  gboolean hollow;
} verdicts[] = {
  { 2, N_MARKERS + 1, FALSE },
  { 5, N_MARKERS, FALSE },
  { 2 + 2 * DYNO_CHART_N_COLORS, N_MARKERS + 1, TRUE },
  { 5 + 2 * DYNO_CHART_N_COLORS, N_MARKERS, TRUE },
  { 0, 1, FALSE },
  { 7, 0, TRUE },
  { 6, 3, TRUE },
};

void
dyno_ink_set (cairo_t *cr, const DynoColor *color)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha);
}

void
dyno_ink_set_faded (cairo_t *cr, const DynoColor *color, double alpha)
{
  cairo_set_source_rgba (cr, color->red, color->green, color->blue, color->alpha * alpha);
}

/* A transparent background belongs to a widget, which has that colour. */
void
dyno_ink_set_background (cairo_t *cr, const DynoChartStyle *style)
{
  cairo_set_source_rgb (cr, style->background.red, style->background.green, style->background.blue);
}

const DynoColor *
dyno_ink_get_color (const DynoChartStyle *style, guint slot)
{
  return &style->series[slot % DYNO_CHART_N_COLORS];
}

void
dyno_ink_set_line (cairo_t *cr, const DynoChartStyle *style, guint slot, gboolean dashed)
{
  static const double dashes[][4] = { { 1, 0 }, { 8, 3 }, { 2.5, 2.5 }, { 9, 3, 2, 3 } };
  guint dash = (slot + slot / DYNO_CHART_N_COLORS) % G_N_ELEMENTS (dashes);

  dyno_ink_set (cr, dyno_ink_get_color (style, slot));
  cairo_set_line_width (cr, style->line_width);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  if (dash > 0 && (dashed || style->high_contrast || slot >= DYNO_CHART_N_COLORS))
    cairo_set_dash (cr, dashes[dash], dash == 3 ? 4 : 2, 0);
  else
    cairo_set_dash (cr, NULL, 0, 0);
}

void
dyno_ink_set_guide (cairo_t *cr, const DynoChartStyle *style, guint slot)
{
  static const double dash[] = { 3, 4 };

  cairo_set_dash (cr, dash, G_N_ELEMENTS (dash), 0);
  cairo_set_line_width (cr, style->high_contrast ? 2 : 1.25);
  dyno_ink_set_faded (cr, dyno_ink_get_color (style, slot), style->high_contrast ? 1 : 0.7);
}

void
dyno_ink_stroke_over (
    cairo_t *cr, const DynoChartStyle *style, double width, const double *dash, guint n_dashes)
{
  const DynoColor *edge = &style->background;

  cairo_set_dash (cr, NULL, 0, 0);
  cairo_set_line_width (cr, width + 2 * EDGE);
  cairo_set_source_rgba (cr, edge->red, edge->green, edge->blue, EDGE_ALPHA);
  cairo_stroke_preserve (cr);
  cairo_set_dash (cr, dash, (int)n_dashes, 0);
  cairo_set_line_width (cr, width);
  dyno_ink_set (cr, &style->foreground);
  cairo_stroke (cr);
}

/* Unsteady values have a dashed ring; imported ones a dotted ring without the warning colour. */
static void
stroke_doubt (cairo_t *cr, const DynoChartStyle *style, DynoDoubt doubt)
{
  static const double dash[] = { 3, 2.5 };
  static const double dots[] = { 1, 2 };

  cairo_set_dash (cr, doubt == DYNO_DOUBT_IMPORTED ? dots : dash,
                  doubt == DYNO_DOUBT_DOUBTFUL ? 0 : G_N_ELEMENTS (dash), 0);
  cairo_set_line_width (cr, style->high_contrast ? 2.5 : 2);
  dyno_ink_set (cr, doubt == DYNO_DOUBT_IMPORTED ? &style->foreground : &style->doubt);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
add_shape (cairo_t *cr, guint marker, double x, double y, double size)
{
  guint n_corners = markers[marker].n_corners;

  cairo_new_path (cr);
  if (n_corners == 0)
    cairo_arc (cr, x, y, size, 0, 2 * G_PI);
  for (guint i = 0; i < n_corners; i++)
    {
      double angle = 2 * G_PI * (i / (double)n_corners + markers[marker].turn);
      double radius = size * markers[marker].size * (i % 2 == 1 && n_corners > 4 ? markers[marker].inner : 1);

      cairo_line_to (cr, x + radius * sin (angle), y - radius * cos (angle));
    }
  cairo_close_path (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

static void
add_marker (cairo_t *cr, guint slot, double x, double y, double size)
{
  add_shape (cr, (slot + slot / DYNO_CHART_N_COLORS) % N_MARKERS, x, y, size);
}

static void
paint_marker (cairo_t *cr, const DynoChartStyle *style, guint slot, gboolean hollow)
{
  cairo_set_line_width (cr, hollow ? (style->high_contrast ? 2.5 : 1.75) : 2);
  dyno_ink_set_background (cr, style);
  if (hollow)
    cairo_fill_preserve (cr);
  else
    cairo_stroke_preserve (cr);
  dyno_ink_set (cr, dyno_ink_get_color (style, slot));
  if (hollow)
    cairo_stroke (cr);
  else
    cairo_fill (cr);
}

void
dyno_ink_draw_marker (cairo_t *cr, const DynoChartStyle *style, guint slot, double x, double y, double size)
{
  add_marker (cr, slot, x, y, size);
  paint_marker (cr, style, slot, FALSE);
}

void
dyno_ink_draw_point (cairo_t *cr,
                     const DynoChartStyle *style,
                     DynoSeries *series,
                     guint point,
                     double x,
                     double y,
                     double size)
{
  guint slot = dyno_series_get_slot (series);

  add_marker (cr, slot, x, y, size);
  paint_marker (cr, style, slot, dyno_series_get_hollow (series, point));
}

void
dyno_ink_draw_verdict (cairo_t *cr, const DynoChartStyle *style, guint slot, double x, double y, double size)
{
  for (guint i = 0; i < G_N_ELEMENTS (verdicts); i++)
    if (verdicts[i].slot == slot)
      {
        add_shape (cr, verdicts[i].marker, x, y, size);
        paint_marker (cr, style, slot, verdicts[i].hollow);
      }
}

void
dyno_ink_draw_ring (
    cairo_t *cr, const DynoChartStyle *style, DynoDoubt doubt, double x, double y, double radius)
{
  if (doubt == DYNO_DOUBT_NONE)
    return;
  cairo_new_path (cr);
  cairo_arc (cr, x, y, radius + RING_GAP, 0, 2 * G_PI);
  stroke_doubt (cr, style, doubt);
}

double
dyno_ink_get_ring_room (DynoDoubt doubt)
{
  return doubt != DYNO_DOUBT_NONE ? RING_GAP + 1 : 0;
}

/* Strokes the path of a doubtful bar over its edges. */
void
dyno_ink_draw_edge (cairo_t *cr, const DynoChartStyle *style, DynoDoubt doubt)
{
  if (doubt != DYNO_DOUBT_NONE)
    stroke_doubt (cr, style, doubt);
  cairo_new_path (cr);
}

void
dyno_ink_add_cut (cairo_t *cr, double x, double y, double dx, double dy)
{
  const double size = 4;

  cairo_move_to (cr, x - dx * size - dy * size, y - dy * size - dx * size);
  cairo_line_to (cr, x, y);
  cairo_line_to (cr, x - dx * size + dy * size, y - dy * size + dx * size);
}

void
dyno_ink_add_whiskers (cairo_t *cr, DynoSeries *series, const DynoPlot *plot)
{
  const double cap = 3;
  const double slack = 0.5;

  for (guint i = 0; i < dyno_series_get_length (series); i++)
    {
      double low, high;

      if (!dyno_series_get_band (series, i, &low, &high))
        continue;
      double x = dyno_plot_get_x (plot, dyno_series_get_x (series)[i]);
      double top = dyno_plot_get_y (plot, high);
      double bottom = dyno_plot_get_y (plot, low);
      gboolean cut_above = top < plot->y - slack;
      gboolean cut_below = bottom > plot->y + plot->height + slack;

      top = MAX (top, plot->y);
      bottom = MIN (bottom, plot->y + plot->height);
      if (top > bottom)
        continue;
      cairo_move_to (cr, x, top);
      cairo_line_to (cr, x, bottom);
      if (cut_above)
        dyno_ink_add_cut (cr, x, top, 0, -1);
      cairo_move_to (cr, x - (cut_above ? 0 : cap), top);
      cairo_line_to (cr, x + (cut_above ? 0 : cap), top);
      if (cut_below)
        dyno_ink_add_cut (cr, x, bottom, 0, 1);
      cairo_move_to (cr, x - (cut_below ? 0 : cap), bottom);
      cairo_line_to (cr, x + (cut_below ? 0 : cap), bottom);
    }
}

/* Strokes the path of a bar whose value is less certain than others: hollow, with dashed edges. */
void
dyno_ink_draw_outline (cairo_t *cr, const DynoChartStyle *style, guint slot)
{
  static const double dash[] = { 4, 3 };

  dyno_ink_set_faded (cr, dyno_ink_get_color (style, slot), 0.12);
  cairo_fill_preserve (cr);
  dyno_ink_set (cr, dyno_ink_get_color (style, slot));
  cairo_set_dash (cr, dash, G_N_ELEMENTS (dash), 0);
  cairo_set_line_width (cr, style->high_contrast ? 2 : 1.25);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
}

void
dyno_ink_fill_hatched (
    cairo_t *cr, const DynoChartStyle *style, guint slot, double x, double y, double width, double height)
{
  const double spacing = 6;

  cairo_save (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  cairo_rectangle (cr, x, y, width, height);
  dyno_ink_set_faded (cr, dyno_ink_get_color (style, slot), 0.15);
  cairo_fill_preserve (cr);
  cairo_clip (cr);
  for (double left = x - height; left < x + width; left += spacing)
    {
      cairo_move_to (cr, left, y + height);
      cairo_line_to (cr, left + height, y);
    }
  dyno_ink_set (cr, dyno_ink_get_color (style, slot));
  cairo_set_line_width (cr, style->high_contrast ? 2 : 1.25);
  cairo_stroke (cr);
  cairo_rectangle (cr, x, y, width, height);
  cairo_set_line_width (cr, 2);
  cairo_stroke (cr);
  cairo_restore (cr);
}

void
dyno_ink_draw_swatch (
    DynoSeries *series, cairo_t *cr, const DynoChartStyle *style, double width, double height)
{
  guint slot = dyno_series_get_slot (series);
  DynoMark mark = dyno_series_get_mark (series);

  cairo_save (cr);
  if (mark == DYNO_MARK_LIMIT || mark == DYNO_MARK_DASHED_LIMIT)
    {
      static const double dash[] = { 3, 2 };

      cairo_new_path (cr);
      cairo_move_to (cr, round (width / 2), 1);
      cairo_line_to (cr, round (width / 2), height - 1);
      cairo_set_dash (cr, dash, mark == DYNO_MARK_DASHED_LIMIT ? G_N_ELEMENTS (dash) : 0, 0);
      cairo_set_line_width (cr, 2);
      dyno_ink_set (cr, &style->foreground);
      cairo_stroke (cr);
      cairo_restore (cr);
      return;
    }
  if (mark == DYNO_MARK_VERDICT)
    {
      dyno_ink_draw_verdict (cr, style, slot, width / 2, height / 2, MIN (4, height / 3));
      cairo_restore (cr);
      return;
    }
  dyno_ink_set_line (cr, style, slot, mark == DYNO_MARK_DASH);
  cairo_move_to (cr, 0, height / 2);
  cairo_line_to (cr, width, height / 2);
  if (mark == DYNO_MARK_GUIDE)
    dyno_ink_set_guide (cr, style, slot);
  if (mark == DYNO_MARK_LINE || mark == DYNO_MARK_DASH || mark == DYNO_MARK_GUIDE)
    cairo_stroke (cr);
  else if (mark == DYNO_MARK_HATCH)
    dyno_ink_fill_hatched (cr, style, slot, 0, round (height * 0.2), width, round (height * 0.6));
  else if (mark == DYNO_MARK_BAR)
    {
      dyno_ink_set (cr, dyno_ink_get_color (style, slot));
      cairo_rectangle (cr, 0, round (height * 0.2), width, round (height * 0.6));
      cairo_fill (cr);
    }
  if (mark != DYNO_MARK_DASH && mark != DYNO_MARK_GUIDE)
    dyno_ink_draw_marker (cr, style, slot, width / 2, height / 2, MIN (4, height / 3));
  cairo_restore (cr);
}
