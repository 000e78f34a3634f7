/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"
#include "dyno-ink.h"

#define SWATCH       24.0
#define SWATCH_GAP   6.0
#define ENTRY_GAP    18.0
#define LABEL_INDENT 14.0

/* The position of the next entry. */
typedef struct
{
  cairo_t *cr;
  const DynoChartStyle *style;
  gboolean draws;
  double left;
  double width;
  double row_height;
  guint max_rows;
  double x;
  guint row;
} Flow;

static void
place_entry (Flow *flow, DynoSeries *series, double top)
{
  const double indent = SWATCH + SWATCH_GAP;
  DynoText text = { .text = dyno_series_get_name (series),
                    .size = DYNO_TEXT_SMALL,
                    .width = flow->width - indent,
                    .align_y = 0.5 };
  double width, height;

  dyno_text_measure (&text, flow->cr, flow->style, &width, &height);
  if (flow->x > 0 && flow->x + indent + width > flow->width)
    {
      flow->x = 0;
      flow->row++;
    }
  text.x = flow->left + flow->x + indent;
  text.y = top + (flow->row + 0.5) * flow->row_height;
  flow->x += indent + width + ENTRY_GAP;
  if (flow->draws && flow->row < flow->max_rows)
    dyno_text_draw (&text, flow->cr, flow->style);
}

/* Counts the entries that do not fit into the available rows. */
static guint
count_left_out (Flow flow, GPtrArray *series)
{
  guint n_left_out = 0;

  flow.draws = FALSE;
  for (guint i = 0; i < series->len; i++)
    {
      DynoSeries *here = g_ptr_array_index (series, i);

      if (!dyno_series_get_visible (here))
        continue;
      place_entry (&flow, here, 0);
      n_left_out += flow.row >= flow.max_rows;
    }
  return n_left_out;
}

static void
flow_entries (Flow *flow, GPtrArray *series, double top)
{
  for (guint i = 0; i < series->len; i++)
    {
      DynoSeries *here = g_ptr_array_index (series, i);

      if (!dyno_series_get_visible (here))
        continue;
      if (flow->x > 0)
        {
          const double indent = SWATCH + SWATCH_GAP;
          DynoText text = { .text = dyno_series_get_name (here), .size = DYNO_TEXT_SMALL };
          double width, height;

          text.width = flow->width - indent;
          dyno_text_measure (&text, flow->cr, flow->style, &width, &height);
          if (flow->x + (indent + width) > flow->width)
            {
              flow->x = 0;
              flow->row++;
            }
        }
      if (flow->draws && flow->row < flow->max_rows)
        {
          cairo_save (flow->cr);
          cairo_translate (flow->cr, flow->left + flow->x, top + flow->row * flow->row_height);
          dyno_ink_draw_swatch (here, flow->cr, flow->style, SWATCH, flow->row_height);
          cairo_restore (flow->cr);
        }
      place_entry (flow, here, top);
    }
}

static Flow
create_flow (cairo_t *cr, const DynoChartStyle *style, double width, double max_height)
{
  Flow flow = { .cr = cr, .style = style, .width = width };

  flow.row_height = ceil (dyno_text_get_line_height (DYNO_TEXT_SMALL, cr, style) * 1.15);
  flow.max_rows = MAX ((guint)(max_height / flow.row_height), 1);
  return flow;
}

double
dyno_chart_legend_measure (
    GPtrArray *series, cairo_t *cr, const DynoChartStyle *style, double width, double max_height)
{
  Flow flow = create_flow (cr, style, width, max_height);

  flow_entries (&flow, series, 0);
  return MIN (flow.row + 1, flow.max_rows) * flow.row_height;
}

void
dyno_chart_legend_draw (GPtrArray *series,
                        cairo_t *cr,
                        const DynoChartStyle *style,
                        double x,
                        double y,
                        double width,
                        double max_height)
{
  Flow flow = create_flow (cr, style, width, max_height);
  DynoText text = { .text = "+00", .size = DYNO_TEXT_SMALL, .align_x = 1, .align_y = 0.5 };
  g_autofree char *rest = NULL;
  double rest_width, rest_height;

  flow.left = x;
  flow.draws = TRUE;
  if (count_left_out (flow, series) > 0)
    {
      /* The last row ends with the number of entries that are left out, which takes room from them. */
      dyno_text_measure (&text, cr, style, &rest_width, &rest_height);
      text.x = flow.left + flow.width;
      text.y = y + (flow.max_rows - 0.5) * flow.row_height;
      flow.width -= rest_width + SWATCH_GAP;
      rest = g_strdup_printf ("+%u", count_left_out (flow, series));
      text.text = rest;
      dyno_text_draw (&text, cr, style);
    }
  flow_entries (&flow, series, y);
}

/* --- labels beside the lines --- */

typedef struct
{
  DynoSeries *series;
  double anchor;
  double y;
} Label;

static int
compare_labels (gconstpointer a, gconstpointer b)
{
  const Label *left = a;
  const Label *right = b;

  return left->anchor < right->anchor ? -1 : left->anchor > right->anchor;
}

/* Pushes labels apart: first downwards from the top, then back up from the bottom. */
static void
spread_labels (GArray *labels, double top, double bottom, double line_height)
{
  double limit = top + line_height / 2;

  for (guint i = 0; i < labels->len; i++)
    {
      Label *label = &g_array_index (labels, Label, i);

      label->y = MAX (label->y, limit);
      limit = label->y + line_height;
    }
  limit = bottom - line_height / 2;
  for (guint i = labels->len; i > 0; i--)
    {
      Label *label = &g_array_index (labels, Label, i - 1);

      label->y = MIN (label->y, limit);
      limit = label->y - line_height;
    }
}

double
dyno_chart_legend_measure_labels (GPtrArray *series, cairo_t *cr, const DynoChartStyle *style)
{
  double widest = 0;

  for (guint i = 0; i < series->len; i++)
    {
      DynoSeries *here = g_ptr_array_index (series, i);
      DynoText text = { .text = dyno_series_get_name (here), .size = DYNO_TEXT_SMALL };
      double width, height;

      if (!dyno_series_get_visible (here))
        continue;
      dyno_text_measure (&text, cr, style, &width, &height);
      widest = MAX (widest, width);
    }
  return widest + LABEL_INDENT;
}

void
dyno_chart_legend_draw_labels (
    GPtrArray *series, cairo_t *cr, const DynoPlot *plot, const DynoChartStyle *style, double width)
{
  g_autoptr (GArray) labels = g_array_new (FALSE, FALSE, sizeof (Label));
  guint n_lines = dyno_chart_legend_measure_labels (series, cr, style) > width + 1 ? 2 : 1;

  for (guint i = 0; i < series->len; i++)
    {
      Label label = { g_ptr_array_index (series, i), 0, 0 };
      guint first, end;

      if (!dyno_series_get_visible (label.series) || dyno_series_get_length (label.series) == 0)
        continue;
      dyno_plot_get_visible_points (plot, label.series, &first, &end);
      label.anchor = dyno_plot_get_y (plot, dyno_series_get_y (label.series)[MAX (end, 1) - 1]);
      label.anchor = CLAMP (label.anchor, plot->y, plot->y + plot->height);
      label.y = label.anchor;
      g_array_append_val (labels, label);
    }
  g_array_sort (labels, compare_labels);

  spread_labels (labels, plot->y, plot->y + plot->height,
                 n_lines * dyno_text_get_line_height (DYNO_TEXT_SMALL, cr, style));
  for (guint i = 0; i < labels->len; i++)
    {
      const Label *label = &g_array_index (labels, Label, i);
      DynoText text = { .text = dyno_series_get_name (label->series), .size = DYNO_TEXT_SMALL };
      double right = plot->x + plot->width;

      text.color = dyno_ink_get_color (style, dyno_series_get_slot (label->series));
      text.x = right + LABEL_INDENT;
      text.y = label->y;
      text.align_y = 0.5;
      text.width = width - LABEL_INDENT;
      text.n_lines = n_lines;
      cairo_move_to (cr, right + 5, label->anchor);
      cairo_line_to (cr, right + LABEL_INDENT - 2, label->y);
      cairo_set_dash (cr, NULL, 0, 0);
      cairo_set_line_width (cr, 1);
      dyno_ink_set_faded (cr, dyno_ink_get_color (style, dyno_series_get_slot (label->series)), 0.6);
      cairo_stroke (cr);
      dyno_text_draw (&text, cr, style);
    }
}
